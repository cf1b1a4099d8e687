"""What the linkages share: records are linked to rows, ties share the credit, and what is known is varied.

An attempt is made from the attacker's view alone; only its scoring sees the true rows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError
from sdckit.intruder import AttackerView, Intruder
from sdckit.kernels.intervals import wilson
from sdckit.measure import Measure, Need, Score
from sdckit.microdata import Kind
from sdckit.parameters import param
from sdckit.randomness import child, generator
from sdckit.release import Release

MOST_LEFT_OUT = 15  # attributes that are left out one by one, at most


@dataclass(frozen=True, eq=False)
class ScoredLinks:
    """For each judged record: the probability that its link is correct, and whether its own row may be the one linked.

    `certain` says that no other row may be; `rows` is how many there were to choose from.
    """

    probability: NDArray[np.float64]
    truth_tied: NDArray[np.bool_]
    certain: NDArray[np.bool_]
    rows: int
    details: Mapping[str, object] = field(default_factory=dict)

    @classmethod
    def tied(
        cls,
        ties: NDArray[np.int64],
        truth_tied: NDArray[np.bool_],
        rows: int,
        details: Mapping[str, object] | None = None,
    ) -> "ScoredLinks":
        """Links to several tied rows, one of which is picked at random."""
        probability = np.where(truth_tied, 1.0 / np.maximum(ties, 1), 0.0)
        return cls(probability, truth_tied, truth_tied & (ties == 1), rows, details or {})


class Attempt(Protocol):
    """Links that an attacker made, not yet scored."""

    def targets(self) -> NDArray[np.int64]:
        """The row that each known record is linked to, the first of those that tie; −1 where there is none."""
        ...

    def score(self, truth: NDArray[np.int64], judged: NDArray[np.int64]) -> ScoredLinks:
        """Score the links of some known records, given by position, against the true row of every known record."""
        ...


@dataclass(frozen=True, kw_only=True)
class Linkage(Measure):
    """A risk that is the share of correct links, averaged over what the intruder may know."""

    kinds: ClassVar[Kind] = Kind.ORDERED
    joint: ClassVar[bool] = False  # one link depends on the others, so that a sample is attacked by itself
    sample: ClassVar[int] = 2000  # records that are linked again for each attribute left out, at most

    max_records: int = param(10_000, "largest number of known records to link, drawn at random", low=1, formerly="most")

    def attempt(self, view: AttackerView, *, seed: int | None, taught: Release | None = None) -> Attempt:
        """Link the known records; only an attack that is declared to learn from the truth is `taught`."""
        raise TypeError(f"{type(self).__name__} must define attempt")

    def summary(self, details: Sequence[Mapping[str, object]]) -> dict[str, object]:
        """The details of the score, from those of each set of attributes; the last one's as a rule."""
        return dict(details[-1])

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        whole = intruder.view(release, seed=seed)
        view, judged = self._sampled(whole, self.max_records, seed)
        scenarios = self._scenarios(view, intruder, seed)
        truth = release.true_rows(view.records)
        scored = [self._scored(scenario, truth, judged, release, seed) for scenario in scenarios]
        probability = np.sum([links.probability for links in scored], axis=0) / len(scored)
        details: dict[str, object] = {
            "attributes": scenarios[-1].attributes,
            "strict": float(np.mean([links.certain.mean() for links in scored])),
            "any": float(np.mean([links.truth_tied.mean() for links in scored])),
        }
        if len(probability) < len(whole):
            details["records_attacked"] = len(probability)
        if len(scored) > 1:
            by_number = by_number_known(scenarios, [float(links.probability.mean()) for links in scored])
            details |= {"sets": len(scored), "by_number_known": by_number}
        return Score(
            float(probability.mean()),
            by_record=release.on_records(view.records[judged], probability),
            interval=wilson(float(probability.sum()), len(probability)),
            baseline=1.0 / scored[-1].rows,
            details=details | self.summary([links.details for links in scored]),
        )

    def worth_of_attributes(
        self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None
    ) -> Mapping[str, float] | None:
        """By how much the share re-identified falls if an attribute were not known; below 0 where it misleads.

        Measured on a sample of the known records; None where there are too many attributes.
        """
        view, judged = self._sampled(intruder.view(release, seed=seed), min(self.sample, self.max_records), seed)
        view = self._scenarios(view, intruder, seed)[-1]
        if len(view.attributes) > MOST_LEFT_OUT:
            return None
        truth = release.true_rows(view.records)
        found = self._scored(view, truth, judged, release, seed)
        worth = {}
        for name in view.attributes:
            others = tuple(other for other in view.attributes if other != name)
            without = 1.0 / found.rows
            if others:
                without = float(self._scored(view.only(others), truth, judged, release, seed).probability.mean())
            worth[name] = float(found.probability.mean() - without)
        return worth

    def _scored(
        self,
        view: AttackerView,
        truth: NDArray[np.int64],
        judged: NDArray[np.int64],
        release: Release,
        seed: int | None,
    ) -> ScoredLinks:
        taught = release if Need.TRUTH in self.needs else None
        return self.attempt(view, seed=seed, taught=taught).score(truth, judged)

    def _scenarios(self, view: AttackerView, intruder: Intruder, seed: int | None) -> tuple[AttackerView, ...]:
        scenarios = intruder.scenarios(view, self.kinds, seed=seed) if view.names(self.kinds) else ()
        if not scenarios:
            raise NotApplicableError("the intruder knows no attribute of a suitable kind that the release still has")
        return scenarios

    def _sampled(self, view: AttackerView, records: int, seed: int | None) -> tuple[AttackerView, NDArray[np.int64]]:
        """The view, and the positions of the known records whose links are judged."""
        judged = sampled(len(view), records, seed)
        return (view.take(judged), np.arange(len(judged))) if self.joint else (view, judged)


def by_number_known(scenarios: Sequence[AttackerView], shares: Sequence[float]) -> dict[str, float]:
    """The mean share re-identified, by the number of attributes known."""
    found: dict[int, list[float]] = {}
    for scenario, share in zip(scenarios, shares, strict=True):
        found.setdefault(len(scenario.attributes), []).append(share)
    return {str(number): float(np.mean(each)) for number, each in sorted(found.items())}


def sampled(known: int, records: int, seed: int | None) -> NDArray[np.int64]:
    """The positions of at most `records` of the known records, drawn at random."""
    if known <= records:
        return np.arange(known)
    return np.sort(child(generator(seed or 0), "linkage", "sample").choice(known, records, replace=False))
