"""Run by Blender's own Python, which knows nothing of this project: a description in JSON in, linear light out.

`blender --background --factory-startup --python paint.py -- SCENE.json OUT.hdr`. What a description holds is told by
`vision.drawing.blender.description`, which writes it. Lengths in millimetres.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import bpy  # noqa: E402
import solids  # noqa: E402
import stage  # noqa: E402
from stuff import material  # noqa: E402

Spec = dict[str, Any]
OVER = 0.02
"""How far ink lies above what it is printed on, mm."""


def main(scene_file: str, out: str) -> None:
    """Build the stage and trace it."""
    scene = json.loads(Path(scene_file).read_text(encoding="utf-8"))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.world = bpy.data.worlds.new("room")
    stuff = {name: material(name, spec) for name, spec in scene["stuff"].items()}
    for slab in scene["slabs"]:
        _slab(slab, stuff)
    for paper in scene["papers"]:
        solids.thing("paper", solids.sheet("paper", paper["corners"], paper["z"]), [stuff[paper["stuff"]]])
    if scene["tiles"]["laid"]:
        _tiles(scene["tiles"], stuff)
    if scene["dice"]["laid"]:
        _dice(scene["dice"], stuff)
    if scene["disks"]["laid"]:
        _disks(scene["disks"], stuff)
    for number, spec in enumerate(scene["lamps"]):
        stage.lamp(number, spec)
    stage.room(scene["room"])
    stage.camera(scene["camera"])
    stage.render(scene["render"], out)


def _slab(slab: Spec, stuff: dict[str, Any]) -> None:
    """Lay a body with an outline: table, felt, rim, whatever lies beside the tray."""
    made = solids.thing("slab", solids.prism("slab", slab["outline"], slab["height"]), [stuff[slab["stuff"]]])
    solids.rounded(made, slab["round"])
    solids.place(made, *slab["at"], slab.get("angle", 0.0))


def _marked(body: Any, mesh: Any, ink: Any, top: float, mark: Spec) -> None:
    """Print, raise or engrave a mark on a body. mesh: of thickness `mark["depth"]`, or flat; top: the body's height."""
    sunk = mark["how"] == "engraved"
    slots = [body.data.materials[0], ink] if sunk else [ink]
    made = solids.thing("mark", mesh, slots)
    if sunk:
        for face in mesh.polygons:
            face.material_index = 1
    made.matrix_world = body.matrix_world.copy()
    z = top - mark["depth"] if sunk else top + OVER
    made.location = body.location
    made.location.z += z * solids.CM
    if sunk:
        solids.carve(body, made)


def _tiles(tiles: Spec, stuff: dict[str, Any]) -> None:
    mark, height = tiles["mark"], tiles["height"]
    letters = solids.Letters(mark["font"], mark["size"], spacing=mark["spacing"])
    thick = 2 * mark["depth"] if mark["how"] == "engraved" else mark["depth"]
    meshes: dict[str, Any] = {}
    for tile in tiles["laid"]:
        slots = [stuff[tile["body"]], stuff[tile["ink"]]]
        body = solids.thing("tile", solids.prism("tile", tiles["outline"], height), slots)
        solids.rounded(body, tiles["round"])
        solids.place(body, tile["x"], tile["y"], tile["z"], tile["angle"])
        bpy.context.view_layer.update()
        if tile["symbol"] is None:
            continue
        if tile["symbol"] not in meshes:
            meshes[tile["symbol"]] = letters.mesh(tile["symbol"], thick)
        mesh = meshes[tile["symbol"]].copy()
        mesh.transform(solids.Matrix.Translation([v * solids.CM for v in (*mark["shift"], 0)]))
        _marked(body, mesh, stuff[tile["ink"]], height, mark)
        if mark["how"] == "engraved" and not solids.carved(body):
            raise RuntimeError(f"nothing could be carved of {tile['symbol']!r} in {mark['font']}")
        if mark["bar"] and tile["symbol"] in "69":
            _marked(body, solids.prism("bar", mark["bar"], max(thick, 0.01)), stuff[tile["ink"]], height, mark)


def _dice(dice: Spec, stuff: dict[str, Any]) -> None:
    """Lay dice: a rounded cube by size and colours, its pips painted or carved."""
    bodies: dict[tuple[str, str], Any] = {}
    spots = solids.pip_places(dice["size"], dice["away"])
    for die in dice["laid"]:
        key = (die["body"], die["pip"])
        if key not in bodies:
            bodies[key] = _die_mesh(dice, spots, [stuff[die["body"]], stuff[die["pip"]]])
        made = solids.thing("die", bodies[key], [])
        solids.with_value_up(made, die["value"], die["angle"], die["x"], die["y"], dice["size"])


def _die_mesh(dice: Spec, spots: dict[int, list[list[float]]], slots: list[Any]) -> Any:
    """Return one die with a one on top, its middle at the origin, made solid for good: all of a colour share it."""
    half = dice["size"] / 2
    square = [(-half, -half), (half, -half), (half, half), (-half, half)]
    mesh = solids.prism("die", square, dice["size"])
    mesh.transform(solids.Matrix.Translation((0, 0, -half * solids.CM)))
    made = solids.thing("die", mesh, slots)
    solids.rounded(made, dice["round"] * dice["size"], steps=6)
    radius = dice["radius"] * dice["size"]
    places = [spot for value in spots for spot in spots[value]]
    radii = [radius * (dice["one"] if value == 1 else 1.0) for value in spots for _ in spots[value]]
    tool = solids.thing("pips", solids.ball_tool(places, radii, dice["deep"], 1), slots)
    solids.carve(made, tool)
    bpy.context.view_layer.update()
    whole = bpy.data.meshes.new_from_object(made.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    bpy.data.objects.remove(made)
    bpy.data.objects.remove(tool)
    solids.smooth(whole)
    return whole


def _disks(disks: Spec, stuff: dict[str, Any]) -> None:
    mark, radius = disks["mark"], disks["radius"]
    letters = solids.Letters(mark["font"], mark["size"], spacing=1.0)
    for disk in disks["laid"]:
        slots = [stuff[disks["body"]], stuff[disks["ink"]]]
        body = solids.thing("disk", solids.prism("disk", solids.circle(radius, 72), disks["height"]), slots)
        solids.rounded(body, disks["round"])
        solids.place(body, disk["x"], disk["y"], 0.0, disk["angle"])
        bpy.context.view_layer.update()
        if disk["symbol"] is not None:
            _marked(body, letters.mesh(disk["symbol"], mark["depth"]), slots[1], disks["height"], mark)
        for x, y in disk["dots"]:
            dot = solids.prism("dot", solids.circle(disks["dot"]), max(mark["depth"], 0.01))
            dot.transform(solids.Matrix.Translation((x * solids.CM, y * solids.CM, 0)))
            _marked(body, dot, slots[1], disks["height"], mark)


if __name__ == "__main__":
    main(*sys.argv[sys.argv.index("--") + 1 :][:2])
