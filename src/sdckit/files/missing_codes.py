"""Missing codes: numbers that probably mark a missing value, such as −9, 99, or a code whose label says "no answer".

They are proposed in a drafted schema with the reason, and never applied without one. Nines may be a category of their
own or a top code, so a draft names them in the reason alone.
"""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.attribute import Attribute

FEWEST_NEGATIVE, FEWEST_NINES = 2, 3  # records that have such a code
OTHERS = 10  # records with another value, at least
FAR = 0.8  # the largest other value is below this share of a code of nines
MOST_NEGATIVE = 6  # different codes below zero
SENTINELS = frozenset([*range(-9, 0), *(-int(digit * size) for digit in "6789" for size in range(2, 8))])
REPEATED = frozenset(int(digit * size) for digit in "6789" for size in range(1, 8))  # 7, 88, 999
NO_VALUE = re.compile(
    r"no answer|not? (stated|known|available|applicable|asked|ascertained|reported)|no response|non.?response|missing"
    r"|unknown|refus|declined|don.?t know|do not know|\bn/?a\b|\bdk\b|keine? (angabe|antwort)|wei(ß|ss) nicht"
    r"|verweigert|trifft nicht zu|no (contesta|sabe|responde|procede|aplica)|ns/nc|sans r[eé]ponse|ne sait pas"
    r"|non r[eé]ponse|nessuna risposta|non (so|risponde|applicabile)|n[aã]o (sabe|responde|se aplica)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class MissingCodes:
    """The codes that probably mark a missing value, and why; `declared` says whether a draft declares them so."""

    codes: tuple[Any, ...]
    reason: str
    declared: bool = True


def missing_codes(attribute: Attribute, numbers: NDArray[np.float64] | None) -> MissingCodes | None:
    """The codes among the values of a column; None where none looks like one. `numbers` are its values, repeated."""
    if numbers is None or not len(numbers):
        return None
    values, counts = (each.tolist() for each in np.unique(numbers, return_counts=True))
    count = dict(zip(values, counts, strict=True))
    labels = {float(code): text for code, text in attribute.value_labels.items() if isinstance(code, int | float)}
    labelled = [value for value in values if NO_VALUE.search(labels.get(value, ""))]
    if labelled and len(labelled) < len(values):
        named = ", ".join(f'{_plain(value)} "{labels[value]}"' for value in labelled)
        return MissingCodes(tuple(map(_plain, labelled)), f"its label says that a value is missing: {named}")
    below = [value for value in values if value < 0]
    rest = len(numbers) - sum(count[value] for value in below)
    if below and len(below) <= MOST_NEGATIVE and SENTINELS.issuperset(below) and rest >= OTHERS:
        times = sum(count[value] for value in below)
        if times >= FEWEST_NEGATIVE and len(below) < len(values):
            listed = ", ".join(str(_plain(value)) for value in below)
            return MissingCodes(
                tuple(map(_plain, below)),
                f"{times} values are {listed} and no other is negative: probably missing ones",
            )
    codes = _repeated_digits(values)
    times, largest = sum(count[value] for value in codes), values[-1 - len(codes)] if len(codes) < len(values) else 0.0
    if codes and times >= FEWEST_NINES and len(numbers) - times >= OTHERS and largest < FAR * codes[0]:
        listed = ", ".join(str(_plain(value)) for value in codes)
        return MissingCodes(
            tuple(map(_plain, codes)),
            f"{times} values are {listed}, far above all others (at most {largest:.15g}): if this marks a missing "
            f"value, add missing = [{listed}]",
            declared=False,
        )
    return None


def _repeated_digits(values: list[float]) -> list[float]:
    """The highest values that repeat one digit and end with nines, as 77, 88 and 99; all of one length, ascending."""
    codes: list[float] = []
    for value in reversed(values):
        if value not in REPEATED or (codes and len(str(_plain(value))) != len(str(_plain(codes[0])))):
            break
        codes.insert(0, value)
    return codes if codes and set(str(_plain(codes[-1]))) == {"9"} else []


def _plain(value: float) -> int:
    return int(value)
