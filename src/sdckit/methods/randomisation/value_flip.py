"""Value flip: the rarest records get another value."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.draws import Draws
from sdckit.kernels.equivalence_classes import wildcard_frequencies
from sdckit.likelihood import Law, RecordTransitionLaw, TransitionLaw
from sdckit.masking import Masking, masking
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.parameters import param


@masking("value-flip", kind=Kind.CATEGORICAL, reference="truta2004")
class ValueFlip(Masking):
    r"""Give a share of the records, those with the rarest keys first, another value of the attribute.

    A record's rarity is the number of records that agree with it on all the file's keys; ties are broken at random.
    With two values each becomes the other; with more, a new one is drawn among those that the file has. All other
    records keep their value. A missing value stays missing.

    Formula: $x'_i \ne x_i$ for the $p \cdot n$ records $i$ of the least frequency, $x'_i = x_i$ for the rest

    Use it when a single attribute, such as the sex, makes rare combinations recognisable; note that an intruder who
    ignores that attribute is not affected.

    Excludes nothing: any record may be one of those changed.
    """

    columnwise = True

    share: float = param(0.05, "share of the records to change", low=0, high=1, grid=(0.01, 0.05, 0.1, 0.2))
    rarest: bool = param(True, "change the records with the rarest combinations of keys instead of random ones")

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        names = self.applicable(data, attributes)
        rarity = self._rarity(data)
        count = int(self.share * len(data) + 0.5)
        columns = {}
        for name in names:
            draw = draws.child(name).generator()
            chosen = np.lexsort((draw.random(len(data)), rarity))[:count]
            columns[name] = flipped(data.columns[name], chosen, draw)
        return data.with_columns(columns)

    def also_reads(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        """The other keys, as the rarest combinations of keys are changed."""
        return tuple(name for name in data.names(role=Role.KEY) if name not in attributes) if self.rarest else ()

    def law(self, released: Microdata, original: Microdata | None = None) -> Law | None:
        """The probability of each other value; None where the rarest records are chosen and the keys are not known."""
        if self.rarest and original is None:
            return None
        file = released if original is None else original
        if not self.rarest:
            share = int(self.share * len(file) + 0.5) / len(file)
            return TransitionLaw(tuple(_flip_table(each, file, share) for each in released.attributes), False)
        probability, class_of = np.unique(self._change_probability(file), return_inverse=True)
        tables = [np.array([_flip_table(each, file, share) for share in probability]) for each in released.attributes]
        return RecordTransitionLaw(tuple(tables), class_of.ravel().astype(np.int64))

    def _change_probability(self, file: Microdata) -> NDArray[np.float64]:
        """The probability that each record is changed: 1 for the rarest, and equal where they tie for the last."""
        rarity = self._rarity(file)
        count = int(self.share * len(file) + 0.5)
        if not count:
            return np.zeros(len(file))
        last = np.sort(rarity)[count - 1]
        tied = rarity == last
        left = count - int((rarity < last).sum())
        return np.where(rarity < last, 1.0, np.where(tied, left / tied.sum(), 0.0))

    def _rarity(self, data: Microdata) -> NDArray[Any]:
        """How many records agree with each on all keys."""
        keys = data.names(role=Role.KEY)
        return wildcard_frequencies(data.codes(keys)) if self.rarest and keys else np.zeros(len(data))


def _flip_table(attribute: Attribute, file: Microdata, changed: float) -> NDArray[np.float64]:
    """The log-probability that each value becomes each, where it becomes another with this probability."""
    codes = file.columns[attribute.name]
    size = len(attribute.categories or ())
    seen = np.bincount(codes[codes >= 0], minlength=size)[:size] > 0
    table = np.where(seen[None, :], changed / max(int(seen.sum()) - 1, 1), 0.0) * np.ones((size, 1))
    np.fill_diagonal(table, 1 - changed if seen.sum() > 1 else 1.0)
    with np.errstate(divide="ignore"):
        return np.log(table)


def flipped(codes: NDArray[np.int32], chosen: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int32]:
    """The codes with another one drawn for the chosen records, among those that occur."""
    found, position = np.unique(codes, return_inverse=True)
    missing = int(found[0] < 0)
    others = len(found) - missing - 1
    out = codes.copy()
    if others > 0:
        chosen = chosen[codes[chosen] >= 0]
        step = rng.integers(1, others + 1, len(chosen))
        out[chosen] = found[missing + (position[chosen] - missing + step) % (others + 1)]
    return out
