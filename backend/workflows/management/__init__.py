"""Commands of the workflows app."""
