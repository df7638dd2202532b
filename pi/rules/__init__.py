"""The counting core: standard library only; no clock, files, threads, chance or logging."""
