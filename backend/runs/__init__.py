"""Runs, their steps and their events; the only writer of run state."""
