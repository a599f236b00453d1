"""The structure of a document: what numbers its places, and how the places hold one another."""
