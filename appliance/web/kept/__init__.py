"""Saved answers, exports, comparisons, feedback, reviews."""
