"""A question as read: words, labels, documents, quantities, its parts."""
