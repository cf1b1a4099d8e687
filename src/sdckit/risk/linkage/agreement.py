"""When a known and a released value agree: the criteria of probabilistic linkage.

For masked numbers the criterion decides almost everything, and the literature leaves it open; so it is a parameter,
written as `bins(10)`, `tolerance(0.1)`, `rank-tolerance(0.03)`, `exact` or `hierarchical(1)`.
"""

from dataclasses import astuple, dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.component_text import parsed
from sdckit.hierarchy import ROOT, Hierarchy, category_text
from sdckit.kernels.standardisation import mean_and_deviation
from sdckit.microdata import Kind, Microdata
from sdckit.risk.linkage.rank_linkage import ranked_among


class Windows(NamedTuple):
    """An interval for each known and each released value, NaN where it is missing: they agree where these meet."""

    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    first: NDArray[np.float64]
    last: NDArray[np.float64]


@dataclass(frozen=True)
class Criterion:
    """A rule by which two values of an attribute agree."""

    title: ClassVar[str] = ""
    kinds: ClassVar[Kind] = Kind.ORDERED

    def windows(self, name: str, known: Microdata, released: Microdata, original: Microdata) -> Windows:
        """The intervals of both files' values; quantiles and deviations are those of the original."""
        raise TypeError(f"{type(self).__name__} must define windows")

    @classmethod
    def from_text(cls, text: str) -> "Criterion":
        """The criterion that is written so.

        >>> Criterion.from_text("tolerance(0.25)")
        Tolerance(deviations=0.25)
        """
        written = parsed(text)
        name = written.name
        criteria = {each.title: each for each in (Bins, Tolerance, RankTolerance, Exact, Hierarchical)}
        if name not in criteria:
            raise ValueError(f"there is no criterion {name!r}; there are {', '.join(criteria)}")
        return criteria[name](*map(float, written.arguments))

    def __str__(self) -> str:
        numbers = "+".join(f"{number:g}" for number in astuple(self))
        return f"{self.title}({numbers})" if numbers else self.title


@dataclass(frozen=True)
class Bins(Criterion):
    """Both lie between the same quantiles of the original; tens are deciles."""

    title: ClassVar[str] = "bins"
    count: float = 10

    def __post_init__(self) -> None:
        if self.count < 2 or self.count != int(self.count):
            raise ValueError("the number of bins is a whole number of at least 2")

    def windows(self, name: str, known: Microdata, released: Microdata, original: Microdata) -> Windows:
        column = original.matrix([name])[:, 0]
        inner = np.arange(1, int(self.count)) / self.count
        seen = column[~np.isnan(column)]
        edges = np.unique(np.quantile(seen, inner)) if len(seen) else np.empty(0)
        mine, theirs = (_bin(file.matrix([name])[:, 0], edges) for file in (known, released))
        return Windows(mine, mine, theirs, theirs)


@dataclass(frozen=True)
class Tolerance(Criterion):
    """Two values agree if they differ by at most this many standard deviations of the original."""

    title: ClassVar[str] = "tolerance"
    deviations: float = 0.1

    def __post_init__(self) -> None:
        if not self.deviations >= 0:
            raise ValueError("a tolerance is 0 or more standard deviations")

    def windows(self, name: str, known: Microdata, released: Microdata, original: Microdata) -> Windows:
        reach = self.deviations * mean_and_deviation(original.matrix([name]))[1][0]
        mine, theirs = known.matrix([name])[:, 0], released.matrix([name])[:, 0]
        return Windows(mine - reach, mine + reach, theirs, theirs)


