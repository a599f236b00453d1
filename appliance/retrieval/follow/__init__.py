"""What must be read with a place, and what stands around it."""
