"""Sheets true to scale: a drawing in millimetres, written as PDF or SVG. No library: PDF is text.

Only what mats need: lines, rectangles, circles, polygons and words in Helvetica, which every reader of PDF
has. Origin at the upper left corner, x to the right, y down, everything in millimetres.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

POINTS_A_MM = 72.0 / 25.4
_ROUND = 0.5522847498
"""Handle of the cubic curve that comes nearest to a quarter circle."""
Grey = float
"""0 black, 1 white."""


@dataclass(frozen=True, slots=True)
class Shape:
    """One drawn thing."""

    points: tuple[tuple[float, float], ...]
    closed: bool = True
    radius: float = 0.0
    """A circle around the single point when above zero."""
    stroke: Grey | None = 0.0
    fill: Grey | None = None
    width: float = 0.3
    dash: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text."""

    x: float
    y: float
    """Of the base line."""
    text: str
    size: float = 4.0
    """Height of the letters' body, mm."""
    anchor: str = "start"
    """'start', 'middle' or 'end'."""
    grey: Grey = 0.0


@dataclass(slots=True)
class Sheet:
    """A page of one size; things are added and then it is written."""

    width: float
    height: float
    title: str
    things: list[Shape | Words] = field(default_factory=list)

    def line(
        self, *points: tuple[float, float], width: float = 0.3, dash: tuple[float, ...] = (), grey: Grey = 0.0
    ) -> None:
        """Draw a line through points."""
        self.things.append(Shape(points, closed=False, stroke=grey, width=width, dash=dash))

    def polygon(self, points: Sequence[tuple[float, float]], *, fill: Grey | None = None, **kw: float) -> None:
        """Draw a closed line, filled if so wished."""
        self.things.append(Shape(tuple(points), fill=fill, stroke=kw.get("grey", 0.0), width=kw.get("width", 0.3)))

    def box(
        self,
        x: float,
        y: float,
        w: float,
        h: float,
        *,
        fill: Grey | None = None,
        stroke: Grey | None = 0.0,
        width: float = 0.3,
        dash: tuple[float, ...] = (),
    ) -> None:
        """Draw a rectangle."""
        corners = ((x, y), (x + w, y), (x + w, y + h), (x, y + h))
        self.things.append(Shape(corners, fill=fill, stroke=stroke, width=width, dash=dash))

    def circle(self, x: float, y: float, r: float, *, fill: Grey | None = None, width: float = 0.3) -> None:
        """Draw a circle."""
        self.things.append(Shape(((x, y),), radius=r, fill=fill, width=width))

    def words(
        self, x: float, y: float, text: str, *, size: float = 4.0, anchor: str = "start", grey: Grey = 0.0
    ) -> None:
        """Write a line."""
        self.things.append(Words(x, y, text, size, anchor, grey))


def svg(sheet: Sheet) -> str:
    """Return the sheet as SVG with its true size."""
    size = f'width="{sheet.width:g}mm" height="{sheet.height:g}mm" viewBox="0 0 {sheet.width:g} {sheet.height:g}"'
    body = "\n".join(_svg_thing(thing) for thing in sheet.things)
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n<title>{escape(sheet.title)}</title>\n{body}\n</svg>\n'


def _svg_thing(thing: Shape | Words) -> str:
    if isinstance(thing, Words):
        place = f'x="{thing.x:g}" y="{thing.y:g}" font-size="{thing.size:g}" text-anchor="{thing.anchor}"'
        look = f'font-family="Helvetica, sans-serif" fill="{_css(thing.grey)}"'
        return f"<text {place} {look}>{escape(thing.text)}</text>"
    look = f'fill="{_css(thing.fill)}" stroke="{_css(thing.stroke)}" stroke-width="{thing.width:g}"'
    if thing.dash:
        look += f' stroke-dasharray="{" ".join(f"{d:g}" for d in thing.dash)}"'
    if thing.radius:
        ((x, y),) = thing.points
        return f'<circle cx="{x:g}" cy="{y:g}" r="{thing.radius:g}" {look}/>'
    points = " ".join(f"{x:g},{y:g}" for x, y in thing.points)
    return f'<{"polygon" if thing.closed else "polyline"} points="{points}" {look}/>'