@dataclass(frozen=True)
class RankTolerance(Criterion):
    """Their ranks, each in its own file, differ by at most a share of the records.

    With a share just above the window of rank swapping this turns into an attack on the published method.
    """

    title: ClassVar[str] = "rank-tolerance"
    share: float = 0.03

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise ValueError("a tolerance in ranks is a share from 0 to 1")

    def windows(self, name: str, known: Microdata, released: Microdata, original: Microdata) -> Windows:
        mine = ranked_among(known.matrix([name]), original.matrix([name]))[:, 0]
        theirs = ranked_among(released.matrix([name]), released.matrix([name]))[:, 0]
        return Windows(mine - self.share, mine + self.share, theirs, theirs)


@dataclass(frozen=True)
class Exact(Criterion):
    """They are the same."""

    title: ClassVar[str] = "exact"
    kinds: ClassVar[Kind] = Kind.ANY

    def windows(self, name: str, known: Microdata, released: Microdata, original: Microdata) -> Windows:
        if not original.attribute(name).coded:
            mine, theirs = known.matrix([name])[:, 0], released.matrix([name])[:, 0]
            return Windows(mine, mine, theirs, theirs)
        code_of: dict[str, int] = {}
        mine, theirs = (_same_codes(file, name, code_of) for file in (known, released))
        return Windows(mine, mine, theirs, theirs)


@dataclass(frozen=True)
class Hierarchical(Criterion):
    """One is an ancestor of the other in the tree, or so levels further up; without a tree, they are the same."""

    title: ClassVar[str] = "hierarchical"
    kinds: ClassVar[Kind] = Kind.CATEGORICAL
    levels: float = 0

    def __post_init__(self) -> None:
        if self.levels < 0 or self.levels != int(self.levels):
            raise ValueError("levels are a whole number of 0 or more")

    def windows(self, name: str, known: Microdata, released: Microdata, original: Microdata) -> Windows:
        tree = original.attribute(name).hierarchy or Hierarchy({})
        spans = _spans(tree)
        lower, upper = self._ends(known, name, tree, spans)
        first, last = self._ends(released, name, tree, spans)
        return Windows(lower, upper, first, last)

    def _ends(
        self, file: Microdata, name: str, tree: Hierarchy, spans: dict[str, tuple[float, float]]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        ends = []
        for category in file.attribute(name).categories or ():
            text = category_text(category)
            if text in tree:
                # The root would agree with everything: a value is lifted to below it at most.
                path = tree.ancestors(text)
                text = path[min(int(self.levels), max(len(path) - 2, 0))]
            ends.append(spans.setdefault(text, (len(spans), len(spans))))
        table = np.array([*ends, (np.nan, np.nan)], dtype=np.float64)
        of_record = table[file.columns[name]]
        return of_record[:, 0], of_record[:, 1]


def _bin(values: NDArray[np.float64], edges: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(np.isnan(values), np.nan, np.searchsorted(edges, values, side="right"))


def _same_codes(file: Microdata, name: str, code_of: dict[str, int]) -> NDArray[np.float64]:
    """The same number for the same category in every file."""
    categories = file.attribute(name).categories or ()
    texts = [category_text(category) for category in categories]
    table = np.array([*(code_of.setdefault(text, len(code_of)) for text in texts), np.nan], dtype=np.float64)
    of_record: NDArray[np.float64] = table[file.columns[name]]
    return of_record


def _spans(tree: Hierarchy) -> dict[str, tuple[float, float]]:
    """The first and the last leaf of each node, leaves in an order in which every node's are together."""
    children: dict[str, list[str]] = {}
    for node, above in tree.parent.items():
        children.setdefault(above, []).append(node)
    spans: dict[str, tuple[float, float]] = {}
    leaves = 0
    waiting = [(ROOT, False)]
    while waiting:
        node, seen = waiting.pop()
        below = children.get(node, [])
        if seen:
            spans[node] = (spans[below[0]][0], spans[below[-1]][1])
        elif below:
            waiting += [(node, True), *((each, False) for each in reversed(below))]
        else:
            spans[node] = (leaves, leaves)
            leaves += 1
    return spans | {ROOT: (0, np.inf)}  # categories that the tree does not have are below the root too
