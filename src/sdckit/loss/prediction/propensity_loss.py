"""Propensity loss: can a model distinguish masked records from original ones?"""

from itertools import combinations_with_replacement
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import ParameterError
from sdckit.intruder import Intruder
from sdckit.kernels.intervals import bootstrap_sums
from sdckit.kernels.propensity import (
    expected_when_synthesised,
    propensities,
    propensity_mean_squared_error,
    tree_propensities,
)
from sdckit.measure import Cost, Measure, Need, Score, loss
from sdckit.microdata import Kind, Microdata
from sdckit.parameters import param
from sdckit.randomness import child, generator
from sdckit.release import Release

MODELS = ("logistic", "tree")
LEAVES = 100  # of a tree, at most
SMALLEST_LEAF = 5  # rows
SHUFFLES = 10  # random labels, of which a tree is grown to see what it finds in nothing
DECIMALS = 12  # equal files differ by the rounding of sums in the fit


@loss("propensity-loss", headline=8, reference="snoke2018", cost=Cost.SLOW)
class PropensityLoss(Measure):
    r"""How well a model distinguishes masked from original records, from not at all to always (pMSE).

    The model is a logistic regression, or a decision tree (CART), which detects interactions of any order. Numbers
    enter with their squares and the products of two, the most frequent categories by indicators, and missing values by
    an indicator. A change that no such term shows is not measured. An unchanged file has the value 0; a file drawn from
    the correct model, fitted to the original, is distinguished a little by random variation alone: the details give the
    pMSE that is expected for such a file, and the ratio of the observed to the expected one. For a tree the expected
    value is the one that random labels give. In larger files the model is fitted to records drawn at random. The
    interval is over the records, each with its masked rows; the variation of the model itself is not included.

    Formula: $\frac{1}{N} \sum_i \frac{(p_i - c)^2}{c (1 - c)}$,  $p_i$ the probability that row $i$ is masked, $c$ the
    share of masked rows

    Use it when the masked file is to replace the original in analyses that are not known beforehand, as synthetic data
    do.
    """

    uses: ClassVar[frozenset[Need]] = frozenset({Need.ROWS})  # records that are drawn enter with their rows

    records: int = param(50_000, "largest number of records of each file that the model is fitted to", low=10)
    model: str = param("logistic", "the model: logistic or tree", grid=("tree",))
    categories: int = param(20, "largest number of categories of an attribute in the model", low=1)

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        names = release.evaluated_attributes(Kind.ANY)
        records, rows = self._drawn(release, seed)
        files = release.original.only(names).take(records), release.masked.only(names).take(rows)
        design = np.column_stack([*numbers(files), *indicators(files, self.categories)])
        share = len(rows) / len(design)
        probabilities = self._propensities(design[: len(records)], design[len(records) :])
        found = propensity_mean_squared_error(probabilities, share)
        expected = self._expected(design, len(records), seed)
        value = round(found / (share * (1 - share)), DECIMALS)
        squares = np.square(probabilities - share) / (share * (1 - share))
        low, high = self._interval(squares, self._whose(release, records, rows), seed)
        return Score(
            value,
            interval=(min(low, value), max(high, value)),
            baseline=0.0,
            details={
                "pmse": found,
                "expected_if_synthesised": expected,
                "ratio": found / expected if expected > 0 else 0.0,
            },
        )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.model not in MODELS:
            raise ParameterError(f"{self.name}: model = {self.model!r} is unknown; use {' or '.join(MODELS)}")

    def _propensities(self, one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
        """The probability of each row to be of the masked file."""
        if self.model == "tree":
            return tree_propensities(one, other, max((len(one) + len(other)) // LEAVES, SMALLEST_LEAF))
        return propensities(one, other)

    def _expected(self, design: NDArray[np.float64], originals: int, seed: int | None) -> float:
        """The pMSE to expect of a file that differs by random variation alone."""
        share = 1 - originals / len(design)
        if self.model == "logistic":
            terms = int(np.linalg.matrix_rank(np.cov(design, rowvar=False)))
            return expected_when_synthesised(max(terms, 1), share, len(design))
        rng = child(generator(seed or 0), self.name, "labels")
        found = []
        for _ in range(SHUFFLES):
            order = rng.permutation(len(design))
            random = self._propensities(design[order[:originals]], design[order[originals:]])
            found.append(propensity_mean_squared_error(random, share))
        return float(np.mean(found))

    def _whose(self, release: Release, records: NDArray[np.int64], rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The record of each line of the model, originals first; a row of no record is a record of its own."""
        origin = release.known_origin[rows]
        nobodys = len(release.original) + np.arange(len(rows))
        return np.unique(np.concatenate([records, np.where(origin >= 0, origin, nobodys)]), return_inverse=True)[1]

    def _interval(
        self, squares: NDArray[np.float64], whose: NDArray[np.int64], seed: int | None
    ) -> tuple[float, float]:
        """Where the mean of the squares lies for records drawn again."""
        by_record = np.column_stack([np.bincount(whose, weights=squares), np.bincount(whose).astype(np.float64)])
        sums = bootstrap_sums(by_record, child(generator(seed or 0), self.name, "interval"))
        low, high = np.quantile(sums[:, 0] / sums[:, 1], [0.025, 0.975])
        return round(float(low), DECIMALS), round(float(high), DECIMALS)

    def _drawn(self, release: Release, seed: int | None) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The records and the rows that enter: all, or some records and what became of them."""
        records, rows = np.arange(len(release.original)), np.arange(len(release.masked))
        rng = child(generator(seed or 0), "propensity-loss")
        if len(records) > self.records:
            records = np.sort(rng.choice(records, self.records, replace=False))
            if (release.known_origin >= 0).any():
                rows = np.flatnonzero(np.isin(release.known_origin, records))
        if not len(rows) or len(rows) > self.records:
            rows = np.sort(rng.choice(len(release.masked), min(self.records, len(release.masked)), replace=False))
        return records, rows


def numbers(files: tuple[Microdata, Microdata]) -> list[NDArray[np.float64]]:
    """Numbers, squares and products in both files, stacked; a missing value is the mean, with an indicator."""
    names = files[0].names(kind=Kind.ORDERED)
    both = np.concatenate([file.matrix(names) for file in files])
    holes = np.isnan(both)
    there = np.maximum((~holes).sum(axis=0), 1)
    centred = np.where(holes, 0.0, both - np.where(holes, 0.0, both).sum(axis=0) / there)
    scale = np.sqrt((centred**2).sum(axis=0) / there)
    scaled = centred / np.where(scale > 0, scale, 1.0)
    pairs = combinations_with_replacement(range(len(names)), 2)
    products = [scaled[:, one] * scaled[:, other] for one, other in pairs]
    return [*scaled.T, *products, *holes[:, holes.any(axis=0)].T.astype(np.float64)]


def indicators(files: tuple[Microdata, Microdata], most: int) -> list[NDArray[np.float64]]:
    """Indicators of the most frequent categories, and of missing values, of each attribute in both files."""
    columns = []
    for name in files[0].names(kind=Kind.CATEGORICAL):
        both = np.concatenate([file.columns[name] for file in files])
        found, counts = np.unique(both, return_counts=True)
        frequent = found[np.argsort(-counts, kind="stable")[:most]]
        columns += [(both == category).astype(np.float64) for category in frequent]
    return columns
