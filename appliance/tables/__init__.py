"""A table as values: header paths, row groups, row names, and the look-up of cells in words."""
