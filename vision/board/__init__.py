"""Tiles: from what was found to a board in rows and columns, with what is certain there and what is not."""
