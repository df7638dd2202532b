"""The table without a table: simulated people, fingers and processes for demo and play."""
