"""Held-out links: learn the distance on some records, link the others with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.linear_distances.candidate_lists import Candidates, candidate_lists, taken
from sdckit.linear_distances.learn import Learned, learn
from sdckit.linear_distances.linear_distance import LinearDistance
from sdckit.linear_distances.linkage import Linkage
from sdckit.linear_distances.pairs import Column

Array = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True)
class HeldOut:
    """A distance learned on some queries, and the share of a link that each of the others receives."""

    learned: Learned
    others: Indices
    credits: Array

    @property
    def share(self) -> float:
        """The share of the other queries that are linked."""
        return float(self.credits.mean()) if len(self.credits) else float("nan")


def learn_on_a_share(
    queries: Array,
    targets: Array,
    truth: Indices,
    model: LinearDistance,
    *,
    share: float = 0.5,
    budget: float = 5.0,
    rng: np.random.Generator,
    strict: bool = True,
    candidates: Candidates | None = None,
    columns: Sequence[Column] | None = None,
) -> HeldOut:
    """Learn on a random share of the queries, against all targets, and link the others with the learned distance."""
    order = rng.permutation(len(queries))
    count = round(share * len(queries))
    known, others = np.sort(order[:count]), np.sort(order[count:])

    def candidates_of(chosen: Indices) -> Candidates | None:
        return None if candidates is None else taken(*candidate_lists(candidates, len(queries)), chosen)

    learned = learn(
        queries[known], targets, truth[known], model,
        budget=budget, rng=rng, strict=strict, candidates=candidates_of(known), columns=columns,
    )  # fmt: skip
    rest = Linkage(queries[others], targets, truth[others], model, candidates_of(others), strict, columns)
    linked = rest.linked(model.onto_axes(learned.parameters, rest.axes))
    return HeldOut(learned, others, rest.credits(linked))
