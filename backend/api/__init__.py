"""The conventions that every REST endpoint shares; knows no model."""
