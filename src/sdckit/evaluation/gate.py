"""The gate: is a policy met? Every rule with its figure, or why there is none."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from sdckit.errors import NotApplicableError, ParameterError, message_to_store, near_miss
from sdckit.evaluation.measurement import Measurement, extensions_of, without_recipe
from sdckit.evaluation.policy import Policy, Rule, same_but_for_rounding
from sdckit.formatting import html_table
from sdckit.measure import Need, Score, number, plain
from sdckit.microdata import Microdata
from sdckit.progress import NoProgress, Progress, by_piece
from sdckit.release import Release
from sdckit.rows import Unknown

BY_ATTRIBUTE = "by_attribute."  # a figure with this before the name of an attribute is that of the attribute

OF_CONTROL = ("control", "excess", "control_interval", "excess_interval")  # figures that need control records
SHARED_FIGURES = ("value", "upper", "worst_record", "expected_found", "sure_claims", "sure_claims_correct")
FOUND_WITHOUT = "the limit of the intruder who knows the recipe; this attack needs none, and both can carry it out"
NOTHING_CHECKED = "no rule applies to this file, so nothing was checked"


@dataclass(frozen=True)
class Finding:
    """A rule and its figure, or why there is none; `by_holes` has the figure by each reading of missing keys.

    `input_missing`: there is no figure because something was not given, which is not the same as not applying.
    """

    rule: Rule
    value: float | None
    interval: tuple[float, float] | None = None
    reason: str = ""
    by_holes: Mapping[str, float] = field(default_factory=dict)
    input_missing: bool = False

    @property
    def left_out(self) -> bool:
        """Whether an optional measure does not apply."""
        return self.value is None and self.rule.optional and not self.input_missing

    @property
    def met(self) -> bool:
        """Whether nothing is wrong; a measure that does not apply meets no limit unless the rule is optional."""
        return self.left_out if self.value is None else self.rule.allows(self.value)

    @property
    def description(self) -> str:
        """The figure and its limit, or why there is no figure."""
        if self.value is None:
            return self.reason
        limits = [limit for limit in (self.rule.min, self.rule.max) if math.isfinite(limit)]
        found = f"{distinct_figure(self.value, limits)} (limit {self.rule.limit.removeprefix('≤ ')})"
        readings = ", ".join(f"{value:.4g} by {rule}" for rule, value in self.by_holes.items())
        return f"{found}; missing keys: {readings}" if readings else found

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        rule = self.rule
        return {
            "rule": rule.title,
            "measure": rule.measure.name,
            "parameters": {
                name: value if isinstance(value, bool | int | float | str | None) else str(value)
                for name, value in plain(rule.measure.parameters()).items()
            },
            "figure": rule.figure,
            "value": None if self.value is None else number(self.value),
            "interval": None if self.interval is None else [number(end) for end in self.interval],
            "min": number(rule.min),
            "max": number(rule.max),
            "optional": rule.optional,
            "met": self.met,
            "reason": self.reason,
            "by_holes": {rule: number(value) for rule, value in self.by_holes.items()} or None,
            "note": rule.note,
        }


@dataclass(frozen=True)
class Verdict:
    """The finding for every rule of a policy."""

    findings: tuple[Finding, ...]

    @property
    def nothing_checked(self) -> bool:
        """Whether no rule was compared with a figure: every one is optional and does not apply."""
        return all(finding.left_out for finding in self.findings)

    @property
    def met(self) -> bool:
        """Whether every rule is met; where nothing was checked, the policy is not met."""
        return not self.nothing_checked and all(finding.met for finding in self.findings)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {"met": self.met, "rules": [finding.to_dict() for finding in self.findings]}

    def _repr_html_(self) -> str:
        """What a notebook shows: every rule with what was found."""
        words = {True: "met", False: "not met"}
        rows = [(each.rule.title, each.description, words[each.met]) for each in self.findings]
        why = f": {NOTHING_CHECKED}" if self.nothing_checked else ""
        return html_table(("rule", "found", ""), rows, f"The policy is {words[self.met]}{why}.")


def gate(
    release: Release,
    policy: Policy,
    *,
    every: bool = False,
    seed: int | None = None,
    progress: Progress = NoProgress(),
) -> Verdict:
    """Compare a release with a policy; the figures are those of `assess`.

    Parameters
    ----------
    policy
        The rules, and the intruder whom the release must withstand.
    every
        Attack all known records where an attack takes 1,000 at most by default.
    seed
        Seed of the measures that draw at random.

    Returns
    -------
    The finding for each rule; `met` says whether the release meets all of them.

    Example
    -------
    >>> from sdckit.datasets import simulate_business
    >>> from sdckit.release import protect
    >>> release = protect(simulate_business(60, seed=1), "mdav:group_size=3")
    >>> policy = Policy.from_dict({"rules": [{"measure": "k-anonymity", "group_size": 3, "max": 0}]})
    >>> gate(release, policy).met
    True
    """
    measurement = Measurement(release, policy.intruder, seed, every)
    findings = []
    rules = (*policy.rules, *implied_rules(policy, release.masked))
    start = by_piece(progress, len(rules))
    for rule in rules:
        start(rule.measure.name)
        try:
            by_attribute = rule.figure.startswith(BY_ATTRIBUTE)
            score = measurement.score_by_attribute if by_attribute else measurement.score
            findings.append(finding_of(rule, score(rule.measure)))
        except NotApplicableError as reason:
            if isinstance(release.rows, Unknown) and Need.ROWS in rule.measure.needs:
                raise
            if rule not in policy.rules:
                continue
            missing = release.recipe is None and Need.RECIPE in rule.measure.needs
            findings.append(
                Finding(rule, None, reason=f"does not apply: {message_to_store(reason)}", input_missing=missing)
            )
    return Verdict((*findings, *_found_without_the_method(policy, findings, measurement)))


def _found_without_the_method(policy: Policy, findings: list[Finding], measurement: Measurement) -> Iterator[Finding]:
    """Limits of an intruder who knows the recipe that are met by it and broken by the one who does not know it.

    That one's attack is open to both. Where it finds more, the recipe is not that of the file.
    """
    named = {rule.measure.name for rule in policy.rules}
    for finding in findings:
        rule = finding.rule
        attack = without_recipe(rule.measure)
        if attack is None or attack.name in named or rule.figure not in SHARED_FIGURES or not finding.met:
            continue
        broken = replace(rule, measure=attack, min=-math.inf, optional=True, given=(), note=FOUND_WITHOUT)
        try:
            also = finding_of(broken, measurement.score(attack))
        except (NotApplicableError, ParameterError):
            continue
        if not also.met:
            named.add(attack.name)
            yield also


def implied_rules(policy: Policy, masked: Microdata) -> tuple[Rule, ...]:
    """A limit of a risk is one of the same intruder who uses more, unless the policy limits that one itself."""
    named = {rule.measure.name for rule in policy.rules}
    return tuple(
        replace(rule, measure=extension, optional=True, given=(), note=f"the limit of {rule.measure.name}")
        for rule in policy.rules
        if rule.figure in SHARED_FIGURES
        for extension in extensions_of(rule.measure, masked)
        if extension.name not in named
    )


def finding_of(rule: Rule, score: Score) -> Finding:
    """What the score of its measure says of a rule."""
    found = dict(figures_of(score))
    if rule.figure not in found:
        if rule.figure.split(".")[0] in OF_CONTROL and rule.measure.for_synthesis:
            raise ParameterError(
                f"{rule.measure.name} has the figure {rule.figure!r} only beside control records; give some (--control)"
            )
        raise ParameterError(f"{rule.measure.name} has no figure {rule.figure!r}{near_miss(rule.figure, found)}")
    if rule.figure != "value":
        interval = score.details.get(f"{rule.figure}_interval")
        return Finding(rule, found[rule.figure], None if interval is None else (interval[0], interval[1]))
    return Finding(rule, found[rule.figure], score.interval, by_holes=score.details.get("by_holes", {}))


def figures_of(score: Score) -> Iterator[tuple[str, float]]:
    """Every number of a score by name, those within a detail or by attribute with a dot."""
    yield "value", float(score.value)
    if score.interval is not None:
        yield "upper", float(score.interval[1])
    if score.bound is not None:
        yield "bound", float(score.bound)
    if score.by_record is not None and np.isfinite(score.by_record).any():
        yield "worst_record", float(np.nanmax(score.by_record))
    yield from _numbers(score.details)
    yield from _numbers(score.by_attribute or {}, BY_ATTRIBUTE)


def _numbers(values: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, float]]:
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _numbers(value, f"{before}{name}.")
        elif isinstance(value, bool | int | float | np.generic) and np.ndim(value) == 0:
            yield f"{before}{name}", float(value)


def distinct_figure(value: float, limits: list[float]) -> str:
    """A figure with four digits, or as many as show that it differs from its limits, except for rounding.

    >>> distinct_figure(0.123456, [0.2]), distinct_figure(0.0500001, [0.05])
    ('0.1235', '0.0500001')
    >>> distinct_figure(0.0, [0]), distinct_figure(0.1 + 2e-17, [0.1])
    ('0', '0.1')
    """
    for limit in limits:
        if same_but_for_rounding(value, [limit]):
            return f"{limit:.15g}"
    for digits in range(4, 17):
        text = f"{value:.{digits}g}"
        if all(text != f"{limit:.{digits}g}" for limit in limits):
            return text
    return repr(value)
