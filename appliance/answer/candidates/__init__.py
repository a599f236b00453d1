"""What could be said from the places found: sentences, items, rows, definitions, formulas, figures."""
