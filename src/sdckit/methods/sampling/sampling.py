"""What sampling methods share: records are dropped, values stay, and weights grow to stand for the rest."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.masking import Masking
from sdckit.microdata import Microdata, Role
from sdckit.rows import Rows


@dataclass(frozen=True, kw_only=True)
class Sampling(Masking):
    """Draw some units without replacement; their values stay as they are, survey weights grow to stand for the rest."""

    rows = Rows.SAMPLED

    def chosen(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        return tuple(each.name for each in data.attributes if each.role is not Role.IDENTIFIER)

    def applicable(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        """Whole records are drawn, so every attribute is concerned, whichever are named."""
        for name in attributes:
            self._check(data, data.attribute(name))
        return self.chosen(data, attributes)

    def candidates(self, known: Candidates, released: Microdata | None) -> Candidates | None:
        """A record that was drawn has the values it had; whether it was drawn is open."""
        return known


def drawn(data: Microdata, rows: NDArray[np.int64], grossing: NDArray[np.float64]) -> Microdata:
    """The file of the drawn rows, its weights multiplied by what each drawn row stands for."""
    sample = data.take(rows)
    names = [name for name in data.names(role=Role.WEIGHT) if not data.attribute(name).coded]
    if not names:
        return sample
    return sample.with_matrix(names, sample.matrix(names) * grossing[:, None])
