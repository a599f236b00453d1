"""The review of references: what a specification cites, against the library, each with its proof."""
