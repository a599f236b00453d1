"""Tests of what a box says of its own work."""
