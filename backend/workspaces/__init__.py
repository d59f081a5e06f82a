"""Whose data it is."""
