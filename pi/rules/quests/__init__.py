"""The solitaire quests: check a layout, say what is wrong and where, solve, and give one tile away."""
