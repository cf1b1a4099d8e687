"""Targeted record swapping: risky households exchange their region with similar ones elsewhere."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.draws import Draws
from sdckit.kernels.equivalence_classes import class_of, wildcard_frequencies
from sdckit.kernels.partner_search import swap_partners
from sdckit.masking import Locality, Masking, masking
from sdckit.microdata import Kind, Microdata, Role
from sdckit.parameters import param


@masking("record-swapping", kind=Kind.ANY, reference="dalenius1982")
class RecordSwapping(Masking):
    r"""Swap the attributes, such as the region, of rare records with those of similar records elsewhere.

    A unit is a household where the file has them, else a record. Units with a member whose keys fewer than `rare`
    records share are swapped first, then others until `share` of the units are. A partner is of the same size, agrees
    on the `similar` and `within` attributes of its first record, and has other values to swap, which all members of a
    unit get. The tables of the swapped attributes by size and by the strata are unchanged.

    Formula: $(a_u, a_v) \to (a_v, a_u)$,  $u$ risky first,  size, similar and within equal in $u$ and $v$,  $a_u \ne
    a_v$

    Use it when tables by region must be exact and rare households must not be re-identified in their region.

    Excludes nothing: any unit may have been swapped.
    """

    locality = Locality.BLOCK

    share: float = param(0.05, "share of the units to swap, at least", low=0, high=1, grid=(0.02, 0.05, 0.1))
    rare: int = param(3, "a combination of keys that fewer records have is risky (the papers' k)", low=0)
    similar: tuple[str, ...] = param((), "attributes on which partners must agree, such as the number of children")
    within: tuple[str, ...] = param((), "attributes that mark the strata inside which to swap, such as the province")

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        names = self.applicable(data, attributes)
        self.refuse_missing(data, names)
        units = data.units()
        first = np.unique(units, return_index=True)[1]
        risky = np.zeros(len(first), dtype=bool)
        np.logical_or.at(risky, units, self.is_rare(data))
        codes = data.codes(names)[first]
        profile = class_of(np.column_stack([np.bincount(units), data.codes((*self.similar, *self.within))[first]])).of
        min_swapped = int(np.ceil(self.share * len(first)))
        partner = swap_partners(profile, class_of(codes).of, risky, min_swapped, draws.generator())
        source = np.where(partner[units] == units, np.arange(len(data)), first[partner][units])
        return data.with_columns({name: data.columns[name][source] for name in names})

    def also_reads(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        """The other keys, which show the rare records, what partners agree on, and the households."""
        household = data.names(role=Role.HOUSEHOLD)
        read = dict.fromkeys([*data.names(role=Role.KEY), *self.similar, *self.within, *household])
        return tuple(name for name in read if name not in attributes)

    def is_rare(self, data: Microdata) -> NDArray[np.bool_]:
        """Which records have a rare combination of keys."""
        keys = data.names(role=Role.KEY)
        if not keys:
            return np.zeros(len(data), dtype=bool)
        return wildcard_frequencies(data.codes(keys)) < self.rare
