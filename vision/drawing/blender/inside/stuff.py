"""Materials: plastic, wood, marble, glass, metal, felt, paper. Colours are linear red, green, blue, 0 to 1."""

from __future__ import annotations

from typing import Any

import bpy

Spec = dict[str, Any]


def material(name: str, spec: Spec) -> Any:
    """Return a material: its kind and colour, and what else its kind knows (see the functions below)."""
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    tree = made.node_tree
    shader = tree.nodes["Principled BSDF"]
    put(shader, ("Base Color",), (*spec["colour"], 1.0))
    put(shader, ("Roughness",), spec.get("rough", 0.4))
    put(shader, ("Coat Weight", "Clearcoat"), spec.get("coat", 0.0))
    KINDS[spec["kind"]](tree, shader, spec)
    return made


def put(node: Any, names: tuple[str, ...], value: Any) -> None:
    """Set the first input that this Blender has of the names: they changed from one version to the next."""
    for name in names:
        if name in node.inputs:
            node.inputs[name].default_value = value
            return
    raise KeyError(f"{node.name} has none of {', '.join(names)}")


def _plain(tree: Any, shader: Any, spec: Spec) -> None:
    if spec.get("depth", 0.0):
        put(shader, ("Subsurface Weight", "Subsurface"), spec["depth"])
        put(shader, ("Subsurface Radius",), (0.08, 0.06, 0.05))


def _metal(tree: Any, shader: Any, spec: Spec) -> None:
    put(shader, ("Metallic",), 1.0)


def _glass(tree: Any, shader: Any, spec: Spec) -> None:
    put(shader, ("Transmission Weight", "Transmission"), spec.get("clear", 1.0))
    put(shader, ("IOR",), 1.49)


def _wood(tree: Any, shader: Any, spec: Spec) -> None:
    """Rings of a tree, cut at an angle: `grain` waves a centimetre, `vein` of a second colour."""
    place = _place(tree, spec, stretch=(0.12, 1.0, 1.0))
    wave = tree.nodes.new("ShaderNodeTexWave")
    put(wave, ("Scale",), spec.get("grain", 2.0))
    put(wave, ("Distortion",), 6.0)
    put(wave, ("Detail",), 3.0)
    tree.links.new(place, wave.inputs["Vector"])
    _mixed(tree, shader, wave.outputs["Fac"], spec)


def _marble(tree: Any, shader: Any, spec: Spec) -> None:
    """Clouds and veins of a second colour, `vein`, through the body."""
    place = _place(tree, spec)
    noise = tree.nodes.new("ShaderNodeTexNoise")
    put(noise, ("Scale",), spec.get("grain", 1.5))
    put(noise, ("Detail",), 6.0)
    put(noise, ("Distortion",), 2.0)
    tree.links.new(place, noise.inputs["Vector"])
    _mixed(tree, shader, noise.outputs["Fac"], spec)


def _felt(tree: Any, shader: Any, spec: Spec) -> None:
    """Fibres as fine bumps and as specks of lighter and darker colour, larger clouds where it was brushed."""
    place = _place(tree, spec)
    fine, cloud = tree.nodes.new("ShaderNodeTexNoise"), tree.nodes.new("ShaderNodeTexNoise")
    put(fine, ("Scale",), spec.get("grain", 12.0))
    put(fine, ("Detail",), 8.0)
    put(cloud, ("Scale",), 0.25)
    put(cloud, ("Detail",), 2.0)
    both = tree.nodes.new("ShaderNodeMath")
    both.operation = "MULTIPLY"
    for noise, socket in ((fine, 0), (cloud, 1)):
        tree.links.new(place, noise.inputs["Vector"])
        tree.links.new(noise.outputs["Fac"], both.inputs[socket])
    ramp = _mixed(tree, shader, both.outputs[0], spec)
    ramp.elements[0].position, ramp.elements[1].position = 0.05, 0.5
    bump = tree.nodes.new("ShaderNodeBump")
    put(bump, ("Strength",), spec.get("nap", 0.3))
    put(bump, ("Distance",), 0.03)
    tree.links.new(fine.outputs["Fac"], bump.inputs["Height"])
    tree.links.new(bump.outputs["Normal"], shader.inputs["Normal"])
    put(shader, ("Sheen Weight", "Sheen"), spec.get("sheen", 0.3))
    put(shader, ("Specular IOR Level", "Specular"), 0.1)


def _image(tree: Any, shader: Any, spec: Spec) -> None:
    """Something printed: `file` over the unit square of the mesh's UV."""
    image = tree.nodes.new("ShaderNodeTexImage")
    image.image = bpy.data.images.load(spec["file"])
    image.interpolation = "Closest"
    tree.links.new(image.outputs["Color"], shader.inputs["Base Color"])


def _place(tree: Any, spec: Spec, stretch: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> Any:
    """Return coordinates for a texture, another place in it for each object if the spec says `each`."""
    at = tree.nodes.new("ShaderNodeTexCoord")
    moved = tree.nodes.new("ShaderNodeMapping")
    moved.inputs["Scale"].default_value = stretch
    moved.inputs["Rotation"].default_value = (0.1, 0.15, spec.get("turn", 0.0))
    tree.links.new(at.outputs["Object"], moved.inputs["Vector"])
    if spec.get("each"):
        info = tree.nodes.new("ShaderNodeObjectInfo")
        far = tree.nodes.new("ShaderNodeMath")
        far.operation = "MULTIPLY"
        far.inputs[1].default_value = 100.0
        tree.links.new(info.outputs["Random"], far.inputs[0])
        tree.links.new(far.outputs[0], moved.inputs["Location"])
    return moved.outputs["Vector"]


def _mixed(tree: Any, shader: Any, share: Any, spec: Spec) -> Any:
    """Give the shader a colour between those of the spec; return the ramp between them."""
    ramp = tree.nodes.new("ShaderNodeValToRGB")
    ramp.color_ramp.elements[0].color = (*spec["colour"], 1.0)
    ramp.color_ramp.elements[1].color = (*spec.get("vein", spec["colour"]), 1.0)
    tree.links.new(share, ramp.inputs["Fac"])
    tree.links.new(ramp.outputs["Color"], shader.inputs["Base Color"])
    return ramp.color_ramp


KINDS = {"plain": _plain, "metal": _metal, "glass": _glass, "wood": _wood, "marble": _marble, "felt": _felt,
         "image": _image}  # fmt: skip
