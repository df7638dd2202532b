"""Solid bodies as POV-Ray text: meshes of tiles and disks, dice with drilled pips, rims, clutter, a hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from vision.drawing.look import Bgr
from vision.drawing.scene import DrawnDisk, DrawnTile, Hand
from vision.drawing.tiles import tile_outline
from vision.drawing.traced.look import DiceMaterial, TileMaterial
from vision.drawing.traced.pieces import PIPS, TracedDie, die_turn

Array = np.ndarray[Any, np.dtype[Any]]


def vec(values: Iterable[float]) -> str:
    """Return a POV-Ray vector."""
    return "<" + ",".join(f"{v:.5g}" for v in values) + ">"


def srgb(colour: Bgr, *, plus: str = "") -> str:
    """Return a colour given as blue, green, red 0..255 in POV-Ray's words; plus: " filter 0.5" and the like."""
    return f"srgb {vec(v / 255 for v in reversed(colour))}{plus}"


def _mesh(vertices: Array, normals: Array, uv: Array, faces: Array) -> str:
    def rows(points: Array) -> str:
        # As `vec` says each, in one go: thousands of them were a fifth of what is done here for a tray.
        each = "<" + ",".join(["%.5g"] * points.shape[1]) + ">"
        return f"{len(points)}," + ",".join([each] * len(points)) % tuple(points.ravel().tolist())

    return (
        f"mesh2{{vertex_vectors{{{rows(vertices)}}}normal_vectors{{{rows(normals)}}}"
        f"uv_vectors{{{rows(uv)}}}face_indices{{{rows(faces)}}}"
    )


def _slab(rings: Sequence[Array], heights: Sequence[float], slopes: Sequence[float]) -> tuple[Array, Array, Array]:
    """Return vertices, normals and faces of a slab: rings (n, 2) from the ground up, the last one closed by a fan.

    slopes: how far each ring's normal leans from outward (0) to upward (1).
    """
    n = len(rings[0])
    out = rings[0] - rings[0].mean(0)
    edge = np.roll(rings[0], -1, 0) - np.roll(rings[0], 1, 0)
    side = np.c_[-edge[:, 1], edge[:, 0]]
    side *= np.sign((side * out).sum(1, keepdims=True))
    side /= np.linalg.norm(side, axis=1, keepdims=True) + 1e-9
    vertices = [np.c_[ring, np.full(n, z)] for ring, z in zip(rings, heights, strict=True)]
    normals = []
    for slope in slopes:
        lean = np.c_[side * np.cos(slope * np.pi / 2), np.full(n, np.sin(slope * np.pi / 2))]
        normals.append(lean)
    middle = np.append(rings[-1].mean(0), heights[-1])
    k = np.arange(n)
    faces = []
    for level in range(len(rings) - 1):
        a, b = level * n + k, level * n + (k + 1) % n
        faces += [np.c_[a, b, b + n], np.c_[a, b + n, a + n]]
    last = (len(rings) - 1) * n
    faces.append(np.c_[last + k, last + (k + 1) % n, np.full(n, len(rings) * n)])
    return (
        np.vstack([*vertices, middle[None]]),
        np.vstack([*normals, [[0.0, 0.0, 1.0]]]),
        np.vstack(faces),
    )


def _set_down(points: Array, normals: Array, place: tuple[float, float, float], lean: Array, lift: float) -> None:
    """Turn and move a slab to its place in the tray, leaning by two small slopes; changes its arguments."""
    points[:, 2] += points[:, :2] @ lean + lift
    normals[:, :2] -= normals[:, 2:] * lean
    a = np.radians(place[2])
    turn = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    points[:, :2] = points[:, :2] @ turn + place[:2]
    normals[:, :2] = normals[:, :2] @ turn


def tiles_mesh(tiles: Sequence[DrawnTile], material: TileMaterial, uv: Callable[[int, Array], Array],
               rng: np.random.Generator, *, on_others: int = 0) -> str:  # fmt: skip
    """Return one open mesh2 with all tiles (close it with a texture and "}"); uv: see Sheet.uv.

    on_others: so many of the last lie on others.
    """
    t = material.shape
    b = t.bevel_mm
    rings = [tile_outline(t, inset=i) for i in (0.0, 0.0, 0.3 * b, b)]
    heights = [0.0, t.thickness_mm - b, t.thickness_mm - 0.3 * b, t.thickness_mm]
    places = [((p.x_mm, p.y_mm, p.angle_deg), rng.normal(0, 0.004, 2)) for p in tiles]
    return _slabs(rings, heights, places, uv, on_others)


