"""Frozen values of the domain, errors and settings: the standard library only."""
