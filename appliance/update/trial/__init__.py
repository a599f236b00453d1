"""A staged generation tried, served or given up, and scrubbed afterwards."""
