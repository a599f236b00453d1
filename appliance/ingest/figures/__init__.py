"""Figures: captions with the drawings and the lettering that belong to them."""