def disks_mesh(disks: Sequence[DrawnDisk], size_mm: float, thickness_mm: float, uv: Callable[[int, Array], Array],
               rng: np.random.Generator, *, on_others: int = 0) -> str:  # fmt: skip
    """Return one open mesh2 with all disks; on_others: so many of the last lie on others."""
    t = np.linspace(0, 2 * np.pi, 49)[:-1]
    circle = np.c_[np.cos(t), np.sin(t)]
    rings = [circle * (size_mm / 2 - i) for i in (0.0, 0.0, 0.15, 0.5)]
    heights = [0.0, thickness_mm - 0.5, thickness_mm - 0.15, thickness_mm]
    places = [((d.x_mm, d.y_mm, d.angle_deg), rng.normal(0, 0.004, 2)) for d in disks]
    return _slabs(rings, heights, places, uv, on_others)


def _slabs(rings: Sequence[Array], heights: Sequence[float],
           places: Sequence[tuple[tuple[float, float, float], Array]],
           uv: Callable[[int, Array], Array], on_others: int) -> str:  # fmt: skip
    vertices, normals, uvs, faces = [], [], [], []
    for k, (place, lean) in enumerate(places):
        points, leans, corners = _slab(rings, heights, (0.0, 0.25, 0.6, 1.0))
        uvs.append(uv(k, points[:, :2]))
        # A hundredth of a millimetre apart, so that two that overlap do not share a plane.
        below = heights[-1] + 0.1 if k >= len(places) - on_others else 0.0
        _set_down(points, leans, place, lean, below + 0.03 + 0.01 * (k % 7))
        faces.append(corners + k * len(points))
        vertices.append(points)
        normals.append(leans)
    return _mesh(np.vstack(vertices), np.vstack(normals), np.vstack(uvs), np.vstack(faces))


def _pip_balls(material: DiceMaterial) -> list[str]:
    """Return the balls that drill the pips, of a die of size 1 around the origin, 1 up."""
    rho = material.pip_radius
    depth = 0.01 * rho if material.lacquered else max(material.pip_depth, 0.06) * rho
    balls = []
    for value, (out, along, up) in die_faces(material.mirrored).items():
        big = material.big_one and value == 1
        r, d = (rho * 1.7, depth * 1.4) if big else (rho, depth)
        radius = (r * r + d * d) / (2 * d)
        # On a face that bulges a flatter ball drills a pip as wide; the flattest is rounder than any bow.
        radius /= 1 - material.bow * radius
        for x, y in PIPS[value]:
            at, normal = _on_face(out, (along * x + up * y) * material.pip_gap, material.bow)
            balls.append(f"sphere{{{vec(at + (radius - d) * normal)},{radius:.5g}}}")
    return balls


def _on_face(out: Array, aside: Array, bow: float) -> tuple[Array, Array]:
    """Return where a face lies (3,), and its normal there, so far aside (3,) from its middle; all over the die's size.

    out: (3,) the normal in its middle. bow: how far it bulges.
    """
    if not bow:
        return out / 2 + aside, out
    normal = out * float(np.sqrt(1 - bow**2 * (aside @ aside))) + bow * aside
    return out * (0.5 - 1 / bow) + normal / bow, normal


def die_faces(mirrored: bool) -> dict[int, tuple[Array, Array, Array]]:
    """Return (outward, along, up) of each face of a die that shows 1; opposite faces sum to seven."""
    x, y, z = np.eye(3) * (1, -1 if mirrored else 1, 1)
    return {1: (z, x, y), 6: (-z, x, y), 2: (x, y, z), 5: (-x, y, z), 3: (y, z, x), 4: (-y, z, x)}


def die_body(material: DiceMaterial) -> str:
    """Return the body of a die of size 1 around the origin, without pips."""
    if not material.bow:
        return _flat_body(material)
    radius = 1 / material.bow
    balls = (f"sphere{{{vec(sign * axis * (0.5 - radius))},{radius:.5g}}}" for axis in np.eye(3) for sign in (1, -1))
    return f"intersection{{{_flat_body(material)}{''.join(balls)}}}"


