"""Health and figures of the installation."""
