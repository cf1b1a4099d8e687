"""Local recoding: only rare values are recoded up the hierarchy."""

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
    texts_of,
    turning_table,
    with_nodes,
)
from sdckit.microdata import Attribute, Kind, Microdata
from sdckit.parameters import param


@masking("local-recoding", kind=Kind.PARTIALLY_ORDERED, reference="truta2004")
class LocalRecoding(CategoryMasking):
    """Replace the values that few records have by their ancestor some levels up the hierarchy.

    Common values are unchanged, so less is lost than by recoding all; the file then mixes levels. A node that is still
    rare one level up is published all the same. A missing value stays missing.

    Formula: x′ = the ancestor of x, ℓ levels up, if |{i : xᵢ = x}| < t, else x

    Use it when a few values of a large domain are rare, such as the postcodes of villages.
    """

    threshold: int = param(5, "values that fewer records have are recoded (the paper's t)", low=0, grid=(3, 5, 10, 50))
    levels: int = param(1, "levels up the hierarchy that they are recoded", low=0, grid=(1, 2))

    def table(self, attribute: Attribute, codes: NDArray[np.int32]) -> tuple[Attribute, NDArray[np.int32]]:
        texts = texts_of(attribute)
        count = np.bincount(codes, minlength=len(texts))
        rare = (count > 0) & (count < self.threshold)
        above = generalise(attribute, self.levels, declared_tree(attribute, self.name))
        nodes = [node if is_rare else text for text, node, is_rare in zip(texts, above, rare, strict=True)]
        mixed = with_nodes(attribute, nodes)
        return mixed, code_table(mixed, nodes)

    def candidates(self, known: Candidates, released: Microdata | None) -> Candidates | None:
        """A value is unchanged or became the node above it; a leaf that the release has is unchanged everywhere."""
        if released is None:
            return None
        allowed = {}
        for name, before in known.allowed.items():
            attribute = released.attribute(name)
            texts = texts_of(attribute)
            tree = declared_tree(attribute, self.name)
            seen = np.isin(np.arange(len(texts)), released.columns[name])
            leaves = set(tree.leaves)
            above = generalise(attribute, self.levels, tree)
            possible = (
                (text,) if here and text in leaves else (text, node)
                for text, node, here in zip(texts, above, seen, strict=True)
            )
            allowed[name] = propagate(before, turning_table(attribute, possible))
        return Candidates(known.records, allowed=allowed)
