"""Printed mats: at each place of a known print the eye tells what lies on it.

The mat comes in as data: places in millimetres and the print itself. What is printed is what the eye
measures by: a figure in each place that it sees is a place on which nothing lies, one that it does not see
is covered; and bare paper around a piece says how light it is there.
"""
