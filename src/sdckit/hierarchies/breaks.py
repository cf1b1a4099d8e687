"""A hierarchy by breaks, for numbers: `{ breaks = [[0, 15, 25, 65], [0, 25]] }`, fewer breaks from level to level."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from sdckit.bands import Bands, bands_at
from sdckit.errors import ParameterError, SchemaError
from sdckit.hierarchies.intervals import number_of
from sdckit.hierarchy import ROOT, Hierarchy, category_text

KEYWORD = "breaks"
PROPERTIES = {
    "breaks": {
        "description": "Where each band begins: a list of numbers, or one list for each level, each part of the last.",
        "type": "array",
        "items": {"type": ["number", "array"], "items": {"type": "number"}, "minItems": 1},
        "minItems": 1,
    },
    "labels": {
        "description": "What the bands are called: a list of texts, or one list for each level.",
        "type": "array",
        "items": {"type": ["string", "array"], "items": {"type": "string"}},
    },
}


def build(values: Iterable[Any], declaration: Mapping[str, Any]) -> Hierarchy:
    """The hierarchy over these values, which must be numbers."""
    numbers = {category_text(value): number_of(value, "breaks") for value in values}
    whole = all(number.is_integer() for number in numbers.values())
    levels = band_levels(declaration["breaks"], declaration.get("labels", []), whole=whole)
    parent: dict[str, str] = {}
    paths = {leaf: (leaf, *(_band(bands, number) for bands in levels), ROOT) for leaf, number in numbers.items()}
    for path in paths.values():
        for below, above in pairwise(dict.fromkeys(path)):
            if parent.setdefault(below, above) != above:
                raise SchemaError(
                    f"a hierarchy by breaks has two bands {below!r} with different bands above; give each a label of "
                    "its own"
                )
    return Hierarchy(parent, dict(declaration), paths)


def band_levels(breaks: Sequence[Any], labels: Sequence[Any], *, whole: bool) -> list[Bands]:
    """The bands of each level; each level has only breaks of the one before, so that its bands are unions."""
    rows = list(breaks) if breaks and isinstance(breaks[0], Sequence) else [list(breaks)]
    texts = list(labels) if labels and not isinstance(labels[0], str) else [list(labels)] if labels else []
    if any(isinstance(each, str) or not isinstance(each, Sequence) for each in rows):
        raise SchemaError("breaks must be a list of numbers, or a list of such lists, one for each level")
    for fine, coarse in pairwise(rows):
        extra = [each for each in coarse if each not in fine]
        if extra or len(coarse) >= len(fine):
            named = f"{extra[0]:g} is no break of" if extra else "no break is left out from"
            raise SchemaError(f"the bands {coarse} do not nest in {fine}: {named} the level before")
    if len(texts) > len(rows):
        raise SchemaError(f"there are labels for {len(texts)} levels and breaks for {len(rows)}; give as many")
    try:
        return [
            bands_at(row, whole=whole, labels=texts[level] if level < len(texts) else ())
            for level, row in enumerate(rows)
        ]
    except ParameterError as problem:
        raise SchemaError(str(problem)) from None


def _band(bands: Bands, number: float) -> str:
    text = bands.text(bands.recoded(np.array([number]))[0])
    assert text is not None
    return text
