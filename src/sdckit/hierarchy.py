"""Generalisation hierarchies: the tree of coarser values above each value of a partially ordered attribute.

A value is a node of the tree. Leaves are the values of the original file; a masked value may be any node. The root is
written `*` and means that the value is unknown. A hierarchy is built by prefix (postcodes), by intervals (ages), or
level by level (a table, as in ARX's CSV files); `sdckit.hierarchies` has the ways to declare one in a schema.
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

from sdckit.bands import band_label
from sdckit.errors import FileError, SchemaError, near_miss, private, private_text
from sdckit.input_file import read_text

ROOT = "*"


@dataclass(frozen=True)
class Hierarchy:
    """A tree of values: `parent` gives the next coarser node of each node, up to the root.

    `built_from` is the declaration by which a schema can build it again, empty where there is none. `levels` gives, for
    each leaf, its node on every level, where a node may be the same on several: one group of a level is then that of
    the next, too. Without it, the n-th level of a leaf is its n-th ancestor.

    >>> zips = Hierarchy.by_prefix(["48201", "48202", "48301"], steps=(2,))
    >>> zips.ancestors("48201")
    ('48201', '482**', '*')
    >>> zips.distance("48201", "48202")
    0.5
    """

    parent: Mapping[str, str]
    built_from: Mapping[str, Any] = field(default_factory=dict, compare=False)
    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        for node in self.parent:
            self._path_to_root(node)

    def _path_to_root(self, node: str) -> tuple[str, ...]:
        path = [node]
        while path[-1] != ROOT:
            above = self.parent.get(path[-1])
            if above is None:
                raise SchemaError(
                    f"the hierarchy has no parent for {private(path[-1])}; every value must have the root {ROOT!r} "
                    "above it"
                )
            if above in path:
                raise SchemaError(f"the hierarchy has a cycle at {private(above)}")
            path.append(above)
        return tuple(path)

    @classmethod
    def by_prefix(cls, values: Iterable[object], steps: Sequence[int] | None = None, mask: str = "*") -> "Hierarchy":
        """Hide the last characters: `steps` says how many at each level, by default one more at each."""
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
    def by_intervals(cls, values: Iterable[float | str], widths: Sequence[float], start: float = 0.0) -> "Hierarchy":
        """Group numbers in ever wider intervals; each width is a multiple of the one before, so that intervals nest.

        A number that is written as text, such as 31.0, stays as it is written.
        """
        if not widths or widths[0] <= 0 or any(wide % narrow for narrow, wide in pairwise(widths)):
            raise SchemaError(f"interval widths {list(widths)} do not nest; each must be a multiple of the one before")
        parent: dict[str, str] = {}
        numbers = {category_text(value): float(value) for value in values}
        whole = all(float(number).is_integer() for number in (*numbers.values(), *widths, start))
        for leaf, value in sorted(numbers.items(), key=lambda pair: pair[1]):
            levels = [leaf]
            for width in widths:
                low = start + ((value - start) // width) * width
                levels.append(band_label(low, low + width, whole=whole))
            parent |= dict(pairwise(dict.fromkeys([*levels, ROOT])))
        return cls(parent, {"intervals": list(widths)} | ({"start": start} if start else {}))

    @classmethod
    def by_levels(cls, rows: Iterable[Sequence[object]]) -> "Hierarchy":
        """One row per value: the value, then ever coarser ones; a last column with a single value is the root."""
        table = [[str(cell) for cell in row] for row in rows]
        if not table:
            raise SchemaError("the hierarchy table is empty; give one row per value, from fine to coarse")
        tops = {row[-1] for row in table}
        parent: dict[str, str] = {}
        levels: dict[str, tuple[str, ...]] = {}
        for row in table:
            path = (*(row[:-1] if len(tops) == 1 and len(row) > 1 else row), ROOT)
            levels[path[0]] = path
            for below, above in pairwise(dict.fromkeys(path)):
                if parent.setdefault(below, above) != above:
                    raise SchemaError(
                        f"the hierarchy gives {private(below)} two parents, {private(parent[below])} and "
                        f"{private(above)}; a tree has one"
                    )
        return cls(parent, {"levels": table}, levels)

    @classmethod
    def from_csv(cls, path: str | Path, delimiter: str = ";") -> "Hierarchy":
        """Read ARX's format: one row per value, levels from fine to coarse."""
        try:
            text = read_text(path, "UTF-8 text; convert the hierarchy").removeprefix("\ufeff")
            lines = io.StringIO(text, newline="")
            return cls.by_levels([row for row in csv.reader(lines, delimiter=delimiter) if row])
        except csv.Error as problem:
            raise FileError(f"the hierarchy {path} is not valid CSV: {problem}") from None

    def to_csv(self, path: str | Path, delimiter: str = ";") -> None:
        """Write ARX's format."""
        rows = [self.levels.get(leaf) or self.ancestors(leaf) for leaf in self.leaves]
        width = max(map(len, rows), default=1)
        with open(path, "w", newline="", encoding="utf-8") as handle:
            writer = csv.writer(handle, delimiter=delimiter)
            writer.writerows([*row[:-1], *[row[-1]] * (width - len(row) + 1)] for row in rows)

    def __str__(self) -> str:
        """Its height and the path of one of its deepest leaves to the root, for a person to read."""
        deepest = max(self.leaves, key=lambda leaf: len(self._path_to_root(leaf)), default=ROOT)
        steps = f"{self.height} level{'' if self.height == 1 else 's'}"
        return f"{steps} above {len(self.leaves)} values, such as {' → '.join(self._path_to_root(deepest))}"

    def declaration(self) -> dict[str, Any]:
        """How a schema declares it: by what it was built from, or level by level."""
        return dict(self.built_from) or {"levels": [list(self.ancestors(leaf)) for leaf in self.leaves]}

    @cached_property
    def leaves(self) -> tuple[str, ...]:
        """The finest values."""
        above = set(self.parent.values())
        return tuple(node for node in self.parent if node not in above)

    @cached_property
    def height(self) -> int:
        """The number of steps from the deepest leaf to the root."""
        return max((len(self._path_to_root(leaf)) - 1 for leaf in self.leaves), default=0)

    def __contains__(self, value: object) -> bool:
        return str(value) in self.parent or value == ROOT

    def ancestors(self, value: object) -> tuple[str, ...]:
        """The value, then ever coarser ones, up to the root."""
        node = str(value)
        if node not in self:
            raise SchemaError(f"{private(node)} is not in the hierarchy{private_text(near_miss(node, self.leaves))}")
        return self._path_to_root(node)

    def generalise(self, value: object, levels: int) -> str:
        """The value that many levels up, at most the root."""
        path = self.levels.get(str(value)) or self.ancestors(value)
        return path[min(levels, len(path) - 1)]

    def descendants(self, value: object) -> frozenset[str]:
        """The leaves below the value."""
        node = str(value)
        if node not in self:
            raise SchemaError(f"{private(node)} is not in the hierarchy{private_text(near_miss(node, self.leaves))}")
        return self._descendants[node]

    @cached_property
    def _descendants(self) -> dict[str, frozenset[str]]:
        below: dict[str, set[str]] = {}
        for leaf in self.leaves:
            for node in self._path_to_root(leaf):
                below.setdefault(node, set()).add(leaf)
        return {node: frozenset(leaves) for node, leaves in below.items()}

    def distance(self, one: object, other: object) -> float:
        """One minus the depth of the lowest common ancestor: 0 for equal values, 1 where only the root is common.

        Depth is counted from the root as a share of the height, so that all levels have the same weight.
        """
        if str(one) == str(other):
            return 0.0
        ups = self.ancestors(one)
        common = next(node for node in self.ancestors(other) if node in ups)
        return 1.0 - (len(self._path_to_root(common)) - 1) / self.height


def category_text(value: object) -> str:
    """A category as text: a number without a superfluous decimal point, a text unchanged."""
    return as_text(value) if isinstance(value, float) else str(value)


def as_text(number: float) -> str:
    """A number as text, without a superfluous decimal point."""
    return str(int(number)) if float(number).is_integer() else str(number)
