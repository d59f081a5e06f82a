"""What can be done with workflows: one use case a module."""
