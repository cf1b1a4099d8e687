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
from sdckit.kernels.partial_agreement import suppress_by_partial_agreement
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
    r"""Suppress few values, so that at least k records agree with each record on the keys.

    By default a missing value agrees with every value, also one that was missing in the original; measures give the
    figure by this rule and by a stricter one, and the stricter one counts. Rare records lose the cheapest sufficient
    set of values, the rarest first; where importance is equal, the attribute with the most categories is suppressed
    first. With `known`, enough records agree on every set of that many attributes, and with `subsets` on each of the
    sets named, not necessarily on all at once; as a suppression never lowers a frequency, what holds for one set still
    holds after the next. With `strata`, enough records agree within each stratum. With an `alpha` below 1, a record
    that agrees only through a missing value counts for that part of one. What is published is true, and no value is
    invented.

    By this rule a record without any key agrees with all others, so a few empty records would formally be enough; each
    record loses no more than it needs, which avoids that.

    The usual rule also counts rows that contradict a known record: where it counts three rows, only one may be
    possible. Two stricter rules need more suppressions, which the notes of a release compare. With `holes=own-value` at
    least k rows have the same values and the same missing values: an intruder who repeats the suppression on the known
    file learns which values each record lost, and still cannot distinguish these rows. With `holes=candidates` at least
    k rows can belong to each record, which needs fewer suppressions but does not protect against that intruder.

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
    subsets: tuple[str, ...] = param(
        (), "sets of attributes on which k records must agree, such as sex*age+sex*region; by default all at once"
    )
    strata: str = param("", "attribute in each of whose categories k records must agree, such as the region")
    alpha: float = param(1.0, "what a record that agrees only through a missing value counts, 0 to 1", low=0, high=1)
    known: int = param(0, "how many of the attributes an intruder knows at once; 0: all of them", low=0)
    holes: Holes = param(Holes.ANY_VALUE, "what a missing key agrees with: any-value, own-value or candidates")

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        names = self.applicable(data, attributes)
        sets, strata = self.sets_of_keys(list(names)), self.strata_of(data)
        self.check(names, max(map(len, sets)), min(map(len, strata)))
        codes = data.codes(names).astype(np.int64)
        costs = np.array(self.importance or (1.0,) * len(names))
        for records in strata:
            codes[records] = self.suppressed(codes[records], costs, sets)
        return without_suppressed(data, names, codes)

    def suppressed(
        self, codes: NDArray[np.int64], costs: NDArray[np.float64], sets: Sequence[Sequence[int]]
    ) -> NDArray[np.int64]:
        """The codes of one stratum with values made missing until each set of keys is frequent enough."""
        out = codes.copy()
        for chosen in map(list, sets):
            if self.alpha < 1:
                out[:, chosen] = suppress_by_partial_agreement(
                    out[:, chosen], self.group_size, costs[chosen], self.alpha
                )
            else:
                out[:, chosen] = SUPPRESSED_BY[self.holes](out[:, chosen], self.group_size, costs[chosen])
        return out

    def sets_of_keys(self, names: Sequence[str]) -> list[tuple[int, ...]]:
        """The sets of keys on which records must agree with k, as positions."""
        if not self.subsets:
            return list(combinations(range(len(names)), min(self.known or len(names), len(names))))
        sets = []
        for text in self.subsets:
            chosen = [name.strip() for name in text.split("*")]
            unknown = [name for name in chosen if name not in names]
            if unknown:
                raise ParameterError(
                    f"{self.name}: the subset {text!r} has {unknown[0]!r}, which is not among the attributes to "
                    f"suppress; use {', '.join(names)}"
                )
            sets.append(tuple(names.index(name) for name in chosen))
        return sets

    def strata_of(self, data: Microdata) -> list[NDArray[np.int64]]:
        """The records of each stratum; without strata, all."""
        if not self.strata:
            return [np.arange(len(data))]
        if self.strata not in data:
            raise ParameterError(f"{self.name}: the file has no column {self.strata!r} to take strata from")
        codes = data.codes([self.strata])[:, 0]
        return [np.flatnonzero(codes == code) for code in np.unique(codes)]

    def also_reads(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        """The attribute that gives the strata."""
        return (self.strata,) if self.strata and self.strata not in attributes else ()

    def check(self, names: Sequence[str], at_once: int, records: int) -> None:
        """Raise an error for a file or parameters that the method cannot satisfy; `records` of the smallest stratum."""
        if records < self.group_size:
            which = f"{records} records of a stratum of {self.strata!r}" if self.strata else f"{records} records"
            raise SchemaError(f"{self.name}: {which} cannot be {self.group_size}-anonymous; use a smaller group_size")
        if 1 + self.alpha * (records - 1) < self.group_size:
            raise ParameterError(
                f"{self.name}: with alpha = {self.alpha:g} even empty records of {records} count for fewer than "
                f"{self.group_size}; use a larger alpha"
            )
        if self.alpha < 1 and self.holes is not Holes.ANY_VALUE:
            raise ParameterError(f"{self.name}: alpha says what a hole counts for any-value; leave out holes or alpha")
        if self.subsets and self.known:
            raise ParameterError(f"{self.name}: subsets and known both say what an intruder knows; leave out one")
        if self.importance and len(self.importance) != len(names):
            raise ParameterError(
                f"{self.name}: importance has {len(self.importance)} figures for {len(names)} attributes; give as many"
            )
        if self.holes not in SUPPRESSED_BY:
            rules = ", ".join(map(str, SUPPRESSED_BY))
            raise ParameterError(f"{self.name}: holes = {self.holes} is a rule of measures; use one of {rules}")
        if (self.known or self.subsets) and self.holes is not Holes.ANY_VALUE:
            spare = "known" if self.known else "subsets"
            raise ParameterError(f"{self.name}: holes = {self.holes} counts all attributes at once; leave out {spare}")
        if at_once > MOST_KEYS:
            raise ParameterError(
                f"{self.name}: {at_once} attributes at once have too many subsets; name {MOST_KEYS} at most, or let "
                "known say how many an intruder knows at once"
            )

    def notes(self, original: Microdata, masked: Microdata, attributes: Sequence[str]) -> list[str]:
        """How many records have fewer than k possible rows, and what the stricter rules would cost."""
        codes = before_and_after(original, masked, attributes)
        if codes is None or self.known or self.subsets or self.strata or self.alpha < 1:
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
        sampled = masked.lineage is not None  # perhaps after the suppression, which then had more records
        if len(before) <= COMPARED and len(attributes) <= MOST_KEYS and not sampled:
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
        return unchanged_or_missing(known)


def unchanged_or_missing(known: Candidates) -> Candidates:
    """What a suppression leaves possible."""
    return Candidates(
        known.records,
        known.lower,
        known.upper,
        known.allowed,
        may_be_missing=frozenset(known.names),
    )


def without_suppressed(data: Microdata, names: Sequence[str], codes: NDArray[np.int64]) -> Microdata:
    """The file with the values missing whose code is −1."""
    return data.with_columns(
        {
            name: np.where(codes[:, index] < 0, -1 if data.attribute(name).coded else np.nan, data.columns[name])
            for index, name in enumerate(names)
        }
    )


def before_and_after(
    original: Microdata, masked: Microdata, names: Sequence[str]
) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """The keys before and after the suppression as codes of the same values; None where the files do not show them.

    Where an earlier step mapped values, such as a recoding, what a suppressed value was is read from the records that
    have the same original value and kept it.
    """
    if masked.lineage is not None:
        if (masked.lineage < 0).any():
            return None
        original = original.take(masked.lineage)
    if len(original) != len(masked):
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
