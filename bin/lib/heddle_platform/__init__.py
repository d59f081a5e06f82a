"""Installs, starts and checks Heddle; needs nothing but Python's standard library."""
