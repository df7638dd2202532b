"""Readings held against the truth of labelled pictures, for the programs that measure the eye."""
