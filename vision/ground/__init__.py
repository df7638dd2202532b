"""What pieces lie on: felt and paper, the light and the shadows there, and what on it is neither."""
