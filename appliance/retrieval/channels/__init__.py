"""The searches that run side by side, and their fusion."""
