"""`python -m pi` is the `feltside` command."""

import sys

from pi.cli import main

if __name__ == "__main__":
    sys.exit(main())
