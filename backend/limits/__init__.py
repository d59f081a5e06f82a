"""What bounds work: limits at a time and per time, open work, and budgets of runs."""
