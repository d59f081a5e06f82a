"""The rules of a document, by what they look at; each lists all it finds."""
