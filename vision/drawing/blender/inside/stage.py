"""Lamps, room and camera, and how finely all is traced."""

from __future__ import annotations

from math import atan
from typing import Any

import bpy
from mathutils import Matrix, Vector

CM = 0.1
Spec = dict[str, Any]


def lamp(number: int, spec: Spec) -> None:
    """Hang a lamp: kind AREA, POINT, SPOT or SUN, `at` and `towards` in mm, `size` in mm, `power`, `colour`."""
    data = bpy.data.lights.new(f"lamp{number}", spec["kind"])
    data.color, data.energy = spec["colour"], spec["power"]
    if spec["kind"] == "AREA":
        data.shape, data.size, data.size_y = "RECTANGLE", spec["size"][0] * CM, spec["size"][1] * CM
    elif spec["kind"] == "SUN":
        data.angle = spec["size"][0]
    else:
        data.shadow_soft_size = spec["size"][0] * CM
    if spec["kind"] == "SPOT":
        data.spot_size, data.spot_blend = spec["cone"], 0.6
    made = bpy.data.objects.new(f"lamp{number}", data)
    made.location = [v * CM for v in spec["at"]]
    made.rotation_euler = (Vector(spec["towards"]) - Vector(spec["at"])).to_track_quat("-Z", "Y").to_euler()
    bpy.context.collection.objects.link(made)


def room(spec: Spec) -> None:
    """Fill the room with light: `colour` and `strength`, more of it from one side (`uneven`, 0 to 1)."""
    world = bpy.context.scene.world
    world.use_nodes = True
    tree = world.node_tree
    back = tree.nodes["Background"]
    back.inputs["Strength"].default_value = spec["strength"]
    noise, at = tree.nodes.new("ShaderNodeTexNoise"), tree.nodes.new("ShaderNodeTexCoord")
    noise.inputs["Scale"].default_value = spec["patches"]
    ramp = tree.nodes.new("ShaderNodeValToRGB")
    dark = [v * (1 - spec["uneven"]) for v in spec["colour"]]
    ramp.color_ramp.elements[0].color = (*dark, 1.0)
    ramp.color_ramp.elements[1].color = (*spec["colour"], 1.0)
    ramp.color_ramp.elements[0].position, ramp.color_ramp.elements[1].position = 0.4, 0.6
    tree.links.new(at.outputs["Generated"], noise.inputs["Vector"])
    tree.links.new(noise.outputs["Fac"], ramp.inputs["Fac"])
    tree.links.new(ramp.outputs["Color"], back.inputs["Color"])


def camera(spec: Spec) -> None:
    """Hang the camera: `focal_px`, `rotation` (rows: right, down, forward) and `at` in mm."""
    data = bpy.data.cameras.new("camera")
    data.sensor_fit, data.sensor_width = "HORIZONTAL", 36.0
    data.angle = 2 * atan(spec["size"][0] / 2 / spec["focal_px"])
    data.clip_end = 1000.0
    made = bpy.data.objects.new("camera", data)
    right, down, forward = (Vector(row) for row in spec["rotation"])
    turn = Matrix((right, -down, -forward)).transposed()
    made.matrix_world = Matrix.Translation([v * CM for v in spec["at"]]) @ turn.to_4x4()
    bpy.context.collection.objects.link(made)
    bpy.context.scene.camera = made


def render(spec: Spec, out: str) -> None:
    """Trace the stage into files of linear light (Radiance HDR).

    OUT holds the `window` alone (left, bottom, right, top, shares of the frame), beside it COARSE-OUT the whole frame
    at half its size and a third of the rays: what lies around a tray is of little use and half the time.
    """
    scene = _traced(spec)
    folder, name = out.rpartition("/")[::2]
    scene.cycles.samples, scene.render.resolution_percentage = max(1, spec["samples"] // 3), 50
    scene.render.filepath = f"{folder}/coarse-{name}"
    bpy.ops.render.render(write_still=True)
    scene.cycles.samples, scene.render.resolution_percentage = spec["samples"], 100
    scene.render.use_border = scene.render.use_crop_to_border = True
    edges = ("border_min_x", "border_min_y", "border_max_x", "border_max_y")
    for edge, at in zip(edges, spec["window"], strict=True):
        setattr(scene.render, edge, at)
    scene.render.filepath = out
    bpy.ops.render.render(write_still=True)


def _traced(spec: Spec) -> Any:
    """Return the scene, set up for Cycles."""
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.render.threads_mode, scene.render.threads = "FIXED", spec["threads"]
    scene.render.resolution_x, scene.render.resolution_y = spec["size"]
    scene.render.filter_size = 1.2
    cycles = scene.cycles
    cycles.seed = spec["seed"]
    # Noise stays, as it does in a sensor; and not every Blender could take it away (Debian's cannot).
    cycles.use_denoising = False
    cycles.use_adaptive_sampling, cycles.adaptive_threshold = True, 0.02
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 10, 1, 2
    cycles.transmission_bounces, cycles.sample_clamp_indirect = 8, 3.0
    scene.view_settings.view_transform = "Standard"
    scene.render.image_settings.file_format = "HDR"
    return scene
