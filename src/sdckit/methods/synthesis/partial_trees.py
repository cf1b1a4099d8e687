"""Partial trees: some attributes replaced by draws from trees on the others, the rows kept (Reiter 2005)."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.draws import Draws
from sdckit.edits import Edits
from sdckit.masking import Masking, masking
from sdckit.methods.synthesis.derived_attributes import Derived, derived_attributes
from sdckit.methods.synthesis.donor_codes import donor_codes
from sdckit.methods.synthesis.full_synthesis import copies_note, refuse_single_record
from sdckit.methods.synthesis.kept_edits import rows_kept_in_place, with_equalities_in_place
from sdckit.methods.synthesis.predictors import predictor_names
from sdckit.methods.synthesis.tree_sequence import Predictor, TreeDraw
from sdckit.microdata import Kind, Microdata
from sdckit.parameters import param


@masking("partial-trees", kind=Kind.ANY, reference="reiter2005a")
class PartialTrees(Masking):
    r"""Replace attributes one after the other by draws from the leaf of a tree on the others.

    Rows are kept and the given attributes are released unchanged, so that an intruder who knows these re-identifies
    records by them; what the synthesis protects are the replaced values. A missing value stays missing, and one of a
    given attribute is a value of its own. Without smoothing every number is one of the original file. Edits are kept:
    what an equality determines is computed, and rows that break another edit are drawn again.

    Formula: $y'_j \sim \hat{F}_j(\cdot \mid \text{leaf})$,  the leaf of $x, y'_1, \ldots, y'_{j-1}$ in the tree of
    $y_j$ on $x, y_1, \ldots, y_{j-1}$

    Use it when only some attributes are sensitive or identifying, and the others must be unchanged.

    Excludes nothing: small leaves make some rows unlikely, and none is promised to be impossible.
    """

    draws_values = True

    leaf_size: int = param(20, "smallest number of records in a leaf", low=1, grid=(5, 10, 20, 50))
    smoothing: bool = param(True, "whether numbers are drawn between the neighbouring values of a leaf")
    given: tuple[str, ...] | None = param(
        None,
        "attributes to condition on; by default other keys, confidential ones and weights; empty: none",
    )

    def also_reads(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        return predictor_names(self.name, data, attributes, self.given)

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        refuse_single_record(self.name, data)
        names = self.applicable(data, attributes)
        edits = Edits(tuple(edit for edit in data.edits if not set(names).isdisjoint(edit.attributes)))
        edits = edits.among([each.name for each in data.attributes])
        derived = derived_attributes(data, names)
        draws = draws.over(len(data))
        made = self._drawn(data, names, derived, draws)

        def again(number: int) -> Microdata:
            return self._drawn(data, names, derived, draws.child("again", number))

        return rows_kept_in_place(edits, data, made, again, list(names)) if len(edits) else made

    def _drawn(self, data: Microdata, names: Sequence[str], derived: Sequence[Derived], draws: Draws) -> Microdata:
        """The file with the attributes replaced; derived ones are computed from the others."""
        draw = TreeDraw(self.leaf_size, self.smoothing)
        columns: dict[str, NDArray[Any]] = {}
        values = {name: (data.columns[name], data.columns[name]) for name in self.also_reads(data, names)}
        for name in names:
            attribute, original = data.attribute(name), data.columns[name]
            seen = ~data.absent(name)
            predictors = [
                Predictor(data.attribute(other), before[seen], after[seen]) for other, (before, after) in values.items()
            ]
            drawn = original.copy()
            drawn[seen] = draw.column(attribute, original[seen], predictors, draws.child(name).among(seen))
            columns[name] = drawn if attribute.coded else self.published(data, [name], drawn[:, None])[:, 0]
            values[name] = (original, columns[name])
        return with_equalities_in_place(self, data, derived, columns)

    def donor_leaves(
        self, data: Microdata, rows: Microdata, attributes: Sequence[str]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Codes of records and rows by the leaves of each tree, which the given attributes lead to as well."""
        draw = TreeDraw(self.leaf_size, self.smoothing)
        return donor_codes(draw, data, rows, attributes, self.also_reads(data, attributes), missing_drawn=False)

    def notes(self, original: Microdata, masked: Microdata, attributes: Sequence[str]) -> list[str]:
        kept = [
            f"{name!r} is determined by the given attributes and therefore released unchanged; replace these too, or "
            "list others in given"
            for name in attributes
            if name in masked and _unchanged(original, masked, name)
        ]
        return kept + copies_note(self.name, original, masked, attributes)


def _unchanged(original: Microdata, masked: Microdata, name: str) -> bool:
    """Whether every value was drawn as it was, in a column that has several."""
    if len(original) != len(masked) or original.attribute(name).categories != masked.attribute(name).categories:
        return False
    seen = ~original.absent(name)
    before, after = original.columns[name][seen], masked.columns[name][seen]
    return len(np.unique(before)) > 1 and bool((before == after).all())
