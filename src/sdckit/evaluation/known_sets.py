"""Known sets: what the two main intruders re-identify if they know only some of the attributes."""

from dataclasses import dataclass, field, replace
from itertools import combinations, islice

import numpy as np

from sdckit.errors import NotApplicableError
from sdckit.evaluation.measurement import Measurement
from sdckit.graph import Graph
from sdckit.intruder import Intruder
from sdckit.measure import Measure
from sdckit.randomness import child, generator
from sdckit.release import Release

SETS = 3  # of attributes tried for each number known
NUMBERS = 5  # of attributes known that are tried
MOST_LEFT_OUT = 15  # attributes that are left out one by one, at most
RECORDS = 1000  # known records if the file is large: the differences between sets show with so many


@dataclass(frozen=True)
class Found:
    """The shares re-identified where `known` attributes are known; None where the method is not known."""

    known: int
    ordinary: float
    informed: float | None


@dataclass(eq=False)
class KnownSets:
    """The shares that each intruder re-identifies by sets of attributes; each set is attacked once.

    In a large file an intruder knows `RECORDS` records, so that many sets take seconds.
    """

    release: Release
    intruder: Intruder
    names: tuple[str, ...]
    ordinary: Measure
    informed: Measure | None
    seed: int | None = None
    _shares: dict[tuple[str, tuple[str, ...]], float | None] = field(default_factory=dict, repr=False)

    @property
    def whole(self) -> bool:
        """Whether every known record is attacked for each set, as for the scores; nodes of a graph are one whole."""
        return self.intruder.records is not None or self._known <= 2 * RECORDS or self._links

    @property
    def quick(self) -> bool:
        """Whether many sets take seconds: not in a large graph."""
        return self._known <= 2 * RECORDS or not self._links

    @property
    def _links(self) -> bool:
        return isinstance(self.release.original, Graph)

    @property
    def _known(self) -> int:
        """The number of records in the file that the intruder's knowledge comes from."""
        return len(self.intruder.source_file(self.release))

    @property
    def leading(self) -> Measure:
        """The informed intruder, or the ordinary one where the method is not known."""
        return self.ordinary if self.informed is None else self.informed

    def share(self, measure: Measure, chosen: tuple[str, ...]) -> float | None:
        """What an intruder re-identifies by these attributes; None where the attack does not apply."""
        key = (measure.name, chosen)
        if key not in self._shares:
            records = self.intruder.records if self.whole else RECORDS / self._known
            intruder = replace(self.intruder, attributes=chosen, records=records)
            try:
                self._shares[key] = Measurement(self.release, intruder, self.seed).score(measure).value
            except NotApplicableError:
                self._shares[key] = None
        return self._shares[key]

    def found(self, size: int) -> Found:
        """The mean over some sets of so many attributes."""
        sets = self._sets(size)
        ordinary = [self.share(self.ordinary, chosen) or 0.0 for chosen in sets]
        informed = [] if self.informed is None else [self.share(self.informed, chosen) for chosen in sets]
        known = [share for share in informed if share is not None]
        return Found(size, float(np.mean(ordinary)), float(np.mean(known)) if known else None)

    def without(self, name: str) -> float | None:
        """What the leading intruder re-identifies without one attribute; guessing where nothing else is known."""
        others = tuple(other for other in self.names if other != name)
        return self.share(self.leading, others) if others or self._links else 1.0 / len(self.release.masked)

    def _sets(self, size: int) -> list[tuple[str, ...]]:
        few = list(islice(combinations(self.names, size), SETS + 1))
        if len(few) <= SETS:
            return few
        rng = child(generator(self.seed or 0), "attack", size)
        drawn = [np.sort(rng.choice(len(self.names), size, replace=False)) for _ in range(SETS)]
        return [tuple(self.names[index] for index in indices) for indices in drawn]


def numbers_known(attributes: int, *, links: bool = False) -> list[int]:
    """The numbers of attributes to try: all of them, or some from one to all; none and all beside known links."""
    if links:
        return [0, attributes]
    return sorted({round(size) for size in np.linspace(1, attributes, min(attributes, NUMBERS))})
