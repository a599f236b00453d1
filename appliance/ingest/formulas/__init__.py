"""Numbered formulas with their symbols."""
