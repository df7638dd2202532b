"""Honest computer players: they see what a person at their seat sees, and say how strong they are."""
