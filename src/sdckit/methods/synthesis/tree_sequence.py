"""A sequence of trees: each attribute is drawn from the leaf that the attributes drawn before it lead to."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.draws import Draws
from sdckit.kernels.cart import BINS, LEAF, Tree, grow, leaves, sorted_within_leaves
from sdckit.kernels.empirical_quantiles import empirical_quantiles
from sdckit.microdata import Attribute, Kind

MANY_CLASSES = 60  # categories from which on a tree splits by their position instead of their impurity


@dataclass
class Predictor:
    """An attribute in the original file and in the synthetic one, so far as a tree looks at it."""

    attribute: Attribute
    original: NDArray[Any]
    synthetic: NDArray[Any]
    _bins: tuple[NDArray[np.uint8], NDArray[np.uint8]] | None = field(default=None, repr=False)

    def bins(self, score: NDArray[np.float64]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """Bins of both files: by value, or by the mean score of an unordered category; 0 for a missing value."""
        if self.attribute.coded and not self.attribute.kind & Kind.ORDERED:
            return self._by_score(score)
        if self._bins is None:
            self._bins = self._by_value()
        return self._bins

    def _by_value(self) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        files = [column.astype(np.float64) for column in (self.original, self.synthetic)]
        if self.attribute.coded:
            files = [np.where(column < 0, np.nan, column) for column in files]
        distinct = np.unique(files[0][~np.isnan(files[0])])
        if len(distinct) > BINS - 1:
            observed = np.sort(files[0][~np.isnan(files[0])])
            distinct = np.unique(observed[np.linspace(0, len(observed) - 1, BINS - 1).astype(np.int64)])
        edges = (distinct[1:] + distinct[:-1]) / 2
        first, second = (
            np.where(np.isnan(column), 0, 1 + np.searchsorted(edges, column)).astype(np.uint8) for column in files
        )
        return first, second

    def _by_score(self, score: NDArray[np.float64]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        categories = len(self.attribute.categories or ())
        seen = self.original >= 0
        total = np.bincount(self.original[seen], weights=score[seen], minlength=categories)
        mean = total / np.maximum(np.bincount(self.original[seen], minlength=categories), 1)
        rank = np.empty(categories, dtype=np.int64)
        rank[np.argsort(mean, kind="stable")] = np.arange(categories)
        bins = np.append(1 + rank * (BINS - 1) // max(categories, BINS - 1), 0).astype(np.uint8)
        return bins[self.original], bins[self.synthetic]


@dataclass(frozen=True)
class TreeDraw:
    """How a column is drawn: the smallest leaf, and whether numbers are drawn between the values of a leaf."""

    leaf_size: int
    smoothing: bool

    def column(
        self, attribute: Attribute, column: NDArray[Any], predictors: Sequence[Predictor], draws: Draws
    ) -> NDArray[Any]:
        """The synthetic column of an attribute; a missing value is drawn like any other."""
        if attribute.coded:
            return self._categories(attribute, column, predictors, draws)
        missing = np.isnan(column)
        uniform = draws.uniform(2)
        if missing.all():
            return np.full(len(uniform), np.nan)
        target = np.where(missing, column[~missing].mean(), column)
        tree, leaf = _fitted(target, 0, predictors, self.leaf_size, len(uniform))
        tree = sorted_within_leaves(tree, column)
        holes = np.concatenate([[0], np.cumsum(missing[tree.order])])
        start, size = tree.start[leaf], tree.size[leaf]
        absent = holes[start + size] - holes[start]
        gone = uniform[:, 0] * size < absent
        values = empirical_quantiles(
            column[tree.order], start, np.maximum(size - absent, 1), uniform[:, 1], smooth=self.smoothing
        )
        return np.where(gone, np.nan, values)

    def donors(
        self, attribute: Attribute, column: NDArray[Any], drawn: NDArray[Any], predictors: Sequence[Predictor]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """A code of each record and of each drawn value; equal where the record can be the donor of the value."""
        if attribute.coded:
            target, classes = self._target(attribute, column)
        else:
            seen = ~np.isnan(column)
            target, classes = np.where(seen, column, column[seen].mean() if seen.any() else 0.0), 0
        tree, of_row = _fitted(target, classes, predictors, self.leaf_size, len(drawn))
        of_record = np.empty(len(column), dtype=np.int64)
        for leaf in np.flatnonzero(tree.feature == LEAF):
            of_record[tree.order[tree.start[leaf] : tree.start[leaf] + tree.size[leaf]]] = leaf
        if self.smoothing and not attribute.coded:  # between values: only whether there is one shows
            both = np.isnan(np.concatenate([column, drawn])).astype(np.int64)
        else:
            both = np.unique(np.concatenate([column, drawn]), return_inverse=True)[1].astype(np.int64)
        codes = np.concatenate([of_record, of_row]) * (int(both.max(initial=0)) + 1) + both
        return codes[: len(column)], codes[len(column) :]

    def _target(self, attribute: Attribute, column: NDArray[Any]) -> tuple[NDArray[np.float64], int]:
        """What a tree of categories predicts, and its classes; a missing category is one of its own."""
        categories = len(attribute.categories or ())
        target = np.where(column < 0, categories, column).astype(np.float64)
        return target, categories + 1 if categories <= MANY_CLASSES else 0

    def _categories(
        self, attribute: Attribute, column: NDArray[Any], predictors: Sequence[Predictor], draws: Draws
    ) -> NDArray[Any]:
        target, classes = self._target(attribute, column)
        uniform = draws.uniform(1)[:, 0]
        tree, leaf = _fitted(target, classes, predictors, self.leaf_size, len(uniform))
        start, size = tree.start[leaf], tree.size[leaf]
        donor = tree.order[start + np.minimum((uniform * size).astype(np.int64), size - 1)]
        return np.asarray(column[donor])


def _fitted(
    target: NDArray[np.float64], classes: int, predictors: Sequence[Predictor], leaf_size: int, records: int
) -> tuple[Tree, NDArray[np.int64]]:
    """The tree of a target, and the leaf of each synthetic record."""
    score = target
    if classes > 2:  # the most frequent class against the others
        score = (target == np.bincount(target.astype(np.int64)).argmax()).astype(np.float64)
    pairs = [each.bins(score) for each in predictors]
    original = np.empty((len(pairs), len(target)), dtype=np.uint8)
    synthetic = np.empty((len(pairs), records), dtype=np.uint8)
    for index, pair in enumerate(pairs):
        original[index], synthetic[index] = pair
    tree = grow(original, target, classes, leaf_size)
    return tree, leaves(tree, synthetic)
