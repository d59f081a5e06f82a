"""Sandboxes in which text written by users is evaluated."""
