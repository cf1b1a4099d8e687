"""Shares of categories in one or several files, the rare ones combined."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sdckit.charts.chart import drawn
from sdckit.microdata import Attribute, Microdata

SHOWN = 12
REST = "(others)"
MISSING = "(missing)"
BAND = re.compile(r"(?P<under>under )?(?P<start>-?\d+(\.\d+)?)( ?– ?-?\d+(\.\d+)?|\+| to under .+| and over)?")


def category_shares(
    files: Mapping[str, Microdata], name: str, fewest: int = 0
) -> tuple[tuple[dict[str, Any], ...], int]:
    """The share of each category in each file, and how many categories were combined as others.

    A category with fewer than `fewest` records in all files together is not named.
    """
    longest = max((file.attribute(name) for file in files.values()), key=lambda each: len(each.categories or ()))
    size = len(longest.categories or ())
    counts = {
        label: np.bincount(file.columns[name][~file.absent(name)], minlength=size) for label, file in files.items()
    }
    total = np.sum(list(counts.values()), axis=0)
    commonest = [code for code in np.argsort(-total, kind="stable")[:SHOWN] if total[code] >= max(fewest, 1)]
    named = sorted(commonest) if longest.kind.title == "discrete" else _in_order(commonest, longest)
    left = int((total > 0).sum()) - len(named)
    records: list[dict[str, Any]] = []
    for label, file in files.items():
        rows = [(category_name(longest, int(code)), int(counts[label][code])) for code in named]
        if left:
            rows.append((REST, int(counts[label].sum() - sum(count for _, count in rows))))
        if any(each.missing(name) for each in files.values()):
            rows.append((MISSING, file.missing(name)))
        records += [
            {"file": label, "category": category, "share": drawn(count / max(len(file), 1))} for category, count in rows
        ]
    return tuple(records), left


def _in_order(codes: Sequence[int], attribute: Attribute) -> list[int]:
    """Bands of numbers by their numbers, other categories as they are."""
    starts = {code: BAND.fullmatch(str((attribute.categories or ())[code])) for code in codes}
    found = {code: (float(match["start"]), not match["under"]) for code, match in starts.items() if match}
    return sorted(codes, key=lambda code: found[code]) if len(found) == len(codes) else list(codes)


def category_name(attribute: Attribute, code: int) -> str:
    """The label of a category, else its value."""
    value = (attribute.categories or ())[code]
    return str(attribute.value_labels.get(value, value))
