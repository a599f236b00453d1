"""Question to Evidence: retrieve wide, fuse, rerank, follow references, never drop what belongs."""
