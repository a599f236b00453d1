"""The numbering of a document to its clause tree, with captions and labels."""
