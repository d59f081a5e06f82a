"""Drafts, versions, exchange."""
