"""Trays by sphere tracing, in numpy alone: bodies are distances, lamps are mirrored, a sensor sees through a mosaic.

One more opinion, and one that needs no other program. Shapes, light, felt, print and sensor are its own; what lies
where on a board, and how a label is written, are the house's. Lengths are in millimetres in the tray's own axes
(x to the right, y up, z towards the camera, felt at 0); colours of stuff are sRGB 0..255 in red, green, blue; light is
linear and in the same order, 1 for what a white sheet on the middle of the tray sends back. Points and ways are (3, n)
float32: numpy takes ten times as long over a last axis of three.
"""
