"""Local suppression: values are made missing until every combination of keys is frequent enough."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.draws import Draws
from sdckit.errors import ParameterError, SchemaError
from sdckit.holes import Holes
from sdckit.kernels.equivalence_classes import wildcard_frequencies
from sdckit.kernels.strict_suppression import possible_rows, suppress_to_equal_rows, suppress_to_possible_rows
from sdckit.kernels.suppression import suppress_to_k_anonymity
from sdckit.masking import Masking, masking
from sdckit.microdata import Kind, Microdata
from sdckit.parameters import param

MOST_KEYS = 15  # a record can lose any subset of them
COMPARED = 10_000  # records up to which the notes compare the prices of the rules
SUPPRESSED_BY = {
    Holes.ANY_VALUE: suppress_to_k_anonymity,
    Holes.OWN_VALUE: suppress_to_equal_rows,
    Holes.CANDIDATES: suppress_to_possible_rows,
}


@masking("local-suppression", kind=Kind.ANY, reference="templ2015")
class LocalSuppression(Masking):
    r"""Make few values missing, so that at least k records agree with each one on the keys.

    By default a missing value agrees with every value, also one that was missing in the original; measures show the
    figure by this rule beside a stricter one, which counts. Rare records lose the cheapest sufficient set of values,
    the rarest first; where importance is equal, the attribute with the most categories is suppressed first. With
    `known`, enough records agree on every set of that many attributes, and not necessarily on all at once. What is
    published is true, and no value is invented.

    By this rule a record without any key agrees with all others, so a few empty records would formally be enough; each
    record loses no more than it needs, which avoids that.

    The usual rule also counts rows that contradict a known record: where it says 3, a single row may be possible. Two
    stricter rules cost more suppressions, which the notes of a release compare. With `holes=own-value` at least k rows
    have the same values and the same holes: an intruder who repeats the suppression on the known file learns who lost
    what, and still cannot tell these rows apart. With `holes=candidates` at least k rows can be each record's, which
    costs less and does not survive that intruder.

    Formula: $|\{j : x'_j \text{ agrees with } x'_i \text{ on all keys that both have}\}| \ge k$ for every $i$,  $\sum$
    importance of the suppressed values small

    Use it when few records are rare, and missing values in these are better than coarser values in all.
    """

    suppresses = True
    leaves_out = True

    group_size: int = param(
        3, "records that must agree with each one on the keys (the papers' k)", low=1, grid=(2, 3, 5)
    )
    importance: tuple[float, ...] = param(
        (), "what losing a value of each attribute costs, in the order they are named; by default 1 each", low=0
    )
    known: int = param(0, "how many of the attributes an intruder knows at once; 0: all of them", low=0)
    holes: Holes = param(Holes.ANY_VALUE, "what a missing key agrees with: any-value, own-value or candidates")

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        names = self.applicable(data, attributes)
        at_once = min(self.known or len(names), len(names))
        self.check(data, names, at_once)
        codes = data.codes(names).astype(np.int64)
        costs = np.array(self.importance or (1.0,) * len(names))
        for chosen in map(list, combinations(range(len(names)), at_once)):
            codes[:, chosen] = SUPPRESSED_BY[self.holes](codes[:, chosen], self.group_size, costs[chosen])
        return data.with_columns(
            {
                name: np.where(codes[:, index] < 0, -1 if data.attribute(name).coded else np.nan, data.columns[name])
                for index, name in enumerate(names)
            }
        )

    def check(self, data: Microdata, names: Sequence[str], at_once: int) -> None:
        """Raise an error for a file or parameters that the method cannot satisfy."""
        if len(data) < self.group_size:
            raise SchemaError(
                f"{self.name}: {len(data)} records cannot be {self.group_size}-anonymous; use a smaller group_size"
            )
        if self.importance and len(self.importance) != len(names):
            raise ParameterError(
                f"{self.name}: importance has {len(self.importance)} figures for {len(names)} attributes; give as many"
            )
        if self.holes not in SUPPRESSED_BY:
            rules = ", ".join(map(str, SUPPRESSED_BY))
            raise ParameterError(f"{self.name}: holes = {self.holes} is a rule of measures; use one of {rules}")
        if self.known and self.holes is not Holes.ANY_VALUE:
            raise ParameterError(f"{self.name}: holes = {self.holes} counts all attributes at once; leave out known")
        if at_once > MOST_KEYS:
            raise ParameterError(
                f"{self.name}: {at_once} attributes at once have too many subsets; name {MOST_KEYS} at most, or let "
                "known say how many an intruder knows at once"
            )

    def notes(self, original: Microdata, masked: Microdata, attributes: Sequence[str]) -> list[str]:
        """How many records have fewer than k possible rows, and what the stricter rules would cost."""
        codes = before_and_after(original, masked, attributes)
        if codes is None or self.known:
            return []
        before, after = codes
        lost = int(((after < 0) & (before >= 0)).sum())
        possible = possible_rows(before, after)
        few = int((possible < self.group_size).sum())
        notes = []
        if few and self.holes is Holes.ANY_VALUE:
            notes.append(
                f"{self.name}: by the rule that a missing key agrees with every value each record agrees with "
                f"{int(wildcard_frequencies(after).min())} or more, but {few} of the {len(after)} records have fewer "
                f"than {self.group_size} possible rows, the least {int(possible.min())}; set holes to candidates or "
                "own-value for a stricter rule"
            )
        if len(before) <= COMPARED and len(attributes) <= MOST_KEYS:
            costs = np.array(self.importance or (1.0,) * len(attributes))
            prices = {self.holes: lost}
            for rule in SUPPRESSED_BY:
                if rule not in prices:
                    suppressed = SUPPRESSED_BY[rule](before, self.group_size, costs)
                    prices[rule] = int(((suppressed < 0) & (before >= 0)).sum())
            compared = ", ".join(f"{rule} {prices[rule]}" for rule in SUPPRESSED_BY)
            notes.append(
                f"{self.name}: values made missing for k = {self.group_size}, by what a hole counts as: {compared}"
            )
        return notes

    def candidates(self, known: Candidates, released: Microdata | None) -> Candidates | None:
        """A value is unchanged or went missing."""
        return Candidates(
            known.records,
            known.lower,
            known.upper,
            known.allowed,
            may_be_missing=frozenset(known.names),
        )


def before_and_after(
    original: Microdata, masked: Microdata, names: Sequence[str]
) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """The keys before and after the suppression as codes of the same values; None where the files do not show them.

    Where an earlier step mapped values, such as a recoding, what a suppressed value was is read from the records that
    have the same original value and kept it.
    """
    if masked.lineage is not None or len(original) != len(masked):
        return None
    before, after = (np.empty((len(original), len(names)), dtype=np.int64) for _ in range(2))
    for index, name in enumerate(names):
        codes = _entering(original, masked, name)
        if codes is None:
            return None
        before[:, index] = codes
        after[:, index] = np.where(masked.absent(name), -1, codes)
    return before, after


def _entering(original: Microdata, masked: Microdata, name: str) -> NDArray[np.int64] | None:
    """The codes of a column before it was suppressed; None where the same original value became several."""
    absent, gone = original.absent(name), masked.absent(name)
    if original.attribute(name).coded != masked.attribute(name).coded or (absent & ~gone).any():
        return None
    values, of_record = np.unique(np.where(absent, 0, original.columns[name]), return_inverse=True)
    image = np.full(len(values), np.nan)
    image[of_record[~gone]] = masked.columns[name][~gone]
    if (image[of_record] != masked.columns[name])[~gone].any():
        return None
    if (image == values)[~np.isnan(image)].all():  # nothing was mapped
        image = values.astype(np.float64)
    entering = np.where(absent, np.nan, image[of_record])
    if np.isnan(entering[~absent]).any():
        return None
    codes = np.unique(np.where(absent, 0.0, entering), return_inverse=True)[1]
    return np.where(absent, -1, codes).astype(np.int64)
