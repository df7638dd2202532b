"""The nets of tiles written so that cv2.dnn takes its quick way: what they say is the same but for rounding.

OpenCV's convolutions of 3 x 3 are some three times as quick by Winograd's way (Lavin and Gray 2016), but it goes that
way only for maps of 12 x 12 and more. Crops of tiles end in maps of 12 x 10 and 6 x 5. Laid side by side, with a column
of zeros after each and as many rows of zeros below as it takes, those of a tray are one wide map. Of few crops at once,
and of one above all, it is no quicker: the nets of dice and disks, which mostly read few, stay as they are.

`python -m vision.training.side_by_side MODEL.onnx [...]` rewrites exported models in place; what is written so already
stays as it is.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

try:
    import onnx
    from google.protobuf.message import DecodeError
    from onnx import helper, numpy_helper, shape_inference
except ModuleNotFoundError as missing:
    if __name__ != "__main__":
        raise
    print(
        f"vision.training.side_by_side: {missing.name} is not installed; it needs: pip install '.[training]'",
        file=sys.stderr,
    )
    sys.exit(2)

LEAST = 12
"""Rows and columns from which OpenCV takes the quick way: 4.10 to 5.0, by the time that its layers take."""


def side_by_side(model: onnx.ModelProto) -> onnx.ModelProto:
    """Return the model with its small maps side by side wherever a convolution of 3 x 3 leaves their size as it is."""
    out = onnx.ModelProto()
    out.CopyFrom(model)
    known = shape_inference.infer_shapes(model).graph
    sizes = {v.name: _size(v) for v in (*known.input, *known.value_info)}
    readers = {name: node for node in out.graph.node for name in node.input}
    nodes: list[Any] = []
    for node in list(out.graph.node):
        size = sizes.get(node.input[0]) if _keeps_size(node) else None
        after = readers.get(node.output[0])
        if size is None or min(size) >= LEAST or after is None or after.op_type != "Relu":
            nodes.append(node)
        else:
            nodes += _laid_out(out.graph, node, after, size)
    kept = [onnx.NodeProto.FromString(node.SerializeToString()) for node in nodes]
    del out.graph.node[:], out.graph.value_info[:]
    out.graph.node.extend(kept)
    onnx.checker.check_model(out)
    return out


def rewrite(path: Path) -> None:
    """Rewrite an exported model in place."""
    onnx.save(side_by_side(onnx.load(path)), path)


def _keeps_size(node: Any) -> bool:
    """Return whether a node is a convolution of 3 x 3 in steps of one with a border of one."""
    of = {a.name: list(a.ints) for a in node.attribute}
    plain = of.get("strides") == [1, 1] and of.get("dilations") == [1, 1] and of.get("pads") == [1] * 4
    return node.op_type == "Conv" and of.get("kernel_shape") == [3, 3] and plain


def _size(value: Any) -> tuple[int, int] | None:
    """Return rows and columns of a batch of maps; None where they are not known beforehand, or it is none."""
    sizes = [d.dim_value if d.HasField("dim_value") else 0 for d in value.type.tensor_type.shape.dim]
    return (sizes[2], sizes[3]) if len(sizes) == 4 and min(sizes[2:]) > 0 else None


def _laid_out(graph: Any, node: Any, active: Any, size: tuple[int, int]) -> list[Any]:
    """Return the nodes for a convolution and its activation, with their batch of maps laid side by side.

    The activation becomes one of those that are returned, and passes on what it did under another name.
    """
    (high, wide), name = size, node.output[0]
    (out, channels), tall = _weights(graph, node)[:2], max(high, LEAST)
    nodes: list[Any] = []

    def add(kind: str, source: str, *numbers: Sequence[int], called: str, **settings: Any) -> str:
        inputs = [source, *(f"{called}/{k}" for k in range(len(numbers)))]
        for title, given in zip(inputs[1:], numbers, strict=True):
            graph.initializer.append(numpy_helper.from_array(np.array(given, np.int64), title))
        nodes.append(helper.make_node(kind, inputs, [called], name=called, **settings))
        return called

    padded = add("Pad", node.input[0], [0, 0, 0, 0, 0, 0, tall - high, 1], called=f"{name}/padded")
    turned = add("Transpose", padded, called=f"{name}/turned", perm=[1, 2, 0, 3])
    node.input[0] = add("Reshape", turned, [1, channels, tall, -1], called=f"{name}/wide")
    shown = helper.make_node("Relu", [name], [f"{name}/active"], name=active.name)
    nodes += [node, shown]
    apart = add("Reshape", shown.output[0], [out, tall, -1, wide + 1], called=f"{name}/apart")
    cut = add("Slice", apart, [0, 0], [high, wide], [1, 3], called=f"{name}/cut")
    # In the old activation's place, so that whoever reads its output finds it.
    active.op_type, active.input[0], active.name = "Transpose", cut, f"{name}/back"
    active.attribute.append(helper.make_attribute("perm", [2, 0, 1, 3]))
    return nodes


def _weights(graph: Any, node: Any) -> list[int]:
    """Return the shape of a convolution's weights: outputs, inputs, rows, columns."""
    return next(list(w.dims) for w in graph.initializer if w.name == node.input[1])


def main(argv: Sequence[str] | None = None) -> int:
    """Rewrite models in place; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m vision.training.side_by_side", description=__doc__.split("\n")[0])
    parser.add_argument("models", type=Path, nargs="+")
    for path in parser.parse_args(argv).models:
        try:
            rewrite(path)
        except (OSError, ValueError, DecodeError, onnx.checker.ValidationError) as problem:
            print(f"vision.training.side_by_side: {path}: {problem}", file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
