"""Views on the match, and the way in for commands from tablets and phones."""
