"""The benchmark: speed beside peers and limits in one run."""
