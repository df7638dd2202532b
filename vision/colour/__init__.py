"""What colours pieces have, in whatever light, and what these are called."""
