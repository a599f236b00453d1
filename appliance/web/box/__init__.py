"""The pages about the box itself."""
