"""Worst case: the best distance an intruder could have, what is proven of it, and which attributes it lives on."""

from collections.abc import Mapping
from typing import Any

from sdckit.charts.learned_weights import interactions, learned, weights
from sdckit.evaluation.assess import Assessment

TITLE = "The best distance an intruder could have"
ORDER = 47


def content(result: Assessment, *, public: bool) -> Mapping[str, Any] | None:
    """None where no distance was learnt; weights by attribute stay inside."""
    scores = () if public else learned(result)
    if not scores:
        return None
    best = max(scores, key=lambda score: (score.value, score.bound or 0.0))
    together = [chart for score in scores if (chart := interactions(score)) is not None]
    return {"scores": scores, "best": best, "weights": [weights(score) for score in scores], "together": together}
