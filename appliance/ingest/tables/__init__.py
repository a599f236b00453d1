"""Tables: where they stand, their grid, headers, notes and continuation."""