def _css(grey: Grey | None) -> str:
    return "none" if grey is None else f"rgb({', '.join([str(round(255 * grey))] * 3)})"


def pdf(sheets: Sequence[Sheet]) -> bytes:
    """Return sheets as one PDF, a page each, in real size (the printer must not scale: 100 %)."""
    objects: list[bytes] = []
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(sheets)))
    objects.append(b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>")
    objects.append(f"<< /Type /Pages /Kids [{kids}] /Count {len(sheets)} >>".encode())
    objects.append(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
    for n, sheet in enumerate(sheets):
        box = f"[0 0 {sheet.width * POINTS_A_MM:.3f} {sheet.height * POINTS_A_MM:.3f}]"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Contents {5 + 2 * n} 0 R "
            f"/Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        content = _content(sheet)
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
    return _file(objects)


def _file(objects: Sequence[bytes]) -> bytes:
    out, places = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"), []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, table)
    return bytes(out)


def _content(sheet: Sheet) -> bytes:
    # From here on one unit is a millimetre and y runs down, as in the drawing.
    head = f"{POINTS_A_MM:.6f} 0 0 {-POINTS_A_MM:.6f} 0 {sheet.height * POINTS_A_MM:.3f} cm"
    lines = [head, *(_pdf_words(t) if isinstance(t, Words) else _pdf_shape(t) for t in sheet.things)]
    return "\n".join(lines).encode("cp1252", "replace")


def _pdf_shape(shape: Shape) -> str:
    dash = " ".join(f"{d:g}" for d in shape.dash)
    look = [f"{shape.width:g} w [{dash}] 0 d"]
    if shape.stroke is not None:
        look.append(f"{shape.stroke:g} G")
    if shape.fill is not None:
        look.append(f"{shape.fill:g} g")
    paint = {(True, True): "B", (True, False): "S", (False, True): "f", (False, False): "n"}
    kind = paint[shape.stroke is not None, shape.fill is not None]
    return " ".join([*look, _circle(shape) if shape.radius else _path(shape), kind])


def _path(shape: Shape) -> str:
    (x, y), *rest = shape.points
    steps = [f"{x:.3f} {y:.3f} m", *(f"{a:.3f} {b:.3f} l" for a, b in rest)]
    return " ".join([*steps, "h"] if shape.closed else steps)


def _circle(shape: Shape) -> str:
    ((x, y),), r = shape.points, shape.radius
    k = _ROUND * r
    steps = [f"{x + r:.3f} {y:.3f} m"]
    for (ax, ay), (bx, by), (cx, cy) in (
        ((r, k), (k, r), (0, r)),
        ((-k, r), (-r, k), (-r, 0)),
        ((-r, -k), (-k, -r), (0, -r)),
        ((k, -r), (r, -k), (r, 0)),
    ):
        steps.append(f"{x + ax:.3f} {y + ay:.3f} {x + bx:.3f} {y + by:.3f} {x + cx:.3f} {y + cy:.3f} c")
    return " ".join([*steps, "h"])


def _pdf_words(words: Words) -> str:
    wide = width_of(words.text, size=words.size)
    x = words.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[words.anchor] * wide
    text = words.text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"BT {words.grey:g} g /F1 {words.size:g} Tf 1 0 0 -1 {x:.3f} {words.y:.3f} Tm ({text}) Tj ET"


_WIDTHS = dict.fromkeys("ijl", 222) | dict.fromkeys("Ift .,", 278) | {"r": 333, "m": 833, "w": 722}
"""Helvetica's letters that are not about as wide as the others, in thousandths of the size."""


def width_of(text: str, *, size: float) -> float:
    """Return about how wide a line is in Helvetica, mm: near enough to centre it."""
    return sum(_WIDTHS.get(c, 640 if c.isupper() else 530) for c in text) * size / 1000
