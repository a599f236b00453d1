"""The order of the candidates."""
