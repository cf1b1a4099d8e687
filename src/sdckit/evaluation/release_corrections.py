"""Release corrections: which statistics of a release researchers can correct with its recipe."""

from sdckit.errors import NotApplicableError, ParameterError
from sdckit.evaluation.changed_attributes import changed_attributes
from sdckit.evaluation.corrections import Estimate, corrected_statistics, masked_attributes
from sdckit.release import Release


def release_corrections(release: Release) -> tuple[Estimate, ...]:
    """The corrected statistics of every attribute that the masking changed, from the masked file and the recipe."""
    if release.recipe is None:
        raise ParameterError("corrections need the recipe: make the release with one, or leave out the corrections")
    changed = set(changed_attributes(release))
    names = [name for name in masked_attributes(release.masked, release.recipe) if name in changed]
    if not names:
        return ()
    try:
        return tuple(corrected_statistics(release.masked, release.recipe, names))
    except NotApplicableError:
        return ()
