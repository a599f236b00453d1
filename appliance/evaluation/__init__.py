"""Judged questions, structure ground truth and public collections to one table of figures."""
