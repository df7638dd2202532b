"""`python -m vision.training`: make the shipped models again from nothing.

Needs PyTorch, onnx, Pillow and tqdm, the fonts of the Debian packages in fonts.txt, and Debian's povray (or
`--without-tracing`, which the card then says).
"""

if __name__ == "__main__":
    # Not above: each process that draws imports this module, and would wait three seconds for PyTorch.
    import sys

    from vision.training.everything import main

    sys.exit(main())
