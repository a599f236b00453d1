"""What people on site produce: the small database that is written beside the library, never in it."""
