"""Which attributes look unchanged: an intruder without the method compares how values occur together in the two files.

That a column has the same values in both files means little: swapping leaves them the same. That the *combinations* of
several columns are the same shows that these columns were released as they are, or moved together.
"""

from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.equivalence_classes import class_of
from sdckit.laws.blocks import UNKNOWN

AGREE = 0.99  # share of common combinations from which columns count as unchanged
MOSTLY = 0.95  # of what the single columns have in common, from which a value may be the record's own
COMMON = 0.9  # share of common values that a column needs to be compared with others

Codes = NDArray[np.int64]


class Unchanged:
    """The columns of two files, as equal codes for equal values (−1: missing), and what they have in common."""

    def __init__(self, known: Codes, released: Codes) -> None:
        self.known, self.released = known, released
        count = known.shape[1]
        self._holes = tuple((file == UNKNOWN).any(axis=0) for file in (known, released))
        self._found: dict[frozenset[int], float] = {}
        self.single = [self.common([index]) for index in range(count)]
        self._pairs = {pair: self.common(list(pair)) for pair in combinations(range(count), 2)}

    def common(self, columns: list[int]) -> float:
        """The share of the combinations of these columns that both files have, as often."""
        asked = frozenset(columns)
        if asked not in self._found:
            self._found[asked] = self._common(sorted(columns))
        return self._found[asked]

    def _common(self, columns: list[int]) -> float:
        known, released = (self._present(side, columns) for side in (0, 1))
        if not len(known) or not len(released):
            return 0.0
        of = class_of(np.concatenate([known, released])).of
        one, other = (np.bincount(part, minlength=int(of.max()) + 1) for part in (of[: len(known)], of[len(known) :]))
        return float(np.minimum(one, other).sum() / min(len(known), len(released)))

    def _present(self, side: int, columns: list[int]) -> Codes:
        """The combinations of these columns in one of the files, without those that miss a value."""
        codes = (self.known, self.released)[side][:, columns]
        return codes[(codes != UNKNOWN).all(axis=1)] if self._holes[side][columns].any() else codes

    @cached_property
    def sets(self) -> list[tuple[int, ...]]:
        """Columns whose combinations are the same in both files, set by set: these are unchanged, or moved together.

        A column by itself is a set too. First come the sets with the most columns, and of these those with the most
        combinations: that these agree by chance is least likely.
        """
        same = [index for index, share in enumerate(self.single) if share >= AGREE]
        return sorted({tuple(sorted(self._grown(first, same))) for first in same}, key=self.order_of, reverse=True)

    def order_of(self, columns: tuple[int, ...]) -> tuple[int, int, tuple[int, ...]]:
        """By what sets are sorted: the number of columns, and that of their combinations."""
        return len(columns), len(class_of(self.released[:, columns]).sizes) if columns else 0, columns

    def _grown(self, first: int, same: list[int]) -> list[int]:
        """A column with those that agree with it and with each other, the best agreeing first."""
        chosen = [first]
        others = sorted((each for each in same if each != first), key=lambda each: (-self._pair(first, each), each))
        for index in others:
            if self._pair(first, index) >= AGREE and self.common([*chosen, index]) >= AGREE:
                chosen.append(index)
        return chosen

    def mostly(self, index: int) -> bool:
        """Whether a column may have kept most values: it goes with another column as well as the two can."""
        others = [other for other, share in enumerate(self.single) if other != index and share > COMMON]
        reachable = [min(self.single[index], self.single[other]) for other in others]
        pairs = [self._pair(index, other) for other in others]
        return any(pair >= MOSTLY * most > 0 for pair, most in zip(pairs, reachable, strict=True))

    def _pair(self, one: int, other: int) -> float:
        return self._pairs[min(one, other), max(one, other)]
