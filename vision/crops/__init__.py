"""What single pieces show, each cut out of the picture: by nets, and by what can be counted without any."""
