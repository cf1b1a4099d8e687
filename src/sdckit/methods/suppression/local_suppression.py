"""Local suppression: values are made missing until every combination of keys is frequent enough."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from sdckit.candidates import Candidates
from sdckit.draws import Draws
from sdckit.errors import ParameterError, SchemaError
from sdckit.kernels.suppression import suppress_to_k_anonymity
from sdckit.masking import Masking, masking
from sdckit.microdata import Kind, Microdata
from sdckit.parameters import param

MOST_KEYS = 15  # a record can lose any subset of them


@masking("local-suppression", kind=Kind.ANY, reference="templ2015")
class LocalSuppression(Masking):
    """Make few values missing, so that at least k records agree with each one on the keys.

    A missing value agrees with every value, also one that was missing in the original; every measure counts by this
    rule. Rare records lose the cheapest sufficient set of values, the rarest first; where importance is equal, the
    attribute with the most categories is suppressed first. With `known`, enough records agree on every set of that many
    attributes, and not necessarily on all at once. What is published is true, and no value is invented.

    By this rule a record without any key agrees with all others, so a few empty records would formally be enough; each
    record loses no more than it needs, which avoids that.

    Formula: |{j : x′ⱼ agrees with x′ᵢ on all keys that both have}| ≥ k for every i,  Σ importance of what is lost small

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

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        names = self.applicable(data, attributes)
        at_once = min(self.known or len(names), len(names))
        self.check(data, names, at_once)
        codes = data.codes(names).astype(np.int64)
        costs = np.array(self.importance or (1.0,) * len(names))
        for chosen in map(list, combinations(range(len(names)), at_once)):
            codes[:, chosen] = suppress_to_k_anonymity(codes[:, chosen], self.group_size, costs[chosen])
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
        if at_once > MOST_KEYS:
            raise ParameterError(
                f"{self.name}: {at_once} attributes at once have too many subsets; name {MOST_KEYS} at most, or let "
                "known say how many an intruder knows at once"
            )

    def candidates(self, known: Candidates, released: Microdata | None) -> Candidates | None:
        """A value is unchanged or went missing."""
        return Candidates(
            known.records,
            known.lower,
            known.upper,
            known.allowed,
            may_be_missing=frozenset(known.names),
        )
