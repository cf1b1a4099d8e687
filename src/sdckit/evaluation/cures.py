"""What to change where a release does not meet a policy: one sentence for each kind of rule that is broken."""

import math
from collections.abc import Iterator

from sdckit.evaluation.gate import Finding, Verdict
from sdckit.holes import Holes
from sdckit.measure import Finds
from sdckit.microdata import Kind, Microdata, Role
from sdckit.release import Release

FIGURES = ("value", "upper")  # those that a group of equal rows bounds
SMALLEST_LIMIT = 0.001  # below it, groups of the size that a limit asks for are no longer microdata


def cures(release: Release, verdict: Verdict) -> list[str]:
    """What may help for each rule that is not met; nothing is promised of the measures that no group of rows bounds."""
    broken = [finding for finding in verdict.findings if finding.value is not None and not finding.met]
    return list(dict.fromkeys(cure for finding in broken for cure in _cures(release, finding)))


def _cures(release: Release, finding: Finding) -> Iterator[str]:
    rule, data = finding.rule, release.masked
    if rule.measure.name == "edit-violations":
        yield (
            "a record that violates an edit before masking spoils the mean of its group: correct it first, or mask by "
            "edit-preserving-microaggregation"
        )
    keys = [name for name in release.original.names(role=Role.KEY) if name in data]
    if rule.measure.kind != "risk" or not keys or type(data) is not Microdata:
        return
    household = data.names(role=Role.HOUSEHOLD)
    if rule.measure.role is Role.HOUSEHOLD and household:
        yield (
            f"families are found by their members while {household[0]!r} shows who lives together: declare it an "
            "identifier, which drops it, and with it what is equal within every household"
        )
    elif _met_by_any_value(finding):
        yield (
            f"{rule.measure.name} is within its limit where a missing key agrees with every value, and not where it is "
            f"a value of its own: mask with holes={Holes.OWN_VALUE} (local-suppression and mondrian-relaxed have it), "
            f'or put holes = "{Holes.ANY_VALUE}" into the rule'
        )
    elif rule.measure.finds is Finds.RECORDS and rule.figure in FIGURES and SMALLEST_LIMIT <= rule.max < 1:
        size = math.ceil(1 / rule.max - 1e-9)
        method = _method_by_groups(release.original, keys)
        if not _applied(release, method, keys, size):
            holes = f",holes={Holes.OWN_VALUE}" if method == "mondrian-relaxed" else ""
            yield (
                f"{rule.measure.name} ≤ {rule.max:g}: among {size} rows with the same keys, an intruder is right about "
                f"one. Mask all keys in one step that leaves such groups, as {method}:group_size={size}{holes} does, "
                f"or let `sdckit tune --max-risk {rule.max:g}` search for a recipe"
            )


def _met_by_any_value(finding: Finding) -> bool:
    """Whether a rule is broken only because a missing key counts as a value of its own."""
    figure = finding.by_holes.get(Holes.ANY_VALUE.value)
    return figure is not None and finding.rule.allows(figure)


def _method_by_groups(original: Microdata, keys: list[str]) -> str:
    """A masking that leaves groups of rows with the same keys, for keys of these kinds."""
    if all(original.attribute(name).kind & Kind.CATEGORICAL for name in keys):
        return "local-generalisation"
    if any(original.missing(name) for name in keys):
        return "mondrian-relaxed"
    return "mdav"


def _applied(release: Release, method: str, keys: list[str], size: int) -> bool:
    """Whether the recipe has such a step already, so that the risk has another cause."""
    steps = release.recipe.steps if release.recipe is not None else ()
    return any(
        step.masking.name == method
        and step.masking.parameters()["group_size"] >= size
        and set(keys) <= set(step.attributes)
        for step in steps
    )
