"""Kinds of node: one module a kind, its spec and its run."""
