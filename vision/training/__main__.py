"""`python -m vision.training`: make the shipped models again from nothing.

Needs PyTorch, onnx, Pillow and tqdm, the fonts of the Debian packages in fonts.txt, and Debian's povray (or
`--without-tracing`, which the card then says).
"""

import sys

from vision.training.everything import main

if __name__ == "__main__":
    sys.exit(main())
