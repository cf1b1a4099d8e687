"""What an intruder sees of a tiny release, written down value by value."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sdckit.edits import Edits
from sdckit.intruder import AttackerView, Intruder
from sdckit.laws.blocks import Block
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.recipe import Recipe
from sdckit.release import Release

Columns = Mapping[str, Sequence[Any]]


def numbers(columns: Columns, edits: Edits = Edits(), **declared: Any) -> Microdata:
    """A file of continuous keys; None is missing."""
    attributes = tuple(Attribute(name, Kind.CONTINUOUS, Role.KEY, **declared) for name in columns)
    return Microdata(attributes, {name: np.array(column, dtype=float) for name, column in columns.items()}, edits)


def categories(columns: Columns, letters: str = "abc", **declared: Any) -> Microdata:
    """A file of unordered keys whose categories are letters; "-" is missing."""
    attributes = tuple(Attribute(name, Kind.UNORDERED, Role.KEY, tuple(letters), **declared) for name in columns)
    return Microdata(
        attributes, {name: np.array([letters.find(each) for each in text]) for name, text in columns.items()}
    )


def view_of(original: Microdata, masked: Microdata, recipe: Any = None, **knowledge: Any) -> AttackerView:
    """What an intruder sees of a file and another one that it became."""
    chain = None if recipe is None else Recipe.of(recipe).resolve(original)
    return Intruder(**knowledge).view(Release.in_order(original, masked, chain), seed=1)


def of_all_pairs(block: Block, records: int, classes: int) -> np.ndarray:
    """What a block says of each record (line) and class of rows (column)."""
    lines, columns = np.divmod(np.arange(records * classes), classes)
    return np.asarray(block.of_pairs(lines, columns)).reshape(records, classes)
