"""Trials of the whole appliance, each a command of its own: too long, or too much root, for the test suite."""
