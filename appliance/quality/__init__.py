"""What a document should hold against what was read out of it, page by page."""
