"""`python -m vision.training`: make the shipped models again from nothing."""

import sys

from vision.training.everything import main

if __name__ == "__main__":
    sys.exit(main())
