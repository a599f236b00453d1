"""Text as every step reads it: folding, sentences, numbers, quantities, designations."""
