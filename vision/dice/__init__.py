"""Dice and disks, which have no place in a layout: which finds are any, what they show, and whether that is all."""
