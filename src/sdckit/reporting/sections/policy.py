"""Policy: each rule that a release must keep, with its figure and whether it is met."""

from collections.abc import Mapping
from typing import Any

from sdckit.evaluation.assess import Assessment
from sdckit.evaluation.gate import Finding, distinct_figure

TITLE = "Policy"
ORDER = 15


def content(result: Assessment, *, public: bool) -> Mapping[str, Any] | None:
    """None where no policy was given."""
    if result.gate is None:
        return None
    return {
        "met": result.gate.met,
        "rules": [
            {
                "title": each.rule.title,
                "measure": each.rule.measure.name,
                "limit": each.rule.limit,
                "found": found(each),
                "note": each.rule.note,
                "word": "left out" if each.left_out else "met" if each.met else "not met",
            }
            for each in result.gate.findings
        ],
        "left_out": any(each.left_out for each in result.gate.findings),
    }


def found(finding: Finding) -> str:
    """The figure, with the digits that tell it from its limits, or why there is none."""
    rule = finding.rule
    return finding.reason if finding.value is None else distinct_figure(finding.value, [rule.min, rule.max])
