"""The checkout: its folder goes where Python looks for modules, so that pages can use what `tools` computes."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def look_here() -> None:
    """Let Python look for modules in the checkout; mkdocs forgets this after each hook that it has loaded."""
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))


look_here()
