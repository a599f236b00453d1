"""The page of an answer."""