def _flat_body(material: DiceMaterial) -> str:
    """Return the same with flat faces."""
    if material.form == "cut":
        radius = 0.62 + 0.16 * (1 - material.edge)
        return f"intersection{{box{{-0.5,0.5}}sphere{{0,{radius:.4g}}}}}"
    if material.form == "soft":
        e = 0.1 + 0.16 * material.edge
        return f"superellipsoid{{<{e:.4g},{e:.4g}> scale 0.5}}"
    r = 0.05 + 0.16 * material.edge
    i = 0.5 - r
    parts = [f"box{{{vec(-s)},{vec(s)}}}" for s in (np.eye(3) * r + i)]
    for axis in range(3):
        for a in (-i, i):
            for b in (-i, i):
                low, high = np.insert([a, b], axis, -i), np.insert([a, b], axis, i)
                parts.append(f"cylinder{{{vec(low)},{vec(high)},{r:.4g}}}")
    parts += [f"sphere{{<{x:.4g},{y:.4g},{z:.4g}>,{r:.4g}}}" for x in (-i, i) for y in (-i, i) for z in (-i, i)]
    return ("merge{" if material.finish == "glass" else "union{") + "".join(parts) + "}"


_FINISH = {
    "gloss": "finish{diffuse 0.82 specular 0.5 roughness 0.004 reflection{0,1 fresnel on}conserve_energy}",
    "ivory": "finish{diffuse 0.85 specular 0.28 roughness 0.03 reflection{0,0.35 fresnel on}conserve_energy}",
    "satin": "finish{diffuse 0.87 specular 0.14 roughness 0.09}",
    "pearl": "finish{diffuse 0.8 specular 0.5 roughness 0.01 reflection{0,0.8 fresnel on}conserve_energy}",
    "paint": "finish{diffuse 0.85 specular 0.1 roughness 0.05}",
    "glass": "finish{diffuse 0.35 specular 0.6 roughness 0.003 reflection{0,1 fresnel on}conserve_energy}",
}


def _die_texture(body: Bgr, finish: str) -> str:
    if finish == "glass":
        return f"pigment{{color {srgb(body, plus=' filter 0.62')}}}{_FINISH[finish]}"
    if finish == "pearl":
        pale, dark = (tuple(min(250.0, v * f + p) for v in body) for f, p in ((1.15, 14.0), (0.72, 0.0)))
        marble = (
            f"marble turbulence 0.9 color_map{{[0 color {srgb(dark)}][0.55 color {srgb(body)}][1 color {srgb(pale)}]}}"  # type: ignore[arg-type]
        )
        return f"pigment{{{marble} scale 0.5}}{_FINISH[finish]}"
    return f"pigment{{color {srgb(body)}}}{_FINISH[finish]}"


def dice_text(dice: Sequence[TracedDie], material: DiceMaterial) -> str:
    """Return all dice."""
    if not dice:
        return ""
    out = [f"#declare DieBody={die_body(material)};", f"#declare DiePips=union{{{''.join(_pip_balls(material))}}};"]
    for name, body in material.bodies.items():
        finish = _FINISH[material.finish if material.lacquered else "paint"]
        pip = f"texture{{pigment{{color {srgb(material.pip[name])}}}{finish}}}"
        out.append(
            f"#declare Die_{name}=difference{{object{{DieBody}}object{{DiePips {pip}}}"
            f"texture{{{_die_texture(body, material.finish)}}}interior{{ior 1.48}}}}"
        )
    for die in dice:
        turn = die_turn(die, material.mirrored)
        rows = ",".join(f"{v:.6g}" for v in [*turn.T.ravel(), 0, 0, 0])
        at = die.middle_mm(material.size_mm)
        out.append(
            f"object{{Die_{die.colour} matrix<{rows}> scale {die.side_mm(material.size_mm):.4f} translate {vec(at)}}}"
        )
    return "\n".join(out)


def rim_text(tray_mm: tuple[float, float], width: float, height: float, material: str, floor_mm: float,
             rng: np.random.Generator) -> str:  # fmt: skip
    """Return the four bars around the felt."""
    x, y, w = tray_mm[0] / 2, tray_mm[1] / 2, width
    r = min(w, height) * float(rng.uniform(0.1, 0.35))
    bars = []
    for sign in (-1, 1):
        bars.append(_bar((-x - w, x + w), sign * (y + w / 2), w, floor_mm, height, r, turned=False))
        bars.append(_bar((-y, y), sign * (x + w / 2), w, floor_mm, height, r, turned=True))
    return f"union{{{''.join(bars)}texture{{{_rim_texture(material, rng)}}}interior{{ior 1.45}}}}"


