"""Local recoding: only rare values are recoded up the hierarchy."""

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
    texts_of,
    turning_table,
    with_nodes,
)
from sdckit.microdata import Attribute, Kind, Microdata
from sdckit.parameters import param


@masking("local-recoding", kind=Kind.PARTIALLY_ORDERED, reference="truta2004")
class LocalRecoding(CategoryMasking):
    r"""Replace the values that few records have by their ancestor some levels up the hierarchy.

    Common values are unchanged, so less is lost than by recoding all values; the file then mixes levels. An ancestor
    that is still rare is published nevertheless. A missing value stays missing.

    Formula: $x' =$ the ancestor of $x$, $\ell$ levels up, if $|\{i : x_i = x\}| < t$, else $x' = x$

    Use it when a few values of a large domain are rare, such as the postcodes of villages.
    """

    reads_a_part = True

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
        attributes = {each.name: each for each in released.attributes}
        return self.recoded(known, attributes, {name: np.unique(released.columns[name]) for name in known.allowed})

    def image(self, known: Candidates, attributes: Mapping[str, Attribute]) -> Candidates | None:
        """A value is unchanged or became the node above it; an intruder who knows the whole column knows which."""
        return self.recoded(known, attributes, {}, hidden=True)

    def recoded(
        self,
        known: Candidates,
        attributes: Mapping[str, Attribute],
        released: Mapping[str, NDArray[np.int32]],
        *,
        hidden: bool = False,
    ) -> Candidates:
        """What each value can have become; `released` are the codes that were seen in the release, by attribute."""
        allowed = {}
        for name, before in known.allowed.items():
            attribute = attributes[name]
            texts = texts_of(attribute)
            tree = declared_tree(attribute, self.name)
            leaves = set(tree.leaves)
            seen = np.isin(np.arange(len(texts)), released.get(name, np.empty(0, dtype=np.int32)))
            unchanged = seen & np.array([text in leaves for text in texts], dtype=bool)
            at_least, at_most = counts(before, len(texts)) if known.complete else (0, np.inf)
            may_be_rare, may_be_common = (
                (at_least < self.threshold) & ~unchanged,
                (at_most >= self.threshold) | unchanged,
            )
            above = generalise(attribute, self.levels, tree)
            possible = (
                ((text,) if common else ()) + ((node,) if rare else ())
                for text, node, rare, common in zip(texts, above, may_be_rare, may_be_common, strict=True)
            )
            allowed[name] = propagate(before, turning_table(attribute, possible, hidden=hidden))
        return Candidates(known.records, allowed=allowed)


def counts(allowed: NDArray[np.bool_], categories: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How many records have each category at least and at most, where each has one of those allowed."""
    at_least, at_most = np.zeros(categories, dtype=np.int64), np.zeros(categories, dtype=np.int64)
    at_least[: allowed.shape[1]] = allowed[allowed.sum(axis=1) == 1].sum(axis=0)
    at_most[: allowed.shape[1]] = allowed.sum(axis=0)
    return at_least, at_most
