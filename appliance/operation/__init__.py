"""What a box says of its own work: the service manager, lines of log, figures, health."""