def _bar(span: tuple[float, float], at: float, w: float, low: float, high: float, r: float, *, turned: bool) -> str:
    a, b = span[0] + 0.01, span[1] - 0.01
    text = (
        f"box{{<{a:.3f},{-w / 2:.3f},{low:.3f}>,<{b:.3f},{w / 2:.3f},{high - r:.3f}>}}"
        f"box{{<{a:.3f},{-w / 2 + r:.3f},{high - r:.3f}>,<{b:.3f},{w / 2 - r:.3f},{high:.3f}>}}"
        f"cylinder{{<{a:.3f},{-w / 2 + r:.3f},{high - r:.3f}>,<{b:.3f},{-w / 2 + r:.3f},{high - r:.3f}>,{r:.3f}}}"
        f"cylinder{{<{a:.3f},{w / 2 - r:.3f},{high - r:.3f}>,<{b:.3f},{w / 2 - r:.3f},{high - r:.3f}>,{r:.3f}}}"
    )
    moved = f"rotate <0,0,90> translate <{at:.3f},0,0>" if turned else f"translate <0,{at:.3f},0>"
    return f"union{{{text}{moved}}}"


def _rim_texture(material: str, rng: np.random.Generator) -> str:
    shine = "finish{diffuse 0.85 specular 0.25 roughness 0.03}"
    if material in ("wood", "darkwood"):
        pale: Bgr = (78, 122, 164) if material == "wood" else (34, 42, 62)
        dark = tuple(v * 0.72 for v in pale)
        grain = f"wood turbulence 0.06 color_map{{[0 color {srgb(pale)}][1 color {srgb(dark)}]}}"  # type: ignore[arg-type]
        return f"pigment{{{grain} rotate <0,86,0> scale <60,2.2,2.2>}}{shine}"
    if material == "leather":
        return f"pigment{{color {srgb((38, 40, 58))}}}normal{{bumps 0.5 scale 1.4}}{shine}"
    if material == "metal":
        return (
            f"pigment{{color {srgb((176, 178, 180))}}}finish{{diffuse 0.5 specular 0.7 roughness 0.02 reflection 0.12}}"
        )
    grey: Bgr = (30, 28, 28) if material == "plastic_black" else (222, 224, 224)
    colour = grey if material.startswith("plastic") else tuple(float(v) for v in rng.uniform(20, 220, 3))
    return f"pigment{{color {srgb(colour)}}}finish{{diffuse 0.85 specular 0.4 roughness 0.015}}"  # type: ignore[arg-type]


def clutter_text(count: int, tray_mm: tuple[float, float], floor_mm: float, rng: np.random.Generator) -> str:
    """Return things that lie beside the tray: cards, sheets, a telephone, pencils, a cup, a ball, a lamp's foot."""
    makers = (_card, _sheet, _telephone, _pencil, _cup, _ball, _stand)
    half = np.array(tray_mm) / 2 + 26
    out = []
    for k in rng.permutation(len(makers))[:count]:
        side = int(rng.integers(4))
        at = rng.uniform(-1.2, 1.2, 2) * half
        at[side % 2] = (1 if side < 2 else -1) * (half[side % 2] + rng.uniform(75, 170))
        body = makers[int(k)](rng)
        turn = rng.uniform(0, 360)
        out.append(f"union{{{body} rotate <0,0,{turn:.1f}> translate {vec([*at, floor_mm + 0.1])}}}")
    return "\n".join(out)


def _any(rng: np.random.Generator) -> str:
    return srgb(tuple(float(v) for v in rng.uniform(15, 235, 3)))  # type: ignore[arg-type]


def _card(rng: np.random.Generator) -> str:
    plain = "finish{diffuse 0.85 specular 0.2 roughness 0.02}"
    return (
        f"box{{<-30,-44,0>,<30,44,0.4> pigment{{color {srgb((225, 230, 232))}}}{plain}}}"
        f"box{{<-26,-40,0>,<26,40,0.55> pigment{{color {_any(rng)}}}{plain}}}"
    )


def _sheet(rng: np.random.Generator) -> str:
    lines = f"gradient y color_map{{[0 color {srgb((232, 234, 234))}][0.9 color {srgb((232, 234, 234))}]" + (
        f"[0.9 color {srgb((190, 160, 140))}]}} scale 7"
    )
    return f"box{{<-52,-74,0>,<52,74,0.6> pigment{{{lines}}}finish{{diffuse 0.9}}}}"


def _telephone(rng: np.random.Generator) -> str:
    gloss = "finish{diffuse 0.5 specular 0.6 roughness 0.005 reflection{0,1 fresnel on}}"
    return f"box{{<-36,-74,0>,<36,74,8> pigment{{color {srgb((26, 24, 22))}}}{gloss} interior{{ior 1.5}}}}"


