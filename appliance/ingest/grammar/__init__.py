"""The grammar of references: words of a family (data), numbers, names, and designations."""
