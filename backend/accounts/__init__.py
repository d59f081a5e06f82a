"""People, their sessions and API keys."""
