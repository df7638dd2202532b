"""Trays drawn by a web browser: its own shapes, shadows and fonts, and nothing of what the nets have learnt from.

A second opinion: whoever draws what an eye is trained on and what it is tried on may draw both wrong in one way.
"""
