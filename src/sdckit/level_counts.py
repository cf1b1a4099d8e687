"""Level counts: how many records of a file have each value of a hierarchy, level by level."""

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from sdckit.errors import SchemaError
from sdckit.frames.from_frame import as_category_text
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
    leaves = [(as_category_text(each), int(n)) for each, n in zip(attribute.categories, present, strict=True) if n]
    levels = []
    height = max((len(path) - 1 for path in tree.levels.values()), default=tree.height)
    for level in range(height):
        counts: Counter[str] = Counter()
        for leaf, records in sorted(leaves, key=_in_order):
            counts[tree.generalise(leaf, level)] += records
        levels.append(LevelCount(level, tuple(counts.items())))
    return tuple(levels)


def _in_order(leaf: tuple[str, int]) -> tuple[int, float, str]:
    """Numbers by size before texts by letters."""
    try:
        return 0, float(leaf[0]), leaf[0]
    except ValueError:
        return 1, 0.0, leaf[0]
