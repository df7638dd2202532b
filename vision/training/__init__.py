"""Make the shipped models again from nothing: `python -m vision.training`. Needs torch, onnx, pillow and tqdm."""
