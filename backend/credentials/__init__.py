"""Encrypted secrets."""
