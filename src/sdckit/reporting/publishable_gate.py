"""The publishable gate: each rule of the policy, its limit, its figure and whether it is met; nothing of a record.

A figure is told where it is one of the whole file, else only whether it keeps the limit. The same where a parameter of
the rule must not be told. Notes and reasons are free text: they go.
"""

from collections.abc import Set
from dataclasses import dataclass, replace
from typing import Any

from sdckit.evaluation.gate import Finding, Verdict
from sdckit.evaluation.policy import Rule
from sdckit.microdata import Microdata
from sdckit.parameters import parameters_of
from sdckit.reporting.open_parameters import hidden_parameters
from sdckit.reporting.rounded import rounded, rounded_beyond

OF_THE_FILE = frozenset({"value", "upper", "bound"})
WITHHELD = "the figure is not told in this edition"


@dataclass(frozen=True)
class Told(Finding):
    """What may be told of a rule; `kept` is whether it is met where its figure is not told."""

    hidden: tuple[str, ...] = ()
    kept: bool | None = None

    @property
    def left_out(self) -> bool:
        """Whether an optional measure does not apply."""
        return super().left_out and self.kept is None

    @property
    def met(self) -> bool:
        """Whether nothing is wrong, by the figure before it was rounded or withheld."""
        return super().met if self.kept is None else self.kept

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, without the hidden parameters."""
        told = super().to_dict()
        return told | {
            "parameters": {name: value for name, value in told["parameters"].items() if name not in self.hidden}
        }


def publishable_gate(verdict: Verdict, masked: Microdata, details: Set[str], *, by_attribute: bool) -> Verdict:
    """What may be told of each rule; `details`, and figures `by_attribute`, where the scores tell them too."""
    figures = {*OF_THE_FILE, *details}
    if by_attribute:
        figures |= {f"by_attribute.{each.name}" for each in masked.attributes}
    return Verdict(tuple(_published(finding, masked, figures) for finding in verdict.findings))


def _published(finding: Finding, masked: Microdata, figures: Set[str]) -> Told:
    hidden = hidden_parameters(finding.rule.measure, masked)
    known = finding.rule.figure in figures
    rule = _published_rule(finding.rule, hidden, known)
    if finding.value is None:
        return Told(rule, None, reason="it does not apply to this file", hidden=hidden)
    if hidden or not known:
        return Told(rule, None, reason=WITHHELD, hidden=hidden, kept=finding.met)
    ends = finding.interval
    return Told(rule, _on_its_side(finding.value, rule), None if ends is None else (rounded(ends[0]), rounded(ends[1])))


def _published_rule(rule: Rule, hidden: tuple[str, ...], known: bool) -> Rule:
    """The rule without its note and hidden parameters; a figure that is not told keeps the first part of its name."""
    component = type(rule.measure)
    usual = {each.name: each.default for each in parameters_of(component) if each.name in hidden}
    return replace(
        rule,
        measure=component(**(rule.measure.parameters() | usual)),
        figure=rule.figure if known else rule.figure.partition(".")[0],
        note="",
        given=tuple(name for name in rule.given if name not in hidden),
    )


def _on_its_side(value: float, rule: Rule) -> float:
    """The figure to three digits, on its side of the limits: rounding neither breaks a rule nor mends it."""
    if rule.allows(value):
        return min(max(rounded(value), rule.min), rule.max)
    return rounded_beyond(value, rule.max if value > rule.max else rule.min)
