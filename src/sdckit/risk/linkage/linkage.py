"""What the linkages share: records are linked to rows, ties share the credit, and what is known is varied."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError
from sdckit.intruder import Intruder
from sdckit.kernels.intervals import wilson
from sdckit.kernels.nearest import nearest_links
from sdckit.measure import Measure, Score
from sdckit.microdata import Kind
from sdckit.parameters import param
from sdckit.randomness import child, generator
from sdckit.release import Release

MOST_LEFT_OUT = 15  # attributes that are left out one by one, at most


@dataclass(frozen=True, eq=False)
class Links:
    """For each known record: the chance that its link is right, and whether its own row may be the one linked.

    `certain` says that no other row may be; `rows` is how many there were to choose from.
    """

    records: NDArray[np.int64]
    chance: NDArray[np.float64]
    truth_tied: NDArray[np.bool_]
    certain: NDArray[np.bool_]
    rows: int
    details: Mapping[str, object] = field(default_factory=dict)

    @classmethod
    def tied(
        cls,
        records: NDArray[np.int64],
        ties: NDArray[np.int64],
        truth_tied: NDArray[np.bool_],
        rows: int,
        details: Mapping[str, object] | None = None,
    ) -> "Links":
        """Links to several rows alike, one of which is picked at random."""
        chance = np.where(truth_tied, 1.0 / np.maximum(ties, 1), 0.0)
        return cls(records, chance, truth_tied, truth_tied & (ties == 1), rows, details or {})


@dataclass(frozen=True, kw_only=True)
class Linkage(Measure):
    """A risk that is the share of right links, averaged over what the intruder may know."""

    kinds: ClassVar[Kind] = Kind.ORDERED
    sample: ClassVar[int] = 2000  # records that are linked again for each attribute left out, at most

    def links(self, release: Release, intruder: Intruder, *, seed: int | None) -> Links:
        """The links that the intruder makes."""
        raise TypeError(f"{type(self).__name__} must define links")

    def told(self, worlds: Sequence[Mapping[str, object]]) -> dict[str, object]:
        """The details, from those of each set of attributes; the last one's as a rule."""
        return dict(worlds[-1])

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        worlds = intruder.scenarios(release, self.kinds, seed=seed)
        if not worlds or not worlds[0].attributes:
            raise NotApplicableError("the intruder knows no attribute of a fitting kind that the release still has")
        total, shares, told = np.zeros(0), list[tuple[float, float, float]](), list[Mapping[str, object]]()
        for world in worlds:
            links = self.links(release, world, seed=seed)
            total = links.chance if not told else total + links.chance
            shares.append((float(links.certain.mean()), float(links.chance.mean()), float(links.truth_tied.mean())))
            told.append(links.details)
        chance = total / len(worlds)
        strict, _, anyhow = np.mean(shares, axis=0).tolist()
        details: dict[str, object] = {"attributes": worlds[-1].attributes, "strict": strict, "any": anyhow}
        if len(chance) < len(intruder.known_rows(release, seed)):
            details["records_attacked"] = len(chance)
        if len(worlds) > 1:
            found = by_number_known(worlds, [share for _, share, _ in shares])
            details |= {"sets": len(worlds), "by_number_known": found}
        return Score(
            float(chance.mean()),
            by_record=release.on_records(links.records, chance),
            by_attribute=self.worth_of_attributes(release, worlds[-1], seed=seed),
            interval=wilson(float(chance.sum()), len(chance)),
            baseline=1.0 / links.rows,
            details=details | self.told(told),
        )

    def worth_of_attributes(
        self, release: Release, intruder: Intruder, *, seed: int | None
    ) -> Mapping[str, float] | None:
        """By how much the share found falls if an attribute were not known; below 0 where it misleads.

        Measured on a sample of the known records; None where there are too many attributes.
        """
        names = intruder.attributes or ()
        if len(names) > MOST_LEFT_OUT:
            return None
        few = some_records(release, intruder, self.sample, seed=seed)
        found = self.links(release, few, seed=seed)
        worth = {}
        for name in names:
            others = tuple(other for other in names if other != name)
            less = self.links(release, replace(few, attributes=others), seed=seed).chance.mean() if others else None
            worth[name] = float(found.chance.mean() - (1.0 / found.rows if less is None else less))
        return worth


def by_number_known(worlds: Sequence[Intruder], shares: Sequence[float]) -> dict[str, float]:
    """The mean share found, by the number of attributes known."""
    found: dict[int, list[float]] = {}
    for world, share in zip(worlds, shares, strict=True):
        found.setdefault(len(world.attributes or ()), []).append(share)
    return {str(number): float(np.mean(each)) for number, each in sorted(found.items())}


def some_records(release: Release, intruder: Intruder, most: int, *, seed: int | None) -> Intruder:
    """The intruder with so many of the known records at most, drawn at random."""
    rows = intruder.known_rows(release, seed)
    if len(rows) <= most:
        return intruder
    drawn = child(generator(seed or 0), "linkage", "sample").choice(rows, most, replace=False)
    return replace(intruder, records=tuple(drawn.tolist()))


LinkTo = Callable[[bool, NDArray[np.int64]], tuple[NDArray[np.int64], NDArray[np.bool_]]]


def linked(link: LinkTo, records: NDArray[np.int64], truth: NDArray[np.int64], rows: int, *, reverse: bool) -> Links:
    """Link the known records to the released ones, or in reverse.

    `link(reverse, truth)` gives how many tie for each linking record, and whether its own partner is among them.
    """
    if not reverse:
        ties, truth_tied = link(False, truth)
        return Links.tied(records, ties, truth_tied, rows)
    mine = np.full(rows, -1, dtype=np.int64)
    here = truth >= 0
    mine[truth[here]] = np.flatnonzero(here)
    ties, truth_tied = link(True, mine)
    row = np.maximum(truth, 0)
    return Links.tied(records, np.where(here, ties[row], 1), here & truth_tied[row], len(truth))


@dataclass(frozen=True, kw_only=True)
class EuclideanLinkage(Linkage):
    """A linkage by the Euclidean distance in a space that each of the two files is brought into."""

    reverse: bool = param(False, "link each released record to the nearest known one instead")

    def space(
        self, release: Release, intruder: Intruder, *, seed: int | None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The known and the released records as points."""
        raise TypeError(f"{type(self).__name__} must define space")

    def links(self, release: Release, intruder: Intruder, *, seed: int | None) -> Links:
        known, released = self.space(release, intruder, seed=seed)
        records = intruder.known_records(release, seed)

        def link(reverse: bool, truth: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
            found = nearest_links(released, known, truth) if reverse else nearest_links(known, released, truth)
            return found.ties, found.truth_tied

        return linked(link, records, release.true_rows(records), len(released), reverse=self.reverse)
