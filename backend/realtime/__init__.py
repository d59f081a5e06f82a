"""What browsers watch."""
