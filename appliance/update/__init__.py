"""Signed bundles on a stick, and the box that takes them on: verified, staged, tried, kept or undone."""
