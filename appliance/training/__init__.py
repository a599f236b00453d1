"""Training: examples made from questions and from the structure of free documents, recipes, curves."""
