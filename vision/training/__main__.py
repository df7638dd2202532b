"""`python -m vision.training`: make the shipped models again from nothing.

Needs PyTorch, onnx, Pillow and tqdm, the fonts of the Debian packages in fonts.txt, and Debian's povray (or
`--without-tracing`, which the card then says).
"""

if __name__ == "__main__":
    # Not above: each process that draws imports this module, and would wait three seconds for PyTorch.
    import sys

    try:
        from vision.training.everything import main
    except ModuleNotFoundError as missing:
        print(
            f"vision.training: {missing.name} is not installed; training needs it: pip install '.[training]'",
            file=sys.stderr,
        )
        sys.exit(2)
    sys.exit(main())
