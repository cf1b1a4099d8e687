"""Release warnings: what no measure examines in a masked file, and a reader of the figures should know."""

from sdckit.errors import near_miss
from sdckit.evaluation.hole_readings import suppressed_records
from sdckit.microdata import Role
from sdckit.release import Release

GUESSABLE_SEED = "the draws of this release came from a short seed, which can be guessed: the masking can be undone"


def release_warnings(release: Release) -> list[str]:
    """One sentence for each identifier left in, column that the original lacks, number that became text, short seed.

    Records without any key are counted too, as they agree with everybody by the usual rule.
    """
    names = [each.name for each in release.original.attributes]
    warnings = [GUESSABLE_SEED] if release.guessable_seed else []
    blank = suppressed_records(release)
    if blank:
        warnings.append(
            f"{blank} of the {len(release.masked)} released records have none of the keys; by the usual rule they "
            "agree with everybody, so figures are given by both readings of a missing key, and the stricter one counts"
        )
    warnings += [
        f"the masked file still has the identifier {name!r}: an intruder who has it needs no attack; leave it out"
        for name in release.original.names(role=Role.IDENTIFIER)
        if name in release.masked
    ]
    for each in release.masked.attributes:
        if each.name not in names:
            hint = near_miss(each.name, names)
            meant = hint if "did you mean" in hint else ""
            warnings.append(
                f"the masked file has a column {each.name!r} that the original lacks, and no measure uses it{meant}"
            )
    return warnings + [
        f"{each.name!r} has numbers in the original and text in the masked file; measures of numbers leave it out"
        for each in release.original.attributes
        if each.name in release.masked and not each.coded and release.masked.attribute(each.name).coded
    ]
