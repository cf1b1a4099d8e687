"""Level counts: how many records of a file have each value of a hierarchy, level by level."""

import re
from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from sdckit.errors import SchemaError
from sdckit.hierarchy import category_text
from sdckit.microdata import Microdata


@dataclass(frozen=True)
class LevelCount:
    """The values of one level that occur in the file, and the number of records of each, in the order of the file's."""

    level: int
    values: tuple[tuple[str, int], ...]

    @property
    def smallest(self) -> int:
        """The number of records of the rarest value."""
        return min((records for _, records in self.values), default=0)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return asdict(self) | {
            "smallest": self.smallest,
            "values": [{"value": value, "records": records} for value, records in self.values],
        }


def level_counts(data: Microdata, name: str) -> tuple[LevelCount, ...]:
    """The counts of every level, from the values of the file to the last level below the root.

    >>> import polars
    >>> from sdckit.hierarchy import Hierarchy
    >>> frame, tree = polars.DataFrame({"age": [31, 34, 47]}), Hierarchy.by_intervals([31, 34, 47], [10])
    >>> level_counts(Microdata.from_frame(frame, hierarchies={"age": tree}), "age")[1].values
    (('30–39', 2), ('40–49', 1))
    """
    attribute = data.attribute(name)
    if attribute.hierarchy is None or attribute.categories is None:
        raise SchemaError(f"{name!r} has no hierarchy; declare one in the schema or build one")
    tree, codes = attribute.hierarchy, data.columns[name]
    present = np.bincount(codes[codes >= 0], minlength=len(attribute.categories))
    leaves = [(category_text(each), int(n)) for each, n in zip(attribute.categories, present, strict=True) if n]
    levels, numbers = [], all(_is_number(leaf) for leaf, _ in leaves)
    height = max((len(path) - 1 for path in tree.levels.values()), default=tree.height)
    for level in range(height):
        counts: Counter[str] = Counter()
        for leaf, records in sorted(leaves, key=_in_order):
            counts[tree.generalise(leaf, level)] += records
        values = counts.items() if numbers else sorted(counts.items(), key=_in_order)
        levels.append(LevelCount(level, tuple(values)))
    return tuple(levels)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _in_order(leaf: tuple[str, int]) -> tuple[Any, ...]:
    """Numbers by size before texts, and texts by the letters and the numbers in them: age 9, age 10, 1940-Q1.

    >>> sorted([("age 10", 1), ("age 9", 1), ("47", 1), ("under 16", 1), ("5", 1)], key=_in_order)
    [('5', 1), ('47', 1), ('age 9', 1), ('age 10', 1), ('under 16', 1)]
    """
    text = leaf[0]
    if _is_number(text):
        return 0, float(text), text
    parts = re.split(r"(\d+)", text)
    return 1, tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts if part), text
