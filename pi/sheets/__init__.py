"""Sheets to print, true to scale: mats, boards, markers and score sheets."""
