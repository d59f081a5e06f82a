"""The pure engine: documents, plans, decisions and events; values in, values out."""
