"""Constrained fuzzy microaggregation: fuzzy centres that satisfy the edits even where records do not (Torra 2009)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.draws import Draws
from sdckit.edit_alternatives import alternatives
from sdckit.errors import SchemaError
from sdckit.fuzzy.clusterings import Clustering, FuzzyCMeans
from sdckit.fuzzy.linear_constraints import LinearConstraints
from sdckit.kernels.rounding_errors import without_rounding_errors
from sdckit.kernels.standardisation import mean_and_deviation, standardise
from sdckit.likelihood import Law
from sdckit.masking import masking
from sdckit.methods.microaggregation.centre_laws import CentreLaw, Offered, law_of_offers
from sdckit.methods.microaggregation.cluster_notes import remember
from sdckit.methods.microaggregation.drawn_centres import DrawnCentres, averaged_over_enough
from sdckit.methods.microaggregation.edit_spaces import (
    EditSpace,
    is_computed,
    linked_blocks,
    sampling_weights,
    sure_conditions,
    ways_to_satisfy,
)
from sdckit.methods.microaggregation.fuzzy_microaggregation import first_centres
from sdckit.microdata import Kind, Microdata, Role
from sdckit.parameters import param


@masking("constrained-fuzzy-microaggregation", kind=Kind.ORDERED, reference="torra2009")
class ConstrainedFuzzyMicroaggregation(DrawnCentres):
    r"""Cluster by a fuzzy clustering whose centres satisfy the edits, and publish a centre drawn for each record.

    A centre is drawn with the memberships of the record as probabilities. Every published record satisfies the linear
    edits of the masked attributes, also one that violated them before or has missing values. Products are satisfied by
    clustering logarithms where all values are positive, else by computing one attribute from the others. Attributes
    that edits link are in one block. Where all records satisfy linear edits the centres are those of
    fuzzy-microaggregation. Edits that depend on a condition (if … then …) or on an attribute that is not masked are
    checked and not enforced; the notes name them. `group_size` is not guaranteed: a centre may be drawn by fewer
    records.

    Formula: $\min \sum_i \sum_j u_{ij}^m \lVert x_i - v_j \rVert^2$ subject to $A v_j = b$, $G v_j \le h$ for every
    centre $v_j$,  $x'_i = v_j$ with probability $u_{ij}$

    Use it when records contain errors that the published file must not repeat, and method and parameters will be
    published; for a guaranteed group size take edit-preserving-microaggregation.
    """

    clustering: Clustering = param(
        FuzzyCMeans(1.1),
        "how centres are found: a clustering of sdckit.fuzzy, such as fuzzy-c-means(1.1) or noise-clustering(1.1+1); a "
        "number is the fuzziness of fuzzy c-means (the paper's m₁), where 1 is k-means",
        grid=(FuzzyCMeans(1.05), FuzzyCMeans(1.1), FuzzyCMeans(1.3)),
    )
    weighted: bool = param(False, "count each record by its sampling weight where centres are computed")

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        names = self.applicable(data, attributes)
        self.require_a_group(len(data))
        self.refuse_few_values(data, names, self.group_size)
        draws = draws.over(len(data))
        masked = data
        for number, block in enumerate(linked_blocks(self.blocks_of(data.only(names)), data.edits)):
            centres = self.drawn_centres(data, block, draws.child(number))
            masked = masked.with_matrix(block, self.published(data, block, centres))
        return masked

    def drawn_centres(self, data: Microdata, names: Sequence[str], draws: Draws) -> NDArray[np.float64]:
        """The centre that is drawn for each record; NaN where its value is missing."""
        offered = self.offered_within_edits(data, names)
        chosen = self.drawn(offered.points, offered.centres, draws)
        return np.where(np.isnan(data.matrix(names)), np.nan, offered.values[chosen])

    def offers(self, data: Microdata, names: Sequence[str]) -> Iterator[tuple[Sequence[str], Offered]]:
        for block in linked_blocks(self.blocks_of(data.only(names)), data.edits):
            yield block, self.offered_within_edits(data, block)

    def offered_within_edits(self, data: Microdata, names: Sequence[str]) -> Offered:
        """The centres of one block, which satisfy the edits, before one is drawn for each record."""
        values = data.matrix(names)
        space, constraints = enforced(data, names)
        coordinates = space.coordinates(values)
        mean, deviation = mean_and_deviation(coordinates)
        scale = np.where(deviation > 0, deviation, 1.0)
        points = standardise(coordinates)
        edits = constraints.in_coordinates(mean, scale)
        try:
            edits.check()
        except ValueError as problem:
            raise SchemaError(f"{self.name}: {problem}") from None
        start = edits.nearest(first_centres(points, self.group_size))
        weights = sampling_weights(data) if self.weighted else None
        found = self.clustering.fit(points, start, weights=weights, adjust=edits.nearest)
        centres = remember(self, values, found).centres
        averages = edits.nearest(averaged_over_enough(centres, points, self.group_size))
        published = space.values(averages * scale + mean, np.ones(len(names)))
        return Offered(points, centres, without_rounding_errors(published))

    def blocks_of(self, file: Microdata) -> Sequence[Sequence[str]]:
        return linked_blocks(super().blocks_of(file), file.edits)

    def also_reads(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        """The sampling weight, if it counts."""
        return data.names(role=Role.WEIGHT) if self.weighted else ()

    def law(self, released: Microdata, original: Microdata | None = None) -> Law | None:
        names = [each.name for each in released.attributes]
        if original is not None:
            exact = law_of_offers(self.offers(original, names), released, self.assignment_fuzziness, self.decimals)
            if exact is not None:
                return exact
        rows = released.matrix(names)
        blocks = self.blocks_of(released)
        if np.isnan(rows).any() or any(enforced(released, block)[0].logarithmic for block in blocks):
            return None
        index = [[names.index(name) for name in block] for block in blocks]
        laws = [CentreLaw((slice(0, len(each)),), rows[:, each], self.assignment_fuzziness) for each in index]
        return BlockLaws(tuple(zip(map(tuple, index), laws, strict=True)))

    def notes(self, original: Microdata, masked: Microdata, attributes: Sequence[str]) -> list[str]:
        blocks = linked_blocks(self.blocks_of(original.only(attributes)), original.edits)
        drawn = [self.drawn_note(original, masked, block) for block in blocks]
        not_kept = [f"the edit {edit} is not enforced" for edit in not_enforced(original, attributes)]
        return [*drawn, *self.cluster_notes(original, attributes, blocks), *not_kept]


@dataclass(frozen=True, eq=False)
class BlockLaws:
    """Blocks of attributes that are masked independently, each by a law of its own."""

    parts: tuple[tuple[tuple[int, ...], Law], ...]

    def log_likelihood(self, known: NDArray[np.float64], released: NDArray[np.float64]) -> NDArray[np.float64]:
        total = np.zeros((len(known), len(released)))
        for columns, law in self.parts:
            total += law.log_likelihood(known[:, columns], released[:, columns])
        return total


def enforced(data: Microdata, names: Sequence[str]) -> tuple[EditSpace, LinearConstraints]:
    """The space in which centres are computed, and the edits that they satisfy there, as linear constraints.

    Logarithms are taken only where all values are positive; else an attribute of a product is computed from the others.
    """
    computed = [name for name in names if not data.attribute(name).coded]
    ways = ways_to_satisfy(data, names)
    space = EditSpace.of(names, computed, ways)
    not_positive = [name for name in space.logarithmic if (data.columns[name] <= 0).any()]
    if not_positive:
        space = EditSpace.of(names, computed, ways, not_positive)
    deviation = mean_and_deviation(space.coordinates(data.matrix(names)))[1]
    return space, space.constraints(sure_conditions(ways, computed), np.ones(len(names)), deviation)


def not_enforced(data: Microdata, names: Sequence[str]) -> list[str]:
    """The edits of masked attributes that the centres are not made to satisfy."""
    computed = [name for name in names if not data.attribute(name).coded]
    space = enforced(data, names)[0]
    edits = [edit for edit in data.edits.among(data.columns) if any(name in names for name in edit.attributes)]
    ways = [(edit, alternatives(edit)) for edit in edits]
    return [
        str(edit)
        for edit, way in ways
        if len(way) != 1 or not all(is_computed(each, computed) and space.expresses(each) for each in way[0])
    ]
