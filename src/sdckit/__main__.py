"""`python -m sdckit`."""

import sys

from sdckit.cli import main

if __name__ == "__main__":
    sys.exit(main())