def _pencil(rng: np.random.Generator) -> str:
    return (
        f"cylinder{{<-80,0,3.5>,<80,0,3.5>,3.5 pigment{{color {_any(rng)}}}"
        "finish{diffuse 0.8 specular 0.3 roughness 0.02}}"
        f"cone{{<80,0,3.5>,3.5,<98,0,3.5>,0.6 pigment{{color {srgb((140, 180, 210))}}}}}"
    )


def _cup(rng: np.random.Generator) -> str:
    colour = _any(rng)
    return (
        f"difference{{cylinder{{0,<0,0,86>,38}}cylinder{{<0,0,6>,<0,0,90>,34}}"
        f"pigment{{color {colour}}}finish{{diffuse 0.8 specular 0.5 roughness 0.01}}}}"
        f"cylinder{{<0,0,40>,<0,0,70>,34 pigment{{color {srgb((14, 26, 44))}}}finish{{diffuse 0.7 reflection 0.03}}}}"
    )


def _ball(rng: np.random.Generator) -> str:
    return f"sphere{{<0,0,12>,12 pigment{{color {_any(rng)}}}finish{{diffuse 0.85 specular 0.4 roughness 0.02}}}}"


def _stand(rng: np.random.Generator) -> str:
    dull = "finish{diffuse 0.7 specular 0.3 roughness 0.03}"
    return f"cylinder{{0,<0,0,330>,9 pigment{{color {srgb((26, 26, 28))}}}{dull}}}"


def hand_bones(hand: Hand) -> list[tuple[Array, Array, float]]:
    """Return the hand's rods: (from, to, radius), millimetres of the tray."""
    rng = np.random.default_rng(hand.seed)
    a = np.radians(hand.angle_deg)
    ahead, aside = np.array([np.cos(a), np.sin(a), 0]), np.array([-np.sin(a), np.cos(a), 0])
    if rng.random() < 0.5:
        aside = -aside
    up = np.array([0, 0, 1.0])
    palm = np.array([hand.x_mm, hand.y_mm, rng.uniform(24, 60)])
    bones = [(palm + aside * s - ahead * 34, palm + aside * s * 1.15 + ahead * 34, 17.0) for s in (-24, -8, 8, 24)]
    length = (62, 76, 82, 72)
    for k, s in enumerate((-31, -11, 10, 30)):
        spread = rng.normal(0, 0.06) + s / 260
        way = ahead * np.cos(spread) + aside * np.sin(spread)
        knuckle = palm + aside * s + ahead * 40
        curl = rng.uniform(0.15, 0.75)
        joint = knuckle + way * length[k] * 0.52 - up * 6
        tip = joint + way * length[k] * 0.48 * np.cos(curl) - up * length[k] * 0.4 * np.sin(curl)
        bones += [(knuckle, joint, 9.6), (joint, tip, 8.2)]
    thumb = palm - ahead * 12 + aside * 36
    bend = thumb + aside * 22 + ahead * 26
    bones += [
        (palm - ahead * 26 + aside * 18, thumb, 14.0),
        (thumb, bend, 10.5),
        (bend, bend + ahead * 24 + aside * 6, 9.0),
    ]
    elbow = palm - ahead * 330 + up * 40
    bones.append((palm - ahead * 40, elbow, 27.0))
    return bones


def hand_text(hand: Hand) -> str:
    """Return a hand with its fore-arm, perhaps in a sleeve."""
    rng = np.random.default_rng([hand.seed, 1])
    skins: tuple[Bgr, ...] = ((120, 150, 200), (96, 128, 184), (70, 98, 148), (44, 62, 96), (140, 172, 218))
    skin = skins[int(rng.integers(5))]
    bones = hand_bones(hand)
    rods = "".join(f"cylinder{{{vec(a)},{vec(b)},{r * 1.75:.3f},1}}" for a, b, r in bones)
    flesh = (
        f"pigment{{color {srgb(skin)}}}normal{{bumps 0.15 scale 2}}finish{{diffuse 0.85 specular 0.12 roughness 0.05}}"
    )
    text = f"blob{{threshold 0.45 {rods}texture{{{flesh}}}}}"
    if rng.random() < 0.55:
        wrist, elbow, _ = bones[-1]
        start = wrist + (elbow - wrist) * rng.uniform(0.12, 0.4)
        text += f"cone{{{vec(start)},36,{vec(elbow)},46 pigment{{color {_any(rng)}}}normal{{bumps 0.7 scale 9}}}}"
    return text
