"""Small files of categories for the tests of the maskings."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from sdckit.candidates import Candidates
from sdckit.draws import Draws
from sdckit.hierarchy import Hierarchy
from sdckit.masking import Masking
from sdckit.microdata import Microdata
from sdckit.recipe import Recipe

ZIPS = ("48201", "48202", "48301", "88202", "88301")


def zips(values: Sequence[str | None]) -> Microdata:
    """A file of post codes under their prefixes."""
    frame = pl.DataFrame({"zip": list(values)}, schema={"zip": pl.String})
    return Microdata.from_frame(frame, roles={"zip": "key"}, hierarchies={"zip": Hierarchy.by_prefix(ZIPS)})


def unordered(**columns: Sequence[object]) -> Microdata:
    """A file of unordered keys."""
    names = list(columns)
    return Microdata.from_frame(
        pl.DataFrame(dict(columns), strict=False),
        roles=dict.fromkeys(names, "key"),
        kinds=dict.fromkeys(names, "unordered"),
    )


def random_keys(records: int, sizes: Sequence[int], seed: int, missing: float = 0.0) -> Microdata:
    """Unordered keys with so many categories each, skewed, some values missing."""
    rng = np.random.default_rng([seed, 2004])
    columns = {}
    for index, size in enumerate(sizes):
        codes = np.minimum(rng.geometric(2 / (size + 1), records) - 1, size - 1)
        gone = rng.random(records) < missing
        gone[0] = False
        columns[chr(ord("a") + index)] = [None if lost else f"{code}" for code, lost in zip(codes, gone, strict=True)]
    return unordered(**columns)


def protected(masking: Masking, data: Microdata, attributes: Sequence[str] = (), seed: int = 1) -> Microdata:
    """The file with every key masked, or some attributes."""
    return masking.protect(data, attributes, draws=Draws.of(seed))


def possible_rows(masking: Masking, data: Microdata, seed: int = 1) -> np.ndarray:
    """Which released rows (columns) each record (rows) can be, all keys known."""
    names = tuple(each.name for each in data.attributes)
    recipe = Recipe.of(masking, names)
    released = recipe.protect(data, draws=Draws.of(seed))
    possible = recipe.candidates(Candidates.known(data, names), released)
    assert possible is not None
    return np.array([possible.admits(released, record) for record in range(len(data))])
