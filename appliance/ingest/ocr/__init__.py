"""Character recognition for scanned pages, in its own process, and what is doubtful in them."""
