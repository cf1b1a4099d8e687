"""What the linkages share: each record of one file is linked to the nearest of the other, ties share the credit."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError
from sdckit.intruder import Intruder
from sdckit.kernels.intervals import wilson
from sdckit.kernels.nearest import nearest_links
from sdckit.measure import Measure, Score
from sdckit.microdata import Kind
from sdckit.parameters import param
from sdckit.release import Release


@dataclass(frozen=True, eq=False)
class Links:
    """For each known record: how many rows it was linked to, and whether its own is one of them (of a single link or
    of several that tie); `rows` is how many there were to choose from."""

    records: NDArray[np.int64]
    ties: NDArray[np.int64]
    among: NDArray[np.bool_]
    rows: int

    @property
    def chance(self) -> NDArray[np.float64]:
        """The chance that a pick among the ties is right."""
        return np.where(self.among, 1.0 / np.maximum(self.ties, 1), 0.0)


def score_over(
    worlds: tuple[Intruder, ...], release: Release, link: Callable[[Intruder], Links], details: dict[str, object]
) -> Score:
    """The share of right links, averaged over what the intruder may know."""
    if not worlds or not worlds[0].attributes:
        raise NotApplicableError("the intruder knows no attribute of a fitting kind that the release still has")
    total: NDArray[np.float64] = np.zeros(0)
    strict, any_tie, by_size = 0.0, 0.0, dict[int, list[float]]()
    for world in worlds:
        links = link(world)
        total = links.chance if not len(total) else total + links.chance
        strict += float((links.among & (links.ties == 1)).mean()) / len(worlds)
        any_tie += float(links.among.mean()) / len(worlds)
        by_size.setdefault(len(world.attributes or ()), []).append(float(links.chance.mean()))
    chance = total / len(worlds)
    details = {"attributes": worlds[-1].attributes, "strict": strict, "any": any_tie} | details
    if len(worlds) > 1:
        details |= {
            "sets": len(worlds),
            "by_number_known": {str(n): float(np.mean(v)) for n, v in sorted(by_size.items())},
        }
    return Score(
        float(chance.mean()),
        by_record=release.on_records(links.records, chance),
        interval=wilson(float(chance.sum()), len(chance)),
        baseline=1.0 / links.rows,
        details=details,
    )


@dataclass(frozen=True, kw_only=True)
class EuclideanLinkage(Measure):
    """A linkage by the Euclidean distance in a space that each of the two files is brought into."""

    reverse: bool = param(False, "link each released record to the nearest known one instead")

    def space(
        self, release: Release, intruder: Intruder, *, seed: int | None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The known and the released records as points."""
        raise TypeError(f"{type(self).__name__} must define space")

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        def link(world: Intruder) -> Links:
            known, released = self.space(release, world, seed=seed)
            records = world.known_records(release, seed)
            return linked(known, released, records, release.true_rows(records), reverse=self.reverse)

        return score_over(intruder.worlds(release, Kind.ORDERED, seed=seed), release, link, {})


def linked(
    known: NDArray[np.float64],
    released: NDArray[np.float64],
    records: NDArray[np.int64],
    truth: NDArray[np.int64],
    *,
    reverse: bool,
) -> Links:
    """Link by least distance, from the known records to the released ones or the other way round."""
    if not reverse:
        links = nearest_links(known, released, truth)
        return Links(records, links.ties, links.among, len(released))
    mine = np.full(len(released), -1, dtype=np.int64)
    mine[truth[truth >= 0]] = np.flatnonzero(truth >= 0)
    links = nearest_links(released, known, mine)
    here = truth >= 0
    row = np.maximum(truth, 0)
    return Links(records, np.where(here, links.ties[row], 1), here & links.among[row], len(known))
