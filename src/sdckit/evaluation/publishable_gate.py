"""The publishable gate: each rule of the policy, its limit, its figure and whether it is met; nothing of a record.

A figure is published where it is one of the whole file and no parameter of the rule is withheld; else only whether it
is within the limit. Notes and reasons are free text and are left out.
"""

from collections.abc import Set
from dataclasses import dataclass, replace
from typing import Any

from sdckit.evaluation.gate import Finding, Verdict
from sdckit.evaluation.policy import Rule
from sdckit.evaluation.publishable_parameters import withheld_parameters
from sdckit.evaluation.published_rounding import rounded, rounded_beyond
from sdckit.microdata import Microdata
from sdckit.parameters import parameters_of

OF_THE_FILE = frozenset({"value", "upper", "bound"})
WITHHELD = "the figure is not published"


@dataclass(frozen=True)
class PublishedFinding(Finding):
    """What may be published about a rule; `met_unpublished` is whether it is met where its figure is withheld."""

    withheld: tuple[str, ...] = ()
    met_unpublished: bool | None = None

    @property
    def left_out(self) -> bool:
        """Whether an optional measure does not apply."""
        return super().left_out and self.met_unpublished is None

    @property
    def met(self) -> bool:
        """Whether nothing is wrong, by the figure before it was rounded or withheld."""
        return super().met if self.met_unpublished is None else self.met_unpublished

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, without the withheld parameters."""
        document = super().to_dict()
        return document | {
            "parameters": {name: value for name, value in document["parameters"].items() if name not in self.withheld}
        }


def publishable_gate(verdict: Verdict, masked: Microdata, details: Set[str], *, by_attribute: bool) -> Verdict:
    """What may be published about each rule; `details` and figures `by_attribute` as for the scores."""
    figures = {*OF_THE_FILE, *details}
    if by_attribute:
        figures |= {f"by_attribute.{each.name}" for each in masked.attributes}
    return Verdict(tuple(_published(finding, masked, figures) for finding in verdict.findings))


def _published(finding: Finding, masked: Microdata, figures: Set[str]) -> PublishedFinding:
    withheld = withheld_parameters(finding.rule.measure, masked)
    known = finding.rule.figure in figures
    rule = _published_rule(finding.rule, withheld, known)
    if finding.value is None:
        met = None if finding.left_out else finding.met
        why = "it does not apply to this file"
        return PublishedFinding(rule, None, reason=why, withheld=withheld, met_unpublished=met)
    if withheld or not known:
        return PublishedFinding(rule, None, reason=WITHHELD, withheld=withheld, met_unpublished=finding.met)
    ends = finding.interval
    return PublishedFinding(
        rule, _on_its_side(finding.value, rule), None if ends is None else (rounded(ends[0]), rounded(ends[1]))
    )


def _published_rule(rule: Rule, withheld: tuple[str, ...], known: bool) -> Rule:
    """The rule without its note and withheld parameters; of a withheld figure only the first part of its name."""
    component = type(rule.measure)
    defaults = {each.name: each.default for each in parameters_of(component) if each.name in withheld}
    return replace(
        rule,
        measure=component(**(rule.measure.parameters() | defaults)),
        figure=rule.figure if known else rule.figure.partition(".")[0],
        note="",
        given=tuple(name for name in rule.given if name not in withheld),
    )


def _on_its_side(value: float, rule: Rule) -> float:
    """The figure to three digits, on its side of the limits: rounding does not change whether a rule is met."""
    if rule.allows(value):
        return min(max(rounded(value), rule.min), rule.max)
    return rounded_beyond(value, rule.max if value > rule.max else rule.min)
