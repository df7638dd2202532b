"""Exact chances: what the tiles on the table make likely."""
