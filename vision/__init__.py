"""The eye: a picture and what is expected in, a reading out. Pure: no clock, no files but its models."""
