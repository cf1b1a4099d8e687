"""Release corrections: which statistics of a release researchers can correct with its recipe."""

from sdckit.errors import NotApplicableError, ParameterError
from sdckit.evaluation.corrections import Estimate, corrected_statistics
from sdckit.release import Release


def release_corrections(release: Release) -> tuple[Estimate, ...]:
    """The corrected statistics of every masked attribute, from the masked file and the recipe alone."""
    if release.recipe is None:
        raise ParameterError("corrections need the recipe: make the release with one, or leave out the corrections")
    try:
        return tuple(corrected_statistics(release.masked, release.recipe))
    except NotApplicableError:
        return ()
