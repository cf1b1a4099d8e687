"""Contingency-table loss: how much the tables that analysts make have changed."""

from itertools import combinations

import numpy as np

from sdckit.errors import NotApplicableError
from sdckit.intruder import Intruder
from sdckit.kernels.equivalence_classes import class_of
from sdckit.loss.categorical.paired_cells import coded_attributes
from sdckit.measure import Measure, Score, loss
from sdckit.microdata import Kind
from sdckit.parameters import param
from sdckit.release import Release


@loss("contingency-table-loss", headline=7, sees=Kind.CATEGORICAL, reference="domingo2001")
class ContingencyTableLoss(Measure):
    r"""Mean share of the records that are in another cell, over all tables of up to `dimension` attributes.

    Tables are compared as shares, so that files of different length can be compared. A removed value has a cell of its
    own, and a generalised value is another value. By attribute: the mean over the tables that it is in. Values may have
    been exchanged between records without any effect on a table, so the loss can lie below the share of changed values.

    Formula: mean over tables $T$ of $\frac{1}{2} \sum |\frac{T}{n} - \frac{T'}{n'}|$,  the sum over the cells of the
    table

    Use it when the file is published for tables.
    """

    dimension: int = param(2, "largest number of attributes in a table", low=1, high=4, grid=(1, 2, 3))

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        names = tuple(name for name in coded_attributes(release) if release.original.attribute(name).coded)
        if not names:
            raise NotApplicableError("the two files share no attribute with categories to measure on")
        before, after = release.original.codes(names), release.masked.codes(names)
        both = np.concatenate([before, after])
        gaps: dict[tuple[int, ...], float] = {}
        cells = 0
        for size in range(1, min(self.dimension, len(names)) + 1):
            for chosen in combinations(range(len(names)), size):
                table = class_of(both[:, chosen])
                old = np.bincount(table.of[: len(before)], minlength=len(table.sizes)) / len(before)
                new = np.bincount(table.of[len(before) :], minlength=len(table.sizes)) / len(after)
                gaps[chosen] = float(np.abs(old - new).sum() / 2)
                cells += len(table.sizes)
        return Score(
            float(np.mean(list(gaps.values()))),
            by_attribute={
                name: float(np.mean([gap for chosen, gap in gaps.items() if column in chosen]))
                for column, name in enumerate(names)
            },
            baseline=0.0,
            details={"tables": len(gaps), "cells": cells},
        )
