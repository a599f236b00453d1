"""Terms with their meanings, editions of documents, national choices."""
