"""The machinery that executes steps."""
