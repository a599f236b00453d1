"""What each mechanism is worth: runs with and without it, the lines that it costs, and the report."""
