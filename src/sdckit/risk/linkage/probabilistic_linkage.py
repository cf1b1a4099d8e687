"""Probabilistic record linkage: link by the weight of agreements and disagreements."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError, ParameterError
from sdckit.intruder import AttackerView
from sdckit.kernels.equivalence_classes import class_of
from sdckit.kernels.fellegi_sunter import (
    MAX_KEYS,
    Agreement,
    FellegiSunter,
    agree_when_meeting,
    best_matches,
    fit,
    one_to_one_matches,
    pattern_counts,
    thresholds,
)
from sdckit.measure import Finds, Need, risk
from sdckit.microdata import Kind
from sdckit.parameters import param
from sdckit.randomness import child, generator
from sdckit.release import Release
from sdckit.risk.linkage.agreement import Bins, Criterion, Exact, Hierarchical, RankTolerance, Tolerance
from sdckit.risk.linkage.linkage import Attempt, Linkage, ScoredLinks
from sdckit.risk.linkage.one_to_one import OneToOne, order_of_content

MOST_PAIRS = 30_000_000  # pairs whose weights are written down for a one-to-one linkage


@risk("probabilistic-linkage", reference="jaro1989", finds=Finds.RECORDS, needs={Need.ROWS}, by_default=False)
class ProbabilisticLinkage(Linkage):
    r"""Share of records re-identified by linking each to the released one with the greatest weight of agreements.

    A pair of records agrees on an attribute or not. How often pairs of the same person (m) and of two persons (u) agree
    is estimated from the counts of all patterns by expectation-maximisation, with one true pair per record; an
    agreement then has the weight log₂(m / u), a disagreement log₂((1 − m) / (1 − u)). Ties share the credit. The figure
    depends strongly on what agreement means for masked numbers: by default, that both are in the same decile of the
    original. Other attributes agree where they are equal, or one is above the other in the hierarchy. A missing value
    weighs nothing. The details give m, u, the weights, and the thresholds beyond which a pair is called a link or a
    non-link. On large files a random part of the known records is linked.

    Formula: link $x$ to $\operatorname{argmax}_r \sum_j w_j(\gamma_j(x, r))$,  $\gamma$ the agreement pattern

    Intruder: knows some attributes of a record exactly, and has no example of a correct link.

    Use it when keys are of several kinds, and beside distance-linkage: it needs no common scale.
    """

    kinds: ClassVar[Kind] = Kind.ANY
    joint: ClassVar[bool] = True
    former_details: ClassVar[Mapping[str, str]] = {"right_above_threshold": "correct_above_threshold"}

    agreement: Criterion = param(
        Bins(10),
        "when ordered values agree: bins(count), tolerance(deviations), rank-tolerance(share) or exact",
        grid=(Bins(10), Tolerance(0.1), RankTolerance(0.03), Exact()),
    )
    categories: Criterion = param(
        Hierarchical(0), "when other values agree: hierarchical(levels) or exact", grid=(Hierarchical(1), Exact())
    )
    one_to_one: bool = param(False, "link no row twice: the greatest total weight, for files of a few thousand")
    false_links: float = param(0.0001, "probability that a pair of two persons is called a link", low=0, high=1)
    missed_links: float = param(0.05, "probability that a pair of one person is called a non-link", low=0, high=1)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, criterion, kind in (
            ("agreement", self.agreement, Kind.ORDERED),
            ("categories", self.categories, Kind.CATEGORICAL),
        ):
            if kind not in criterion.kinds:
                raise ParameterError(f"{self.name}: {name} = {criterion} is not for {kind.title} attributes")

    def attempt(self, view: AttackerView, *, seed: int | None, taught: Release | None = None) -> Attempt:
        if len(view.attributes) > MAX_KEYS:
            raise NotApplicableError(
                f"{len(view.attributes)} attributes are known; patterns are counted for {MAX_KEYS} at most"
            )
        agreement = self.agreements(view)
        model = fit(pattern_counts(agreement), 1.0 / max(len(view.released), 2)).among_observed(agreement.observed())
        upper, lower = thresholds(model, self.false_links, self.missed_links)
        details = estimates(model, view.attributes) | {"upper_threshold": upper, "lower_threshold": lower}
        if self.one_to_one:
            return one_to_one(agreement, model, details, child(generator(seed or 0), self.name))
        return GreatestWeights(agreement, model, upper, details)

    def agreements(self, view: AttackerView) -> Agreement:
        """The windows of both files, attribute by attribute."""
        ordered = view.names(Kind.ORDERED)
        windows = [
            (self.agreement if name in ordered else self.categories).windows(
                name, view.known, view.released, view.original
            )
            for name in view.attributes
        ]
        return agree_when_meeting(*(np.column_stack(column) for column in zip(*windows, strict=True)))


@dataclass(frozen=True, eq=False)
class GreatestWeights:
    """Each known record is linked to the rows of the greatest weight; from `threshold` on, a pair is called a link."""

    agreement: Agreement
    model: FellegiSunter
    threshold: float
    details: Mapping[str, object]

    def targets(self) -> NDArray[np.int64]:
        """The first of the rows of the greatest weight."""
        return best_matches(self.agreement, self.model, np.full(len(self.agreement.lower), -1)).nearest

    def score(self, truth: NDArray[np.int64], judged: NDArray[np.int64]) -> ScoredLinks:
        """Score the links; the details say how many reach the threshold, and what share of these is correct."""
        found = best_matches(self.agreement, self.model, truth)
        sure = found.weight >= self.threshold
        correct = np.where(found.truth_tied, 1.0 / np.maximum(found.ties, 1), 0.0)
        details = {
            **self.details,
            "links_above_threshold": float(sure.mean()),
            "correct_above_threshold": float(correct[sure].mean()) if sure.any() else 0.0,
        }
        return ScoredLinks.tied(found.ties[judged], found.truth_tied[judged], len(self.agreement.codes), details)


def estimates(model: FellegiSunter, names: tuple[str, ...]) -> dict[str, object]:
    """The estimated probabilities and weights, by attribute."""

    def by_name(figures: NDArray[np.float64]) -> dict[str, float]:
        return dict(zip(names, figures.tolist(), strict=True))

    return {
        "m": by_name(model.match),
        "u": by_name(model.nonmatch),
        "weight_of_agreement": by_name(np.log2(model.match / model.nonmatch)),
        "weight_of_disagreement": by_name(np.log2((1 - model.match) / (1 - model.nonmatch))),
    }


def one_to_one(
    agreement: Agreement, model: FellegiSunter, details: Mapping[str, object], draws: np.random.Generator
) -> OneToOne:
    """The assignment with the greatest total weight; records with equal windows draw lots, and so do equal rows."""
    if len(agreement.lower) * len(agreement.codes) > MOST_PAIRS:
        raise NotApplicableError(
            f"{len(agreement.lower)} × {len(agreement.codes)} pairs are too many to link one to one by weights; "
            "use the best match, or global-linkage"
        )
    known, released = np.hstack([agreement.lower, agreement.upper]), np.hstack([agreement.codes, agreement.last])
    of_known = order_of_content(known, child(draws, "known"))
    of_released = order_of_content(released, child(draws, "released"))
    shuffled = Agreement(
        agreement.lower[of_known], agreement.upper[of_known], agreement.codes[of_released], agreement.last[of_released]
    )
    found = one_to_one_matches(shuffled, model)
    link = np.full(len(known), -1, dtype=np.int64)
    link[of_known] = np.where(found >= 0, of_released[np.maximum(found, 0)], -1)
    return OneToOne(link, class_of(known), class_of(released), details)
