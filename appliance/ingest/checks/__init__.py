"""What a document should hold against what was read of it."""
