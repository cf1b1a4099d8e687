"""The candidate rows of each record, also where what is promised leaves none."""

from dataclasses import replace

import numpy as np

from sdckit.laws.blocks import Block, Equality, Indices, Intervals, Table
from sdckit.laws.release_law import Candidates, ReleaseLaw

BROKEN = -12.0  # log-likelihood of what should be impossible, where nothing else is left


def candidates_of(
    law: ReleaseLaw, most: int, among: Indices | None = None, *, thorough: bool = False, least: float = 0.0
) -> Candidates:
    """The candidates of all records or of some; where promises leave a record none, those that break the fewest."""
    found = law.candidates(most, among, thorough=thorough, least=least)
    none = np.flatnonzero(np.diff(found.starts) == 0)
    if not len(none):
        return found
    softer = replace(law, blocks=tuple(_softened(block) for block in law.blocks if not isinstance(block, Intervals)))
    more = softer.candidates(most, none if among is None else among[none], thorough=thorough, least=least)
    sizes = np.diff(found.starts)
    sizes[none] = np.diff(more.starts)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    of_none = np.repeat(np.isin(np.arange(len(sizes)), none), sizes)
    classes, log_likelihood = np.empty(starts[-1], np.int64), np.empty(starts[-1])
    classes[of_none], classes[~of_none] = more.classes, found.classes
    log_likelihood[of_none], log_likelihood[~of_none] = more.log_likelihood, found.log_likelihood
    left_out, unlisted = found.left_out.copy(), found.unlisted.copy()
    left_out[none], unlisted[none] = more.left_out, more.unlisted
    return Candidates(starts, classes, log_likelihood, left_out, unlisted)


def _softened(block: Block) -> Block:
    """An equality or a table whose breach is unlikely instead of impossible."""
    if isinstance(block, Equality):
        return replace(block, unequal=np.maximum(block.unequal, BROKEN))
    if isinstance(block, Table):
        return replace(block, entries=np.maximum(block.entries, BROKEN))
    return block
