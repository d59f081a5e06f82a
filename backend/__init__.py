"""Heddle's model and logic: everything except the machinery that executes."""
