"""Where the tray lies in a picture, which way the camera looks at it, and whether either has moved."""
