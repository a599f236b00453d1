"""Document to and from the one SQLite file; apsw and sqlite-vec are imported here alone."""
