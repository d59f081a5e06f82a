"""What can be done with credentials: one use case a module."""
