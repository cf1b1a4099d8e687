"""Policy: each rule that a release must keep, with its figure and whether it is met; in the internal edition only."""

from collections.abc import Mapping
from typing import Any

from sdckit.evaluation.assess import Assessment

TITLE = "Policy"
ORDER = 15


def content(result: Assessment, *, public: bool) -> Mapping[str, Any] | None:
    """None where no policy was given, and in public, where a rounded figure could seem to keep a limit it breaks."""
    if public or result.gate is None:
        return None
    return {
        "met": result.gate.met,
        "rules": [
            {
                "title": each.rule.title,
                "measure": each.rule.measure.name,
                "limit": each.rule.limit,
                "told": each.told,
                "note": each.rule.note,
                "word": "not asked" if each.left_out else "met" if each.met else "not met",
            }
            for each in result.gate.findings
        ],
    }
