"""Distributions: before and after in the internal edition, of the released file alone in the public one."""

from collections.abc import Mapping
from typing import Any

from sdckit.charts.distributions import changed, distribution
from sdckit.charts.released_distributions import released_distribution
from sdckit.evaluation.assess import Assessment
from sdckit.microdata import Role

TITLE = "Distributions"
ORDER = 60
LIMIT = 24  # attributes drawn


def content(result: Assessment, *, public: bool) -> Mapping[str, Any] | None:
    """A histogram or bars for each attribute that changed; in public, for each that is released."""
    release = result.release
    if public:
        names = release.masked.names(role=set(Role) - {Role.IDENTIFIER, Role.HOUSEHOLD})
        charts = [released_distribution(release.masked, name) for name in names[:LIMIT]]
        return {"charts": charts, "left_out": names[LIMIT:], "unchanged": (), "recoded": ()} if charts else None
    names = changed(release)
    both = [each.name for each in release.original.attributes if each.name in release.masked]
    return {
        "charts": [distribution(result, name) for name in names[:LIMIT]],
        "left_out": names[LIMIT:],
        "unchanged": [name for name in release.shared_attributes() if name not in names],
        "recoded": [
            name for name in both if release.original.attribute(name).coded != release.masked.attribute(name).coded
        ],
    }
