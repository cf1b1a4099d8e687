"""PRAM: categories change by a published matrix of probabilities."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.draws import Draws
from sdckit.kernels.transitions import draw_transitions, transition_matrix
from sdckit.likelihood import Law, TransitionLaw
from sdckit.masking import masking
from sdckit.methods.category_masking import CategoryMasking, Table
from sdckit.methods.category_trees import declared_tree, generalise, propagate
from sdckit.microdata import Attribute, Kind, Microdata
from sdckit.parameters import param


@masking("pram", kind=Kind.CATEGORICAL, reference="gouweleeuw1998")
class Pram(CategoryMasking):
    r"""Change each category to another at random, by a published matrix of transition probabilities.

    A value is unchanged with a given probability and else becomes any other value of the file, all equally likely. With
    `levels` it only becomes one that shares its ancestor that many levels up the hierarchy; other transitions have
    probability 0. Counts are biased towards equal frequencies; an analyst who has the matrix obtains unbiased counts by
    its inverse (`unbiased_counts`). A missing value stays missing.

    Formula: $\Pr[x' = b \mid x = a] = P_{ab}$,  $P_{aa} = \text{stay}$,  $\hat{T} = (P^\top)^{-1} T'$

    Use it when no released category may be certain for anybody, and users must still be able to estimate tables.
    """

    stay: float = param(0.8, "probability that a value is unchanged", low=0, high=1, grid=(0.9, 0.8, 0.7))
    levels: int = param(0, "levels up to the ancestor that a new value must share; 0: any value is possible", low=0)

    def table(self, attribute: Attribute, codes: NDArray[np.int32]) -> tuple[Attribute, NDArray[np.float64]]:
        return attribute, self.matrix(attribute, codes)

    def mask_codes(self, codes: NDArray[np.int32], table: Table, draws: Draws) -> NDArray[np.int32]:
        return draw_transitions(codes, table.astype(np.float64), draws.uniform(1)[:, 0])

    def matrix(self, attribute: Attribute, codes: NDArray[np.int32]) -> NDArray[np.float64]:
        """The probability of each category (row) to become each (column); only observed categories can occur."""
        block = self.blocks(attribute)
        found = np.flatnonzero(np.bincount(codes, minlength=len(block)))
        matrix = np.eye(len(block))
        matrix[np.ix_(found, found)] = transition_matrix(block[found], self.stay)
        return matrix

    def blocks(self, attribute: Attribute) -> NDArray[np.int64]:
        """The block of each category: those in the same one can become each other."""
        if not self.levels:
            return np.zeros(len(attribute.categories or ()), dtype=np.int64)
        nodes = generalise(attribute, self.levels, declared_tree(attribute, self.name))
        return np.unique(nodes, return_inverse=True)[1].astype(np.int64)

    def candidates(self, known: Candidates, released: Microdata | None) -> Candidates | None:
        """A value can have become any of its block of the hierarchy, and none outside it; without `levels`, any."""
        return None if released is None else self.image(known, {each.name: each for each in released.attributes})

    def image(self, known: Candidates, attributes: Mapping[str, Attribute]) -> Candidates | None:
        """The same, as the blocks are those of the hierarchy."""
        if not self.levels:
            return None
        allowed = {}
        for name, before in known.allowed.items():
            block = self.blocks(attributes[name])
            allowed[name] = propagate(before, block[:, None] == block[None, :])
        return Candidates(known.records, allowed=allowed)

    def law(self, released: Microdata, original: Microdata | None = None) -> Law:
        tables = []
        for each in released.attributes:
            codes = (released if original is None else original).columns[each.name]
            with np.errstate(divide="ignore"):
                tables.append(np.log(self.matrix_with_vanished(each, codes[codes >= 0])))
        return TransitionLaw(tuple(tables))

    def matrix_with_vanished(self, attribute: Attribute, codes: NDArray[np.int32]) -> NDArray[np.float64]:
        """The matrix by the released values; a category that is not among them is taken to have had one record.

        The rarest categories vanish: all their records changed, so their own rows are among those of the others.
        """
        matrix = self.matrix(attribute, codes)
        for code in np.flatnonzero(np.bincount(codes, minlength=len(matrix)) == 0):
            matrix[code] = self.matrix(attribute, np.append(codes, np.int32(code)))[code]
        return matrix

    def corrected_counts(self, released: Microdata, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        (attribute,) = released.attributes
        codes = released.columns[attribute.name]
        return unbiased_counts(counts, self.matrix(attribute, codes[codes >= 0]))

    def drawn_counts(
        self, attribute: Attribute, counts: NDArray[np.int64], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        matrix = self.matrix(attribute, np.repeat(np.arange(len(counts), dtype=np.int32), counts))
        matrix = np.maximum(matrix, 0.0)
        drawn: NDArray[np.int64] = rng.multinomial(counts, matrix / matrix.sum(axis=1, keepdims=True)).sum(axis=0)
        return drawn


def unbiased_counts(counts: NDArray[np.float64], matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """The original counts of the categories, estimated without bias from those after PRAM by this matrix."""
    return np.asarray(np.linalg.solve(matrix.T, counts), dtype=np.float64)
