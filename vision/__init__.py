"""The eye: a picture and what is expected in, a reading out. Pure: no clock, no files but its models.

From the door down, each room on those below it: `settle` (readings over time), `reader` (one picture), `frames`,
`dice`, `board`, `finding`, `ground`, `colour`, `crops`, `tray`; all speak of what `reading`, `layout` and `geometry`
define. `mats` reads printed ones. Around it: `teach` and `teaching`, `drawing`, `training`, and `trials` with the
programs that measure it.
"""
