"""Replays: an intruder who knows the recipe applies it again, to see what becomes of records like those released."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sdckit.draws import Draws
from sdckit.errors import SdcError
from sdckit.laws.blocks import Indices
from sdckit.microdata import Microdata
from sdckit.recipe import Recipe, Step
from sdckit.release import aligned

PAIRS = 20_000  # records and what became of them, which a law is learned from
MOST = 30  # replays
FEWEST = 3


@dataclass(frozen=True, eq=False)
class Replay:
    """A file masked again: the masked rows, and the row of each record of the file (−1: none)."""

    masked: Microdata
    row_of: Indices


def replay(file: Microdata, recipe: Recipe, released: Microdata, rng: np.random.Generator) -> Replay | None:
    """Mask a file again, in the codes of the release; None where the recipe does not run on it."""
    recipe = Recipe(
        tuple(Step(step.masking, tuple(name for name in step.attributes if name in file)) for step in recipe.steps)
    )
    try:
        masked = recipe.protect(replace(file, lineage=None), draws=Draws.from_generator(rng))
    except SdcError:
        return None
    row_of = np.arange(len(file))
    if masked.lineage is not None:
        row_of = np.full(len(file), -1, dtype=np.int64)
        row_of[masked.lineage] = np.arange(len(masked))
    names = [each.name for each in masked.attributes if each.name in released]
    return Replay(aligned(masked.only(names), released), row_of)


def replays(
    file: Microdata, recipe: Recipe, released: Microdata, rng: np.random.Generator, first: Sequence[Replay] = ()
) -> list[Replay]:
    """As many replays as a law is learned from, beginning with those that were made before."""
    done = list(first)
    for _ in range(max(FEWEST, min(MOST, -(-PAIRS // max(len(file), 1)))) - len(done)):
        again = replay(file, recipe, released, rng)
        if again is None:
            break
        done.append(again)
    return done


def stand_in(known: Microdata, released: Microdata, names: Sequence[str], rng: np.random.Generator) -> Microdata:
    """A file like the original, from the release: for an intruder who does not know all that the recipe used.

    Rows are those of the release. A known number takes, rank by rank, the values that the intruder knows; another
    number is moved at random between its neighbours: the release itself would teach that nothing changes, as rounded
    and grouped values stay the same when they are masked again. A category that the original does not have, such as
    a coarser one, and a hole that a known attribute does not have, are filled from the values that are known.
    """
    columns: dict[str, NDArray[np.generic]] = {}
    attributes = []
    for name in names:
        attribute, column = released.attribute(name), released.columns[name]
        own = known.columns[name][~known.absent(name)] if name in known else None
        if attribute.coded:
            fine = len(known.attribute(name).categories or ()) if name in known else len(attribute.categories or ())
            strange = (column >= fine) | ((column < 0) & (own is not None and not known.missing(name)))
            column = column.copy()
            if own is not None and len(own):
                column[strange] = rng.choice(own, int(strange.sum()))
                attribute = known.attribute(name)
        else:
            column = _between_neighbours(column, rng)
            if own is not None and len(own):
                column = _with_quantiles(column, np.sort(own), holes=bool(known.missing(name)), rng=rng)
        columns[name] = column
        attributes.append(attribute)
    return replace(released.only(list(names)).with_columns(columns, attributes), lineage=None)


def _with_quantiles(
    column: NDArray[np.float64], ordered: NDArray[np.float64], *, holes: bool, rng: np.random.Generator
) -> NDArray[np.float64]:
    """The column with the quantiles of known values instead of its own; holes are filled where none are known."""
    out = column.copy()
    seen = ~np.isnan(column)
    rank = np.argsort(np.argsort(column[seen], kind="stable"), kind="stable")
    out[seen] = ordered[((rank + 0.5) / max(int(seen.sum()), 1) * len(ordered)).astype(np.int64)]
    if not holes:
        out[~seen] = rng.choice(ordered, int((~seen).sum()))
    return out


def _between_neighbours(column: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """Each value moved at random, at most half the way to the next distinct one on either side."""
    values, index = np.unique(column, return_inverse=True)
    gaps = np.nan_to_num(np.diff(values), nan=0.0) / 2
    down, up = np.concatenate([[0.0], gaps]), np.concatenate([gaps, [0.0]])
    draws = rng.random(len(column))
    moved: NDArray[np.float64] = column - down[index] + draws * (down + up)[index]
    return moved
