"""The doors of the command line: one module a subcommand, and what only they need."""
