"""What sampling methods share: records are dropped, values are unchanged, and weights grow to represent the rest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.errors import SchemaError
from sdckit.masking import Masking
from sdckit.microdata import Attribute, Microdata, Role
from sdckit.rows import Rows


@dataclass(frozen=True, kw_only=True)
class Sampling(Masking):
    """Draw some units without replacement; their values are unchanged, survey weights grow to represent the rest."""

    rows = Rows.SAMPLED
    leaves_out = True
    reads_a_part = True

    def chosen(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        return tuple(each.name for each in data.attributes if each.role is not Role.IDENTIFIER)

    def applicable(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        """Whole records are drawn, so all attributes are, whichever are named, and also those without a value."""
        for name in attributes:
            if data.attribute(name).role is Role.IDENTIFIER:
                raise SchemaError(f"{name!r} is an identifier: every release drops it, so leave it out")
        return self.chosen(data, attributes)

    def candidates(self, known: Candidates, released: Microdata | None) -> Candidates | None:
        """A record that was drawn has its own values, but for its weight; whether it was drawn is not known."""
        return known if released is None else self.image(known, {each.name: each for each in released.attributes})

    def image(self, known: Candidates, attributes: Mapping[str, Attribute]) -> Candidates | None:
        """The same: what is drawn stays the same whatever happens to it later."""
        return known.only([name for name in known.names if attributes[name].role is not Role.WEIGHT])


def drawn(data: Microdata, rows: NDArray[np.int64], grossing: NDArray[np.float64]) -> Microdata:
    """The file of the drawn rows, its weights multiplied by how many units each drawn row represents."""
    sample = data.take(rows)
    names = [name for name in data.names(role=Role.WEIGHT) if not data.attribute(name).coded]
    if not names:
        return sample
    return sample.with_matrix(names, sample.matrix(names) * grossing[:, None])
