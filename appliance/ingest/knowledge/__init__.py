"""What the documents speak of, and how it hangs together: from linked documents to one graph."""
