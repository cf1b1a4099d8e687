"""`python -m sdckit`: the same as the command `sdckit`."""

import os
import sys
from contextlib import suppress

from sdckit.cli import main

if __name__ == "__main__":
    with suppress(OSError):  # the folder may be gone
        if sys.path[:1] == [os.getcwd()]:
            del sys.path[0]  # no file that happens to lie in the folder is imported
    sys.exit(main())
