"""Release warnings: what no measure examines in a masked file, and a reader of the figures should know."""

import numpy as np

from sdckit.errors import NotApplicableError, near_miss
from sdckit.evaluation.changed_attributes import changed_attributes, unchanged_warnings
from sdckit.evaluation.control_checks import control_warnings
from sdckit.evaluation.copy_checks import copy_warnings
from sdckit.evaluation.derived_columns import derived_warnings
from sdckit.evaluation.hole_readings import suppressed_records
from sdckit.evaluation.household_checks import household_warnings
from sdckit.evaluation.linking_columns import linking_warnings
from sdckit.evaluation.shown_groups import group_warnings
from sdckit.files.infer_schema import identifying_reason
from sdckit.formatting import percent
from sdckit.microdata import Role
from sdckit.release import Release
from sdckit.risk.attribute_disclosure.surviving_digits import SurvivingDigits
from sdckit.row_order import order_warnings

MANY_BY_DIGITS = 0.01  # share of records found by their digits from which it is worth a warning
FAR_ABOVE_GUESSING = 10.0  # and how many times as many as by guessing
GUESSABLE_SEED = "the draws of this release came from a short seed, which can be guessed: the masking can be undone"


def release_warnings(release: Release) -> list[str]:
    """One sentence for each thing that the figures do not show.

    These are a short seed, steps that changed nothing, an order of the rows or last digits that show masked values,
    unchanged columns that show them, records without any key, an identifier left in or a column that looks like one, a
    column that the original lacks, numbers that became text, households that contradict themselves, their numbers and
    weights where these link files, columns that show who lives together where the number was dropped, a control with
    people of the original, and synthetic rows that are people of the original.
    """
    names = [each.name for each in release.original.attributes]
    warnings = [GUESSABLE_SEED] if release.guessable_seed else []
    warnings += unchanged_warnings(release)
    warnings += order_warnings(release)
    warnings += digit_warnings(release)
    warnings += derived_warnings(release)
    warnings += household_warnings(release)
    warnings += group_warnings(release)
    warnings += linking_warnings(release)
    warnings += control_warnings(release)
    warnings += copy_warnings(release)
    blank = suppressed_records(release)
    if blank:
        warnings.append(
            f"{blank:,} of the {len(release.masked):,} released records have all keys missing; by the usual rule they "
            "agree with everybody, so figures are given by both readings of a missing key, and the stricter one counts"
        )
    warnings += [
        f"the masked file still has the identifier {name!r}: an intruder who has it needs no attack; leave it out"
        for name in release.original.names(role=Role.IDENTIFIER)
        if name in release.masked
    ]
    warnings += identifier_warnings(release)
    for name in columns_of_its_own(release):
        hint = near_miss(name, names)
        meant = hint if "did you mean" in hint else ""
        warnings.append(f"the masked file has a column {name!r} that the original lacks, and no measure uses it{meant}")
    return warnings + [
        f"{each.name!r} has numbers in the original and text in the masked file; measures of numbers leave it out"
        for each in release.original.attributes
        if each.name in release.masked and not each.coded and release.masked.attribute(each.name).coded
    ]


def columns_of_its_own(release: Release) -> list[str]:
    """The released columns that the original lacks and no step of the recipe adds by its definition."""
    added = {name for step in release.recipe.steps for name in step.masking.adds} if release.recipe else set()
    return [
        each.name for each in release.masked.attributes if each.name not in release.original and each.name not in added
    ]


def digit_warnings(release: Release) -> list[str]:
    """A sentence where the last digits of masked values show whose they are."""
    if not release.corresponds or not changed_attributes(release):
        return []
    try:
        score = SurvivingDigits(changed_only=True).measure(release)
    except NotApplicableError:
        return []
    if score.value < MANY_BY_DIGITS or score.value < FAR_ABOVE_GUESSING * (score.baseline or 0.0):
        return []
    return [
        f"the last digits of changed values show the records of {percent(score.value)} of the rows (surviving-digits); "
        "mask by a method that changes all digits, or round the values"
    ]


def identifier_warnings(release: Release) -> list[str]:
    """One sentence for each column that is released unmasked and looks like an identifier, also under a schema."""
    return [
        f"{name!r} may identify the records ({reason}) and is released unmasked; give it the role identifier in the "
        "schema (`sdckit describe FILE --schema-out schema.toml` drafts one)"
        for name, reason in identifying_columns(release).items()
    ]


def identifying_columns(release: Release) -> dict[str, str]:
    """The columns that are released unmasked and look like identifiers, each with the reason."""
    original = release.original
    linking = (Role.IDENTIFIER, Role.HOUSEHOLD, Role.WEIGHT)
    touched = set() if release.recipe is None else set().union(*release.recipe.touched(original))
    names = [
        each.name
        for each in original.attributes
        if each.name in release.masked and each.name not in touched and each.role not in linking
    ]
    if release.recipe is None:  # without a recipe the values show what was masked
        names = [name for name in names if _same_values(release, name)]
    reasons = ((name, identifying_reason(original, name)) for name in names)
    return {name: reason for name, reason in reasons if reason is not None}


def _same_values(release: Release, name: str) -> bool:
    """Whether a column has the same values in both files, in any order."""
    before, after = release.original.attribute(name), release.masked.attribute(name)
    values, others = np.sort(release.original.columns[name]), np.sort(release.masked.columns[name])
    return before.coded == after.coded and np.array_equal(values, others, equal_nan=not before.coded)
