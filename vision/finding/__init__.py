"""Where pieces lie on the rectified picture, of whatever kind."""
