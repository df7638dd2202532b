"""Trays modelled and traced by Blender: solid pieces with carved digits and pips, rooms full of lamps, real glass.

A third opinion, beside our own tracer's trays (with which the eye was made) and a browser's: nothing was learnt from
these. `chance` says what lies where and what it is made of, `description` writes it down, `inside` is what Blender
runs, `sensor` makes a camera's picture of the light.
"""
