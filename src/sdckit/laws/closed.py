"""Closed laws: the distributions that a published method and its parameters give without any replay."""

from collections.abc import Sequence

import numpy as np

from sdckit.capabilities import HasLaw
from sdckit.intruder import AttackerView
from sdckit.laws.blocks import Block, Deviations
from sdckit.laws.release_law import RowClasses
from sdckit.masking import Masking
from sdckit.normal_law import NormalLaw, whitening


def closed_blocks(
    masking: Masking, view: AttackerView, known: Sequence[str], masked: Sequence[str], rows: RowClasses
) -> list[Block] | None:
    """The blocks of a masking's closed law; None where it has none or an attribute that it needs is not known."""
    if not isinstance(masking, HasLaw) or not (masking.columnwise or len(known) == len(masked)):
        return None
    names = [name for name in masked if name in known]
    law = masking.law(view.released.only(names))
    if isinstance(law, NormalLaw):
        before, after = view.known.matrix(names), view.released.matrix(names)[rows.first]
        image, row = (before - law.centre) @ law.slope, after - law.centre
        if np.count_nonzero(law.noise - np.diag(np.diag(law.noise))):
            if np.isnan(before).any():
                return None
            whiten = whitening(law.noise)
            return [Deviations(tuple(names), image @ whiten, row @ whiten)]
        deviation = np.sqrt(np.diag(law.noise))
        return [
            Deviations((name,), image[:, [index]] / deviation[index], row[:, [index]] / deviation[index])
            for index, name in enumerate(names)
        ]
    return None
