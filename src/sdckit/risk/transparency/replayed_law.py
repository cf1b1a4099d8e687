"""The replayed law: an intruder who knows a chain of maskings applies it to the release and observes how records move.

Steps that mask the same attributes leave no law to be read off, but method and parameters are published: applied to the
release itself, which is much like the original, they show where a record goes on average and how far it strays. Steps
that only delete values move no record and are not applied again.
"""

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.errors import SdcError
from sdckit.masking import Masking
from sdckit.microdata import Microdata
from sdckit.normal_law import NormalLaw
from sdckit.randomness import child, generator
from sdckit.recipe import Recipe
from sdckit.release import protect

ENOUGH = 2000  # rows that the law is learnt from at least, by replaying as often as that takes
MOST = 10  # replays


def replayed_law(recipe: Recipe, released: Microdata, names: list[str], seed: int | None) -> NormalLaw | None:
    """The normal law that fits best how these numeric attributes move; None where the recipe does not run again."""
    names = [name for name in names if not released.attribute(name).coded]
    moving = tuple(step for step in recipe.steps if not only_deletes(step.masking, released, names))
    draws = child(generator(seed or 0), "replay")
    before: list[NDArray[np.float64]] = []
    after: list[NDArray[np.float64]] = []
    values = released.matrix(names)
    if not names or not moving or len(values) <= len(names) + 1:
        return None
    for _ in range(min(MOST, -(-ENOUGH // len(values)))):
        try:
            again = protect(released, Recipe(moving), seed=int(draws.integers(2**31)), allow_undeclared=True)
        except SdcError:
            return None
        rows = again.true_rows(np.arange(len(values)))
        moved = again.masked.matrix(names)[rows]
        seen = (rows >= 0) & ~np.isnan(values).any(axis=1) & ~np.isnan(moved).any(axis=1)
        before.append(values[seen])
        after.append(moved[seen])
    start, end = np.concatenate(before), np.concatenate(after)
    return NormalLaw.fitted(start, end) if len(start) > len(names) + 1 else None


def only_deletes(masking: Masking, released: Microdata, names: list[str]) -> bool:
    """Whether a masking leaves every value unchanged or missing, by its candidates: it moves no record."""
    record = Candidates.known(released.take(np.arange(1)), names)
    possible = masking.candidates(record, None)
    return (
        possible is not None
        and bool(possible.may_be_missing)
        and possible.certain
        and all(name in possible.lower for name in record.lower)
        and all(np.array_equal(possible.lower[name], record.lower[name]) for name in record.lower)
        and all(np.array_equal(possible.upper[name], record.upper[name]) for name in record.upper)
    )
