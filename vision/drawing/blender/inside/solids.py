"""Bodies, in centimetres (Cycles tells near from far best at such sizes); what is told comes in millimetres."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin
from typing import Any

import bmesh
import bpy
from mathutils import Matrix

CM = 0.1
Points = Sequence[Sequence[float]]
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    6: ((-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)),
}
SIDES = {1: (0, 0), 6: (pi, 0), 2: (pi / 2, 0), 5: (-pi / 2, 0), 3: (0, pi / 2), 4: (0, -pi / 2)}
"""How the side of each value is turned away from the top, about x and y."""


def thing(name: str, mesh: Any, materials: Sequence[Any]) -> Any:
    """Put a mesh on the stage with its materials."""
    made = bpy.data.objects.new(name, mesh)
    for one in materials:
        mesh.materials.append(one)
    bpy.context.collection.objects.link(made)
    return made


def place(made: Any, x: float, y: float, z: float, angle_deg: float = 0.0) -> Any:
    """Move a thing to millimetres of the tray and turn it about the vertical."""
    made.location = (x * CM, y * CM, z * CM)
    made.rotation_euler = (0, 0, angle_deg * pi / 180)
    return made


def prism(name: str, outline: Points, height: float) -> Any:
    """Return the mesh of an outline, counter-clockwise in mm, raised by `height` from z = 0."""
    mesh, form = bpy.data.meshes.new(name), bmesh.new()
    low, high = ([form.verts.new((x * CM, y * CM, z * CM)) for x, y in outline] for z in (0.0, height))
    form.faces.new(low[::-1])
    form.faces.new(high)
    for k in range(len(low)):
        form.faces.new((low[k - 1], low[k], high[k], high[k - 1]))
    bmesh.ops.recalc_face_normals(form, faces=form.faces[:])
    form.to_mesh(mesh)
    form.free()
    return mesh


def rounded(made: Any, width: float, *, steps: int = 3) -> None:
    """Round the edges of a thing, `width` in mm, and shade it smoothly where it is round."""
    if width > 0:
        bevel = made.modifiers.new("round", "BEVEL")
        bevel.width, bevel.segments, bevel.limit_method, bevel.angle_limit = width * CM, steps, "ANGLE", 0.9
        bevel.harden_normals = False
    smooth(made.data)


def smooth(mesh: Any) -> None:
    """Shade a mesh smoothly but for its sharp edges."""
    for face in mesh.polygons:
        face.use_smooth = True
    if hasattr(mesh, "use_auto_smooth"):
        mesh.use_auto_smooth, mesh.auto_smooth_angle = True, 0.6
    else:
        mesh.set_sharp_from_angle(angle=0.6)


def circle(radius: float, points: int = 48) -> list[tuple[float, float]]:
    """Return the outline of a circle."""
    return [(radius * cos(2 * pi * k / points), radius * sin(2 * pi * k / points)) for k in range(points)]


def sheet(name: str, corners: Points, z: float) -> Any:
    """Return a flat square with UV, its corners top left, top right, bottom right, bottom left."""
    mesh, form = bpy.data.meshes.new(name), bmesh.new()
    face = form.faces.new([form.verts.new((x * CM, y * CM, z * CM)) for x, y in reversed(corners)])
    uv = form.loops.layers.uv.new("print")
    for loop, at in zip(face.loops, ((0, 0), (1, 0), (1, 1), (0, 1)), strict=True):
        loop[uv].uv = at
    form.to_mesh(mesh)
    form.free()
    return mesh


class Letters:
    """Symbols of one font as flat or solid meshes, all to the scale at which a 0 is `height` mm high."""

    def __init__(self, font: str | None, height: float, *, spacing: float = 1.0) -> None:
        """Load a font's file, or take Blender's own for None."""
        self._font = bpy.data.fonts.load(font) if font else None
        self._wide = spacing
        low, high = self._box(self.mesh("0", 0.0, scale=1.0))
        self._scale = height * CM / (high[1] - low[1])
        self._middle = (low[1] + high[1]) / 2

    @staticmethod
    def _box(mesh: Any) -> tuple[list[float], list[float]]:
        places = [v.co for v in mesh.vertices]
        return [min(p[k] for p in places) for k in range(2)], [max(p[k] for p in places) for k in range(2)]

    def mesh(self, symbol: str, thickness: float, *, scale: float | None = None) -> Any:
        """Return a symbol around the middle of a 0, from z = 0 up to `thickness` mm (0 for a sheet)."""
        curve = bpy.data.curves.new("letters", "FONT")
        curve.body, curve.size, curve.resolution_u = symbol, 1.0, 4
        if self._font is not None:
            curve.font = self._font
        size = self._scale if scale is None else scale
        curve.extrude = thickness * CM / 2 / size
        helper = bpy.data.objects.new("letters", curve)
        bpy.context.collection.objects.link(helper)
        mesh = bpy.data.meshes.new_from_object(helper.evaluated_get(bpy.context.evaluated_depsgraph_get()))
        bpy.data.objects.remove(helper)
        _closed(mesh)
        if scale is None:
            low, high = self._box(mesh)
            shift = Matrix.Translation((-(low[0] + high[0]) / 2, -self._middle, thickness * CM / 2 / size))
            mesh.transform(Matrix.Diagonal((size * self._wide, size, size, 1)) @ shift)
        return mesh


def _closed(mesh: Any) -> None:
    """Join the caps of letters with their walls, which Blender leaves apart: only what is closed can carve."""
    form = bmesh.new()
    form.from_mesh(mesh)
    bmesh.ops.remove_doubles(form, verts=form.verts[:], dist=1e-5)
    bmesh.ops.recalc_face_normals(form, faces=form.faces[:])
    form.to_mesh(mesh)
    form.free()


def carve(body: Any, tool: Any) -> None:
    """Take what a tool covers out of a body; the walls show the tool's materials."""
    cut = body.modifiers.new("carve", "BOOLEAN")
    cut.operation, cut.object, cut.solver = "DIFFERENCE", tool, "EXACT"
    # Letters of some fonts touch themselves: a 4 would lose its eye.
    cut.use_self = True
    tool.hide_render = True
    tool.hide_viewport = True


