"""A site of web pages into a folder that `build` reads: on the builder, never on a box."""
