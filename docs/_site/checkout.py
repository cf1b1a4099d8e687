"""The checkout: its folder goes where Python looks for modules, so that pages can use what `tools` computes."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))
