"""What was not tested: a report that is silent on this would be read as if all were known."""

from collections.abc import Mapping
from typing import Any

from sdckit.catalogue import entries
from sdckit.evaluation.assess import Assessment
from sdckit.reporting.words import words

TITLE = "What was not tested"
ORDER = 85


def content(result: Assessment, *, public: bool) -> Mapping[str, Any] | None:
    """The measures that did not apply or were not asked for, and the attacks that are not part of the result."""
    considered = {*result.scores, *result.skipped}
    return {
        "skipped": [(words(name), reason) for name, reason in result.skipped.items()],
        "not_asked": [
            words(entry.name) for kind in ("risk", "loss") for entry in entries(kind) if entry.name not in considered
        ],
        "no_method_aware_attack": knows_no_method_aware_attack(result),
        "without_interval": [
            score.name for score in result.of_kind("risk") if score.interval is None and score.bound is None
        ],
        "no_before": not result.before,
    }


def knows_no_method_aware_attack(result: Assessment) -> bool:
    """Whether no attack in the result uses the published method and parameters."""
    return not any(words(name).family == "transparency" for name in result.scores)
