"""Sequential trees: full synthesis, attribute by attribute, by classification and regression trees (synthpop's way)."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.draws import Draws
from sdckit.masking import masking
from sdckit.methods.synthesis.donor_codes import donor_codes
from sdckit.methods.synthesis.full_synthesis import FullSynthesis
from sdckit.methods.synthesis.tree_sequence import Predictor, TreeDraw
from sdckit.microdata import Kind, Microdata
from sdckit.parameters import param


@masking("sequential-trees", kind=Kind.ANY, reference="nowok2016")
class SequentialTrees(FullSynthesis):
    r"""Draw new records attribute by attribute, each from the leaf of a tree that the attributes before it lead to.

    The first attribute is drawn from its own distribution. Trees follow relations of any form, and categories, numbers
    and missing values are drawn alike; what an edit determines is computed, and rows that break one are drawn again.
    Without smoothing every number is one of the original file, and small leaves repeat several of one record: with
    `smoothing` a number is drawn between two neighbouring ones of its leaf. The notes of a release give the share of
    rows that carry two or more numbers of one record. Survey weights are drawn as an attribute like the others.

    Formula: $x'_1 \sim \hat{F}_1$, $x'_j \sim \hat{F}_j(\cdot \mid \text{leaf})$,  the leaf of $x'_1, \ldots, x'_{j-1}$
    in the tree of $x_j$ on $x_1, \ldots, x_{j-1}$

    Use it when a file of categories and numbers is published as a whole and relations between attributes matter.

    Excludes nothing: no row belongs to a record.
    """

    leaf_size: int = param(20, "smallest number of records in a leaf", low=1, grid=(5, 10, 20, 50))
    smoothing: bool = param(True, "whether numbers are drawn between the neighbouring values of a leaf")

    def synthetic_columns(self, data: Microdata, names: Sequence[str], draws: Draws) -> dict[str, NDArray[Any]]:
        draw = TreeDraw(self.leaf_size, self.smoothing)
        columns: dict[str, NDArray[Any]] = {}
        predictors: list[Predictor] = []
        for name in names:
            attribute, original = data.attribute(name), data.columns[name]
            columns[name] = draw.column(attribute, original, predictors, draws.child(name))
            predictors.append(Predictor(attribute, original, columns[name]))
        return columns

    def donor_leaves(
        self, data: Microdata, rows: Microdata, attributes: Sequence[str]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Codes of records and rows by the leaves of each tree; what an edit determines is not drawn."""
        draw = TreeDraw(self.leaf_size, self.smoothing)
        return donor_codes(draw, data, rows, attributes, missing_drawn=True)
