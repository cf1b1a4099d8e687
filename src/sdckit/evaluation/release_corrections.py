"""Release corrections: which statistics of a release researchers can correct with its recipe."""

from sdckit.errors import ParameterError
from sdckit.evaluation.corrections import Estimate, corrected_statistics
from sdckit.microdata import Kind, Role
from sdckit.release import Release


def release_corrections(release: Release) -> tuple[Estimate, ...]:
    """The corrected statistics of every ordered attribute that is data, from the masked file and the recipe alone."""
    if release.recipe is None:
        raise ParameterError("corrections need the recipe: make the release with one, or leave out the corrections")
    names = release.masked.names(kind=Kind.ORDERED, role={Role.KEY, Role.CONFIDENTIAL, Role.OTHER})
    return tuple(corrected_statistics(release.masked, release.recipe, names)) if names else ()
