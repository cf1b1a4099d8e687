"""The file: its size and attributes, and what the intruder is supposed to know of them."""

from collections.abc import Mapping
from typing import Any

from sdckit.charts.distributions import changed
from sdckit.evaluation.assess import Assessment
from sdckit.microdata import Microdata

TITLE = "The file and the intruder"
ORDER = 30
LIMIT = 40


def content(result: Assessment, *, public: bool) -> Mapping[str, Any] | None:
    """Attributes with kind and role; counts of the original only in the internal edition."""
    release = result.release
    known = set(result.intruder.known_attributes(release))
    different = None if public else set(changed(release))
    masked = release.masked.attributes
    return {
        "records": len(release.masked),
        "original_records": None if public else len(release.original),
        "dropped": ()
        if public
        else [each.name for each in release.original.attributes if each.name not in release.masked],
        "attributes": [
            {
                "name": each.name,
                "label": each.label,
                "kind": each.kind.title,
                "role": each.role.value,
                "known": each.name in known,
                "changed": None if different is None else each.name in different,
                "missing": None if public else _missing(release.original, release.masked, each.name),
            }
            for each in masked[:LIMIT]
        ],
        "left_out": max(0, len(masked) - LIMIT),
        "known": [name for name in release.shared_attributes() if name in known],
        "intruder": {"noise": result.intruder.noise, "knows_method": result.intruder.knows_method},
        "knows_records": _records(result),
        "has_recipe": release.recipe is not None,
    }


def _missing(original: Microdata, masked: Microdata, name: str) -> str:
    before = str(original.missing(name)) if name in original else "–"
    after = str(masked.missing(name))
    return before if before == after else f"{before} → {after}"


def _records(result: Assessment) -> str:
    known = result.intruder.records
    if known is None:
        return "every record"
    if isinstance(known, tuple):
        return f"{len(known):,} of the records"
    return f"a random {100 * known:.3g}% of the records"
