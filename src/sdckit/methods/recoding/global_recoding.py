"""Global recoding: publish every value of an attribute some levels further up its hierarchy."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.masking import masking
from sdckit.methods.category_masking import CategoryMasking
from sdckit.methods.category_trees import (
    code_table,
    declared_tree,
    generalise,
    propagate,
    turning_table,
    with_nodes,
)
from sdckit.microdata import Attribute, Kind, Microdata
from sdckit.parameters import param


@masking("global-recoding", kind=Kind.PARTIALLY_ORDERED, reference="hundepool2012")
class GlobalRecoding(CategoryMasking):
    r"""Replace every value of an attribute by its ancestor some levels up the hierarchy.

    The same value becomes the same node in every record, so tables of the recoded file are consistent with each other.
    A value with fewer levels above it becomes the root `*`, which carries no information. Numbers are recoded to bands
    where they have a hierarchy by breaks or intervals and are declared partially ordered. A missing value stays
    missing.

    Formula: $x' =$ the ancestor of $x$, $\ell$ levels up

    Use it when an attribute is finer than its users need, such as postcodes, occupations or ages in years.
    """

    levels: int = param(1, "levels by which each value is generalised in its hierarchy", low=0, grid=(1, 2, 3))

    def table(self, attribute: Attribute, codes: NDArray[np.int32]) -> tuple[Attribute, NDArray[np.int32]]:
        nodes = generalise(attribute, self.levels, declared_tree(attribute, self.name))
        coarser = with_nodes(attribute, nodes)
        return coarser, code_table(coarser, nodes)

    def candidates(self, known: Candidates, released: Microdata | None) -> Candidates | None:
        """A value became its ancestor `levels` levels up."""
        attributes = {} if released is None else {each.name: each for each in released.attributes}
        return None if released is None else Candidates(known.records, allowed=self._became(known, attributes))

    def image(self, known: Candidates, attributes: Mapping[str, Attribute]) -> Candidates | None:
        """The same, as the hierarchy says what every value becomes."""
        return Candidates(known.records, allowed=self._became(known, attributes, hidden=True))

    def _became(
        self, known: Candidates, attributes: Mapping[str, Attribute], *, hidden: bool = False
    ) -> dict[str, NDArray[np.bool_]]:
        allowed = {}
        for name, before in known.allowed.items():
            attribute = attributes[name]
            nodes = generalise(attribute, self.levels, declared_tree(attribute, self.name))
            allowed[name] = propagate(before, turning_table(attribute, ((node,) for node in nodes), hidden=hidden))
        return allowed
