"""Generalisation hierarchies: the tree of coarser values above each value of a partially ordered attribute.

A value is a node of the tree. Leaves are the values of the original file; a masked value may be any node. The root is
written `*` and stands for nothing known. Three ways to make one: by prefix (postcodes), by intervals (ages), or level
by level (a table, as in ARX's CSV files).
"""

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

from sdckit.errors import FileError, SchemaError, near_miss

ROOT = "*"


@dataclass(frozen=True)
class Hierarchy:
    """A tree of values: `parent` leads from each node to the next coarser one, and at last to the root.

    >>> zips = Hierarchy.by_prefix(["48201", "48202", "48301"], steps=(2,))
    >>> zips.ancestors("48201")
    ('48201', '482**', '*')
    >>> zips.distance("48201", "48202")
    0.5
    """

    parent: Mapping[str, str]
    recipe: Mapping[str, Any] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        for node in self.parent:
            self._climb(node)

    def _climb(self, node: str) -> tuple[str, ...]:
        path = [node]
        while path[-1] != ROOT:
            above = self.parent.get(path[-1])
            if above is None:
                raise SchemaError(f"the hierarchy has no parent for {path[-1]!r}; every value must lead to {ROOT!r}")
            if above in path:
                raise SchemaError(f"the hierarchy goes in a circle at {above!r}")
            path.append(above)
        return tuple(path)

    @classmethod
    def by_prefix(cls, values: Iterable[object], steps: Sequence[int] | None = None, mask: str = "*") -> "Hierarchy":
        """Cut off trailing characters: `steps` says how many are hidden at each level, all one by one by default."""
        leaves = sorted({str(value) for value in values})
        width = max(map(len, leaves), default=1)
        hidden = sorted(steps) if steps is not None else range(1, width)
        parent: dict[str, str] = {}
        for leaf in leaves:
            padded = leaf.ljust(width)
            levels = [leaf, *(padded[: width - cut] + mask * cut for cut in hidden if 0 < cut < width), ROOT]
            parent |= dict(pairwise(dict.fromkeys(levels)))
        return cls(parent, {"prefix": list(hidden)} if mask == ROOT else {})

    @classmethod
    def by_intervals(cls, values: Iterable[float], widths: Sequence[float], start: float = 0.0) -> "Hierarchy":
        """Put numbers into ever wider intervals; each width is a multiple of the one before, so intervals nest."""
        if not widths or widths[0] <= 0 or any(wide % narrow for narrow, wide in pairwise(widths)):
            raise SchemaError(f"interval widths {list(widths)} do not nest; each must be a multiple of the one before")
        parent: dict[str, str] = {}
        for value in sorted(set(values)):
            levels = [as_text(value)]
            for width in widths:
                low = start + ((value - start) // width) * width
                levels.append(f"[{as_text(low)}, {as_text(low + width)})")
            parent |= dict(pairwise(dict.fromkeys([*levels, ROOT])))
        return cls(parent, {"intervals": list(widths)} | ({"start": start} if start else {}))

    @classmethod
    def by_levels(cls, rows: Iterable[Sequence[object]]) -> "Hierarchy":
        """One row a value: the value, then ever coarser ones; a last column of one value is taken as the root."""
        table = [[str(cell) for cell in row] for row in rows]
        if not table:
            raise SchemaError("the hierarchy table is empty; give one row a value, from fine to coarse")
        tops = {row[-1] for row in table}
        parent: dict[str, str] = {}
        for row in table:
            levels = [*(row[:-1] if len(tops) == 1 and len(row) > 1 else row), ROOT]
            for below, above in pairwise(dict.fromkeys(levels)):
                if parent.setdefault(below, above) != above:
                    raise SchemaError(
                        f"the hierarchy gives {below!r} two parents, {parent[below]!r} and {above!r}; a tree has one"
                    )
        return cls(parent, {"levels": table})

    @classmethod
    def from_csv(cls, path: str | Path, delimiter: str = ";") -> "Hierarchy":
        """Read ARX's format: one row a value, levels from fine to coarse."""
        try:
            with open(path, newline="", encoding="utf-8-sig") as handle:
                return cls.by_levels([row for row in csv.reader(handle, delimiter=delimiter) if row])
        except OSError as problem:
            raise FileError(f"the hierarchy {path} cannot be read: {problem.strerror}") from None

    def to_csv(self, path: str | Path, delimiter: str = ";") -> None:
        """Write ARX's format."""
        rows = [self.ancestors(leaf) for leaf in self.leaves]
        width = max(map(len, rows), default=1)
        with open(path, "w", newline="", encoding="utf-8") as handle:
            writer = csv.writer(handle, delimiter=delimiter)
            writer.writerows([*row[:-1], *[row[-1]] * (width - len(row) + 1)] for row in rows)

    def __str__(self) -> str:
        """How high it is and how one of its deepest leaves climbs, for a person to read."""
        deepest = max(self.leaves, key=lambda leaf: len(self._climb(leaf)), default=ROOT)
        steps = f"{self.height} level{'' if self.height == 1 else 's'}"
        return f"{steps} above {len(self.leaves)} values, such as {' → '.join(self._climb(deepest))}"

    def declaration(self) -> dict[str, Any]:
        """How a schema tells it: the way it was made, else level by level."""
        return dict(self.recipe) or {"levels": [list(self.ancestors(leaf)) for leaf in self.leaves]}

    @cached_property
    def leaves(self) -> tuple[str, ...]:
        """The finest values."""
        above = set(self.parent.values())
        return tuple(node for node in self.parent if node not in above)

    @cached_property
    def height(self) -> int:
        """The number of steps from the deepest leaf to the root."""
        return max((len(self._climb(leaf)) - 1 for leaf in self.leaves), default=0)

    def __contains__(self, value: object) -> bool:
        return str(value) in self.parent or value == ROOT

    def ancestors(self, value: object) -> tuple[str, ...]:
        """The value, then ever coarser ones, up to the root."""
        node = str(value)
        if node not in self:
            raise SchemaError(f"{node!r} is not in the hierarchy{near_miss(node, self.leaves)}")
        return self._climb(node)

    def generalise(self, value: object, levels: int) -> str:
        """The value so many levels up, the root at most."""
        path = self.ancestors(value)
        return path[min(levels, len(path) - 1)]

    def descendants(self, value: object) -> frozenset[str]:
        """The leaves that the value can stand for."""
        node = str(value)
        if node not in self:
            raise SchemaError(f"{node!r} is not in the hierarchy{near_miss(node, self.leaves)}")
        return self._descendants[node]

    @cached_property
    def _descendants(self) -> dict[str, frozenset[str]]:
        below: dict[str, set[str]] = {}
        for leaf in self.leaves:
            for node in self._climb(leaf):
                below.setdefault(node, set()).add(leaf)
        return {node: frozenset(leaves) for node, leaves in below.items()}

    def distance(self, one: object, other: object) -> float:
        """0 where equal, 1 where only the root is common: one minus the depth of the lowest common ancestor.

        Depth is counted from the root as a share of the height: a step near the root weighs as one near the leaf.
        """
        if str(one) == str(other):
            return 0.0
        ups = self.ancestors(one)
        common = next(node for node in self.ancestors(other) if node in ups)
        return 1.0 - (len(self._climb(common)) - 1) / self.height


def as_text(number: float) -> str:
    """A number without a needless decimal point."""
    return str(int(number)) if float(number).is_integer() else str(number)
