"""What a new library changes, clause by clause."""
