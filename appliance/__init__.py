"""An offline box that answers questions about design codes, each statement with its proof."""

__version__ = "0.1.0"
