"""Edit-preserving microaggregation: group means that satisfy the edits of the file (Torra 2008)."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.draws import Draws
from sdckit.edit_alternatives import alternatives
from sdckit.edit_checks import edit_columns, violations
from sdckit.edit_conditions import Comparison, LinearComparison
from sdckit.edits import RecordCondition
from sdckit.errors import SchemaError
from sdckit.kernels.mdav import mdav
from sdckit.kernels.observed_groups import merged_by_all_observed
from sdckit.kernels.partitions import group_means, weighted_group_means
from sdckit.kernels.standardisation import mean_and_deviation, standardise
from sdckit.masking import masking
from sdckit.methods.microaggregation.blocks import Microaggregation
from sdckit.methods.microaggregation.edit_spaces import (
    EditSpace,
    is_computed,
    linked_blocks,
    sampling_weights,
    sure_conditions,
    ways_to_satisfy,
)
from sdckit.methods.microaggregation.edit_strata import RuleChoice, Stratum, strata
from sdckit.microdata import Kind, Microdata, Role
from sdckit.parameters import param


@masking("edit-preserving-microaggregation", kind=Kind.ORDERED, reference="torra2008")
class EditPreservingMicroaggregation(Microaggregation):
    r"""Group records as MDAV does within strata, and publish means that satisfy the edits: no new violation arises.

    Attributes that edits link are grouped together. Sums, ranges and orders are kept by arithmetic means, products by
    geometric means, in strata of equal signs. Where one attribute governs another (if … then …), records are grouped
    with others that satisfy the edit in the same way. A mean that still violates a linear edit, because records of the
    group do or have missing values, is moved to the nearest point that satisfies it. A value that cannot be published
    without violating an edit is suppressed; the notes give the number. All attributes of an equation have to be masked
    together. Where values are missing, groups are joined until each has enough observed values; a value of which the
    stratum has too few is suppressed. Where the file satisfies linear edits and has no missing values, the masked file
    is that of mdav.

    Formula: $x'_i = \operatorname{argmin}_v \lVert v - \varphi^{-1}(\frac{1}{|G|} \sum_{j \in G} \varphi(x_j)) \rVert$
    subject to $A v = b$, $H v \le h$,  $\varphi = \log$ for products, else $\varphi(x) = x$

    Use it when the schema declares edits, as for business accounts, and the masked file must satisfy them.
    """

    preserves = frozenset()
    keeps_missing = True
    suppresses = True

    weighted: bool = param(
        False, "means weighted by the sampling weight, which keep weighted totals where edits are linear and satisfied"
    )

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        names = self.applicable(data, attributes)
        self.require_a_group(len(data))
        require_whole_equations(self.name, data, names)
        masked = data
        for block in linked_blocks(self.blocks_of(data.only(names)), data.edits):
            masked = masked.with_matrix(block, self.published(data, block, self.means(data, block)))
        return without_new_violations(data, masked, names)

    def blocks_of(self, file: Microdata) -> Sequence[Sequence[str]]:
        return linked_blocks(super().blocks_of(file), file.edits)

    def also_reads(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        """The attributes that edits link to the masked ones, as strata depend on them, and the weight if it counts."""
        weight = data.names(role=Role.WEIGHT) if self.weighted else ()
        edits = [each for each in data.edits.among(data.columns) if any(name in attributes for name in each.attributes)]
        linked = [name for each in edits for name in each.attributes if name not in attributes]
        return tuple(dict.fromkeys([*linked, *weight]))

    def means(self, data: Microdata, names: Sequence[str]) -> NDArray[np.float64]:
        """The mean of its group for each record, NaN where its value is missing."""
        values = data.matrix(names)
        computed = [name for name in names if not data.attribute(name).coded]
        space = EditSpace.of(names, computed, ways_to_satisfy(data, names))
        coordinates = space.coordinates(values)
        points = standardise(coordinates)
        weights = sampling_weights(data) if self.weighted else None
        masked = np.empty(values.shape)
        for stratum in self.strata(data, names):
            masked[stratum.records] = self.stratum_means(stratum, space, coordinates, points, computed, weights)
        return np.where(np.isnan(values), np.nan, masked)

    def strata(self, data: Microdata, names: Sequence[str]) -> list[Stratum]:
        """The strata of a block of attributes within which records are grouped."""
        values = data.matrix(names)
        computed = [name for name in names if not data.attribute(name).coded]
        ways = ways_to_satisfy(data, names)
        space = EditSpace.of(names, computed, ways)
        read = dict.fromkeys(name for way in ways for each in way for condition in each for name in condition.names())
        columns = edit_columns(data, read)
        rules = [RuleChoice.of(way, names, columns, len(data)) for way in ways if len(way) > 1]
        points = np.nan_to_num(standardise(space.coordinates(values)))
        return strata(rules, sure_conditions(ways, computed), space.signs(values), points, self.group_size)

    def stratum_means(
        self,
        stratum: Stratum,
        space: EditSpace,
        coordinates: NDArray[np.float64],
        points: NDArray[np.float64],
        computed: Sequence[str],
        weights: NDArray[np.float64] | None,
    ) -> NDArray[np.float64]:
        """The means of the groups of one stratum, corrected where they violate its conditions."""
        members = coordinates[stratum.records]
        groups = self.partition(points[stratum.records], np.random.default_rng(0))
        labels = merged_by_all_observed(members, groups, self.group_size)
        means = (
            group_means(members, labels)
            if weights is None
            else weighted_group_means(members, labels, weights[stratum.records])
        )
        centre, deviation = mean_and_deviation(coordinates)
        scale = np.where(deviation > 0, deviation, 1.0)
        conditions = [each for each in stratum.conditions if is_computed(each, computed)]
        constraints = space.constraints(conditions, stratum.signs, scale).in_coordinates(centre, scale)
        where = (np.where(np.isnan(means), centre, means) - centre) / scale
        wrong = constraints.violations(where).any(axis=1)
        if wrong.any() and not constraints.conflict():
            means[wrong] = constraints.nearest(where[wrong]) * scale + centre
        counts = np.column_stack([np.bincount(labels[~np.isnan(each)], minlength=len(means)) for each in members.T])
        published = np.where(counts < self.group_size, np.nan, space.values(means, stratum.signs))
        return published[labels]

    def partition(self, values: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.int64]:
        from sdckit.kernels.mixed_mdav import mixed_mdav

        if not np.isnan(values).any():
            return mdav(values, self.group_size)
        none = np.empty((len(values), 0), dtype=np.int64)
        return mixed_mdav(values, none, np.empty(0, dtype=np.int64), none, self.group_size)

    def notes(self, original: Microdata, masked: Microdata, attributes: Sequence[str]) -> list[str]:
        suppressed = {name: masked.missing(name) - original.missing(name) for name in attributes}
        return [
            f"{name}: {count} values were suppressed: the mean of their group violates an edit or is of too few values"
            for name, count in suppressed.items()
            if count > 0
        ]


def require_whole_equations(method: str, data: Microdata, names: Sequence[str]) -> None:
    """Refuse to mask a part of a sum or product that must be equal to the rest: hardly any record would satisfy it."""
    for edit in data.edits.among(data.columns):
        other = [name for name in edit.attributes if name not in names]
        if other and len(other) < len(edit.attributes) and is_equation(edit):
            raise SchemaError(
                f"{method}: the edit {edit} links {next(name for name in edit.attributes if name in names)!r} with "
                f"{other[0]!r}, which is not masked; mask it too, or use another method"
            )


def is_equation(edit: RecordCondition) -> bool:
    """Whether an edit is an equality of sums or products, for every record."""
    (way, *others) = alternatives(edit) or ((),)
    if others or len(way) != 1:
        return False
    (only,) = way
    if isinstance(only, LinearComparison):
        return only.edit.low == only.edit.high
    return isinstance(only, Comparison) and only.sign == "=="


def without_new_violations(original: Microdata, masked: Microdata, names: Sequence[str]) -> Microdata:
    """The masked file without the values by which a record violates an edit that it satisfied in the original."""
    edits = [edit for edit in original.edits.among(original.columns) if any(name in names for name in edit.attributes)]
    if not edits:
        return masked
    anew = violations(edits, masked) & ~violations(edits, original)
    columns: dict[str, NDArray[Any]] = {}
    for index in np.flatnonzero(anew.any(axis=0)):
        for name in edits[index].attributes:
            if name in names:
                column = columns.get(name, masked.columns[name])
                nothing = -1 if masked.attribute(name).coded else np.nan
                columns[name] = np.where(anew[:, index], nothing, column)
    return masked.with_columns(columns) if columns else masked
