"""What several pictures of one still scene say together, and whether its lamp has changed."""
