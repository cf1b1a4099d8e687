"""Linking columns: numbers of households and weights are no attributes of a person, and show who it is all the same.

The number of a household may be that of a register, and links two releases. A weight that one household alone has does
so too, also where the number is gone.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.formatting import percent
from sdckit.household_numbers import renumbered
from sdckit.microdata import Microdata, Role
from sdckit.release import Release

MANY_ALONE = 0.05  # share of the units with a weight of their own from which it is worth a warning


def linking_warnings(release: Release) -> list[str]:
    """One sentence for each column of household numbers that are the original's, and of weights that single out."""
    original, masked = release.original, release.masked
    numbers = [
        f"{name!r} has the household numbers of the original, which link this file to others and may be those of a "
        "register; `sdckit publish` and `protect --shuffle-rows` number households anew"
        for name in masked.names(role=Role.HOUSEHOLD)
        if name in original and _are_kept(original, masked, name)
    ]
    unit = "household" if masked.names(role=Role.HOUSEHOLD) else "record"
    weights = [name for name in masked.names(role=Role.WEIGHT) if name in original]
    shares = {name: share_alone(masked, name, original.columns[name]) for name in weights}
    return numbers + [
        f"{percent(share)} of the {unit}s have a value of {name!r} that no other {unit} has: it links them to other "
        "files with these weights; round the weights, or leave them out"
        for name, share in shares.items()
        if share >= MANY_ALONE
    ]


def share_alone(data: Microdata, name: str, values: NDArray[Any] | None = None) -> float:
    """The share of the units, households or else records, that have a value, one of `values`, which no other has."""
    units = data.units()
    present = ~data.absent(name)
    if values is not None:
        present &= np.isin(data.columns[name], values)
    pairs = np.unique(np.stack([data.columns[name][present].astype(float), units[present].astype(float)]), axis=1)
    _, of, owners = np.unique(pairs[0], return_inverse=True, return_counts=True)
    alone = np.unique(pairs[1][owners[of] == 1])
    return len(alone) / max(len(np.unique(units)), 1)


def _are_kept(original: Microdata, masked: Microdata, name: str) -> bool:
    """Whether released numbers are those of the original, and more than a count of the released households."""
    before, after = set(original.values(name)), [*masked.values(name)]
    return not before.isdisjoint(after) and after != [*renumbered(masked).values(name)]
