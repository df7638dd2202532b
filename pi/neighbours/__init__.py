"""What a table tells its neighbours over MQTT: the public view and nothing else, for homes and clubs."""
