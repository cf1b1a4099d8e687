"""Held-out links: learn the distance on some records, link the others with it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.linear_distances.learn import Learned, learn
from sdckit.linear_distances.linear_distance import LinearDistance
from sdckit.linear_distances.linkage import Candidates, Linkage, candidate_lists

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class HeldOut:
    """A distance learned on some queries, and which of the others it links."""

    learned: Learned
    others: Indices
    linked: Flags

    @property
    def share(self) -> float:
        """The share of the other queries that are linked."""
        return float(self.linked.mean()) if len(self.linked) else float("nan")


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
) -> HeldOut:
    """Learn on a random share of the queries, against all targets, and link the others with the learned distance."""
    order = rng.permutation(len(queries))
    count = round(share * len(queries))
    known, others = np.sort(order[:count]), np.sort(order[count:])

    def candidates_of(chosen: Indices) -> list[Indices] | None:
        if candidates is None:
            return None
        offsets, members = candidate_lists(candidates, len(queries))
        return [members[offsets[i] : offsets[i + 1]] for i in chosen]

    learned = learn(
        queries[known], targets, truth[known], model,
        budget=budget, rng=rng, strict=strict, candidates=candidates_of(known),
    )  # fmt: skip
    rest = Linkage(queries[others], targets, truth[others], model, candidates_of(others), strict)
    return HeldOut(learned, others, rest.linked(model.onto_axes(learned.parameters, rest.axes)))
