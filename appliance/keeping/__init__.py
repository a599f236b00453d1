"""What is kept of answers, and what differs between editions: re-check, export, comparison."""
