"""Benchmarks of the whole product: bin/bench runs them."""
