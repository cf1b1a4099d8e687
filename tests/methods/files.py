"""Small files for the tests of the maskings."""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.draws import Draws
from sdckit.masking import Masking
from sdckit.microdata import Microdata
from sdckit.recipe import Recipe


def numeric(values: NDArray[np.float64], **declared: object) -> Microdata:
    """A file of numbers, its columns named a, b, c …"""
    names = [chr(ord("a") + index) for index in range(values.shape[1])]
    return Microdata.from_frame(pl.DataFrame(dict(zip(names, values.T.tolist(), strict=True))), **declared)


def correlated(records: int, attributes: int, seed: int) -> NDArray[np.float64]:
    """Normal values that share a common factor."""
    rng = np.random.default_rng([seed, 1996])  # a stream of its own: a masking with the same seed draws other numbers
    return rng.standard_normal((records, attributes)) + 1.5 * rng.standard_normal((records, 1)) + 10


def masked_matrix(
    masking: Masking, values: NDArray[np.float64], seed: int = 1, **declared: object
) -> NDArray[np.float64]:
    """The matrix after masking every column."""
    data = numeric(values, **declared)
    names = [each.name for each in data.attributes]
    return masking.protect(data, names, draws=Draws.of(seed)).matrix(names)


def admitted(masking: Masking, values: NDArray[np.float64], *, complete: bool, seed: int = 1) -> NDArray[np.bool_]:
    """Which released rows (columns) each record (rows) can be, all attributes known; and row i is record i's."""
    data = numeric(values)
    names = [each.name for each in data.attributes]
    recipe = Recipe.of(masking, names)
    released = recipe.protect(data, draws=Draws.of(seed))
    possible = recipe.candidates(Candidates.known(data, names, complete=complete), released)
    assert possible is not None
    return np.array([possible.admits(released, record) for record in range(len(data))])
