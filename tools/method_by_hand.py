"""The sentences below a case of five records that compute it by hand: `docs/methods/by-hand.toml`, checked.

An equation that is wrong, or a bold value that the table does not release, ends the build.
"""

import math
import re
import tomllib
from functools import lru_cache
from pathlib import Path

from tools.method_cases import Case

STORED = Path(__file__).resolve().parents[1] / "docs" / "methods" / "by-hand.toml"
SUM = r"[(\d][\d.() +−·/]*[+−·/][\d.() +−·/]*"  # what is computed has at least one operation
EQUATION = re.compile(rf"({SUM}) = \**(−?\d[\d.]*\d|\d)")
RELEASED = re.compile(r"\*\*(.+?)\*\*(?!\*)")
SIGNS = str.maketrans({"−": "-", "·": "*"})


class WrongByHand(Exception):
    """A computation by hand that is wrong, or that is about another table, which ends the build."""


@lru_cache(maxsize=1)
def stored() -> dict[str, str]:
    """The sentences by masking."""
    return tomllib.loads(STORED.read_text(encoding="utf-8"))


def by_hand(name: str, case: Case) -> str:
    """The sentences of a masking, none for one of another package."""
    words = stored().get(name, "")
    for found in EQUATION.finditer(words):
        computed = eval(found[1].translate(SIGNS), {"__builtins__": {}})
        stated = found[2].translate(SIGNS)
        digits = len(stated.partition(".")[2])
        if not math.isclose(computed, float(stated), abs_tol=0.5000001 * 10.0**-digits, rel_tol=0):
            raise WrongByHand(f"{name}: {found[0]}, but it is {computed:.6g}")
    cells = {cell[2:-2] if cell.startswith("**") else cell for row in case.rows for cell in row}
    for value in RELEASED.findall(words):
        if value not in cells:
            raise WrongByHand(f"{name}: {value} is not in its table of five records; write {STORED.name} anew")
    return words
