"""What maskings of single categorical attributes share: each gets its attribute and codes, and gives both back."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.draws import Draws
from sdckit.masking import Masking
from sdckit.microdata import Attribute, Microdata


class CategoryMasking(Masking):
    """A masking of one categorical attribute at a time, on its observed values alone; missing ones stay in place."""

    columnwise = True

    def masked(
        self, attribute: Attribute, codes: NDArray[np.int32], draws: Draws
    ) -> tuple[Attribute, NDArray[np.int32]]:
        """The attribute with the categories it has now, and the masked codes of the observed values."""
        raise TypeError(f"{type(self).__name__} must define masked")

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        draws = draws.over(len(data))
        columns, meanings = {}, []
        for name in self.applicable(data, attributes):
            column = np.array(data.columns[name])
            seen = column >= 0
            meaning, column[seen] = self.masked(data.attribute(name), column[seen], draws.child(name).among(seen))
            columns[name] = column
            meanings.append(meaning)
        return data.with_columns(columns, meanings)
