"""Maps of crops laid side by side: quicker, and no crop knows of its neighbours."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.crops import symbols
from vision.crops.nets import MODELS, load_net


@pytest.mark.parametrize("name", ["symbols", "symbols-large"])
def test_what_a_crop_shows_depends_on_no_other(name: str) -> None:
    crops = np.random.default_rng(3).normal(size=(7, 3, 48, 40)).astype(np.float32)
    net = load_net(MODELS / f"{name}.onnx")

    def said(some: np.ndarray) -> np.ndarray:
        net.setInput(some)
        return np.array(net.forward())

    together = said(crops)
    alone = np.concatenate([said(crops[k : k + 1]) for k in range(len(crops))])
    assert np.abs(together - alone).max() < 1e-4 < together.std()
    assert np.abs(together - said(crops[::-1])[::-1]).max() < 1e-4


def test_crops_of_a_bright_neighbour_read_the_same() -> None:
    plain = np.full((1, 48, 40, 3), 90, np.uint8)
    cv2.putText(plain[0], "5", (12, 34), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (230, 230, 230), 2)
    glaring = np.full((1, 48, 40, 3), 255, np.uint8)
    first = symbols.classify(plain).log_probs[0]
    beside = symbols.classify(np.concatenate([glaring, plain, glaring])).log_probs[1]
    assert np.abs(first - beside).max() < 1e-4


def _small_net(tmp: Path) -> Path:
    onnx = pytest.importorskip("onnx")
    helper, rng = onnx.helper, np.random.default_rng(5)
    shapes = {"a": (4, 3, 3, 3), "b": (4, 4, 3, 3), "c": (4, 4, 3, 3)}
    weights = [onnx.numpy_helper.from_array(rng.normal(size=s).astype(np.float32), n) for n, s in shapes.items()]
    plain = {"kernel_shape": [3, 3], "dilations": [1, 1], "pads": [1, 1, 1, 1]}
    nodes = [
        helper.make_node("Conv", ["x", "a"], ["p"], strides=[2, 2], **plain),
        helper.make_node("Relu", ["p"], ["q"]),
        helper.make_node("Conv", ["q", "b"], ["r"], strides=[1, 1], **plain),
        helper.make_node("Relu", ["r"], ["s"]),
        helper.make_node("Add", ["q", "s"], ["t"]),
        helper.make_node("Conv", ["t", "c"], ["y"], strides=[1, 1], **plain),
    ]
    value, kind = helper.make_tensor_value_info, onnx.TensorProto.FLOAT
    ends = [value("x", kind, ["n", 3, 12, 10])], [value("y", kind, ["n", 4, 6, 5])]
    graph = helper.make_graph(nodes, "small", *ends, initializer=weights)
    path = tmp / "small.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)
    return path


def test_a_rewritten_model_says_the_same(tmp_path: Path) -> None:
    path = _small_net(tmp_path)
    from vision.training import side_by_side

    crops = np.random.default_rng(7).normal(size=(5, 3, 12, 10)).astype(np.float32)
    before, as_it_was = _said(path, crops), path.read_bytes()
    assert side_by_side.main([str(path)]) == 0
    assert path.read_bytes() != as_it_was
    assert np.abs(_said(path, crops) - before).max() < 1e-4 < np.abs(before).max()
    once = path.read_bytes()
    assert side_by_side.main([str(path)]) == 0
    assert path.read_bytes() == once


def test_only_what_an_activation_follows_is_laid_out(tmp_path: Path) -> None:
    path = _small_net(tmp_path)
    onnx = pytest.importorskip("onnx")
    from vision.training.side_by_side import side_by_side

    kinds = [node.op_type for node in side_by_side(onnx.load(path)).graph.node]
    assert kinds.count("Conv") == 3
    assert kinds.count("Pad") == 1


@pytest.mark.parametrize("content", [b"", b"no model"])
def test_what_is_no_model_is_refused_and_left(tmp_path: Path, content: bytes, capsys: pytest.CaptureFixture) -> None:
    pytest.importorskip("onnx")
    from vision.training import side_by_side

    path = tmp_path / "none.onnx"
    path.write_bytes(content)
    assert side_by_side.main([str(path)]) == 2
    assert "none.onnx" in capsys.readouterr().err
    assert path.read_bytes() == content


def _said(path: Path, crops: np.ndarray) -> np.ndarray:
    net = cv2.dnn.readNetFromONNX(str(path))
    net.setInput(crops)
    return np.array(net.forward())
