"""The page on the LAN: flask and waitress are imported here alone."""