def carved(body: Any) -> bool:
    """Return whether the floor of what was carved is there, in the body's second material: a solver may give up."""
    bpy.context.view_layer.update()
    seen = body.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = seen.to_mesh()
    floor = any(face.material_index == 1 and face.normal.z > 0.9 for face in mesh.polygons)
    seen.to_mesh_clear()
    return floor


def ball_tool(spots: Points, radii: Sequence[float], deep: float, slot: int) -> Any:
    """Return balls at (x, y, z) mm as one mesh that carves with material number `slot`. deep: share of a radius."""
    form = bmesh.new()
    for spot, radius in zip(spots, radii, strict=True):
        # A flat cap of this radius belongs to a larger ball whose middle lies above the surface.
        ball = (radius * radius + (deep * radius) ** 2) / (2 * deep * radius)
        up = ball - deep * radius
        length = sum(v * v for v in spot[3:]) ** 0.5
        at = [(p + n / length * up) * CM for p, n in zip(spot[:3], spot[3:], strict=True)]
        bmesh.ops.create_uvsphere(form, u_segments=32, v_segments=24, radius=ball * CM, matrix=Matrix.Translation(at))
    mesh = bpy.data.meshes.new("balls")
    form.to_mesh(mesh)
    form.free()
    for face in mesh.polygons:
        face.material_index = slot
        face.use_smooth = True
    return mesh


def pip_places(size: float, away: float) -> dict[int, list[list[float]]]:
    """Return where the pips of each side of a die lie, with the direction that side looks in: six numbers each."""
    found = {}
    for value, (about_x, about_y) in SIDES.items():
        turn = Matrix.Rotation(about_x, 3, "X") @ Matrix.Rotation(about_y, 3, "Y")
        spots = [turn @ _vector(x * away * size, y * away * size, size / 2)
                 for x, y in PIPS[value]]  # fmt: skip
        normal = turn @ _vector(0, 0, 1)
        found[value] = [[*spot, *normal] for spot in spots]
    return found


def _vector(x: float, y: float, z: float) -> Any:
    return Matrix.Translation((x, y, z)).to_translation()


def with_value_up(made: Any, value: int, angle_deg: float, x: float, y: float, size: float) -> None:
    """Lay a die so that a value is on top."""
    about_x, about_y = SIDES[value]
    turn = (Matrix.Rotation(about_x, 3, "X") @ Matrix.Rotation(about_y, 3, "Y")).inverted()
    spin = Matrix.Rotation(angle_deg * pi / 180, 3, "Z")
    made.matrix_world = Matrix.Translation((x * CM, y * CM, size * CM / 2)) @ (spin @ turn).to_4x4()
