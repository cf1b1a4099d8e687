"""What the two Mondrians share: which attributes are cut, what every group must have, and what is published of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.capabilities import Statistic
from sdckit.draws import Draws
from sdckit.errors import ParameterError, SchemaError
from sdckit.holes import Holes
from sdckit.kernels.class_models import Classes, Rule
from sdckit.kernels.mondrian import Sensitive, mondrian
from sdckit.kernels.observed_groups import means_of_observed
from sdckit.kernels.partitions import group_means
from sdckit.masking import Locality, Masking
from sdckit.methods.category_trees import up_the_tree
from sdckit.methods.generalisation.anonymising import MODELS, SUBSET, bound, subset_of
from sdckit.methods.generalisation.anonymity_models import Models
from sdckit.methods.generalisation.group_values import groups_of_observed, lowest_common_ancestors, positions
from sdckit.methods.generalisation.larger_groups import with_larger_groups
from sdckit.methods.microaggregation.nearest_centroids import nearest_centroids
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.parameters import param


@dataclass(frozen=True, eq=False)
class Records:
    """The records as models see them: which are released, whom each stands for, and their confidential values."""

    rule: Rule
    released: NDArray[np.bool_]
    weights: NDArray[np.float64]
    confidential: Sequence[tuple[NDArray[np.int64], int]]

    def sufficient(self, rows: NDArray[np.int64]) -> bool:
        """Whether these records together satisfy the models of classes."""
        counts = []
        for codes, categories in self.confidential:
            values = codes[rows[self.released[rows]]]
            seen = np.bincount(values[values >= 0], minlength=max(categories, 1))
            counts.append(seen[None].astype(np.float64))
        size = float(self.released[rows].sum())
        group = Classes(np.array([size]), self.weights[rows].sum(keepdims=True), counts)
        return bool(self.rule.sufficient(group)[0])


@dataclass(frozen=True, kw_only=True)
class Mondrian(Masking):
    """Groups by cuts at the median of one attribute after the other."""

    keeps_missing = True
    locality = Locality.BLOCK
    preserves = frozenset({Statistic.MEANS})
    strict: ClassVar[bool] = True

    group_size: int = param(3, "smallest number of records in a group (the papers' k)", low=1, grid=(3, 5, 10))
    diversity: int = param(
        1, "smallest number of distinct values of each confidential attribute in a group (l-diversity)", low=1
    )
    closeness: float = param(
        1.0,
        "largest distance of a confidential attribute's distribution in a group from the file's (t-closeness)",
        low=0,
        high=1,
    )

    models: Models = param(Models(), MODELS)
    subset: str = param("", SUBSET)
    holes: Holes = param(
        Holes.ANY_VALUE,
        "what a missing key counts as: any-value, or own-value: then an attribute that is missing in a part of a group "
        "is missing in all of it, as is always so under models, diversity, closeness and subset",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.holes not in (Holes.ANY_VALUE, Holes.OWN_VALUE):
            raise ParameterError(f"{self.name}: holes = {self.holes} is not one of any-value, own-value")
        if self.rows_look_the_same:  # a value beside a hole goes missing
            object.__setattr__(self, "suppresses", True)

    @property
    def rows_look_the_same(self) -> bool:
        """Whether a missing key is a value of its own, so that the rows of a group have the same values and holes."""
        conditions = self.models.models or self.subset or self.diversity > 1 or self.closeness < 1
        return bool(conditions) or self.holes is Holes.OWN_VALUE

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        names = self.applicable(data, attributes)
        labels = self.partition(data, names)
        if self.rows_look_the_same:
            return self.published_alike(data, names, labels)
        self.refuse_few_values(data, names, self.group_size)
        numbers = [name for name in names if data.attribute(name).kind & Kind.ORDERED]
        columns, meanings = {}, []
        for name in names:
            if name not in numbers:
                own = groups_of_observed(data, name, labels, self.group_size)
                meaning, columns[name] = lowest_common_ancestors(data.attribute(name), data.columns[name], own)
                meanings.append(meaning)
        means = means_of_observed(data.matrix(numbers), labels, self.group_size)
        return data.with_columns(columns, meanings).with_matrix(numbers, self.published(data, numbers, means))

    def published_alike(self, data: Microdata, names: Sequence[str], labels: NDArray[np.int64]) -> Microdata:
        """What the records of each group have in common, an attribute missing in all of them where it is in one.

        Records outside the research subset are part of the groups, the population that hides the others, and lose all
        keys.
        """
        released = subset_of(data, self.subset, self.name)
        numbers = [name for name in names if data.attribute(name).kind & Kind.ORDERED]
        hidden = {name: (np.bincount(labels, data.absent(name)) > 0)[labels] | ~released for name in names}
        columns, meanings = {}, []
        for name in names:
            if name not in numbers:
                meaning, nodes = lowest_common_ancestors(data.attribute(name), data.columns[name], labels)
                columns[name] = np.where(hidden[name], -1, nodes).astype(np.int32)
                meanings.append(meaning)
        means = self.published(data, numbers, group_means(data.matrix(numbers), labels)[labels])
        for index, name in enumerate(numbers):
            means[hidden[name], index] = np.nan
        return data.with_columns(columns, meanings).with_matrix(numbers, means)

    def also_reads(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        """What the conditions on groups look at: confidential values, weights, and the column of a subset."""
        if not self.rows_look_the_same:
            return ()
        named = (*data.names(role=Role.CONFIDENTIAL), *data.names(role=Role.WEIGHT), self.subset)
        return tuple(name for name in named if name and name in data and name not in attributes)

    def partition(self, data: Microdata, names: Sequence[str]) -> NDArray[np.int64]:
        """The group of each record."""
        released = subset_of(data, self.subset, self.name)
        if released.sum() < self.group_size:
            raise SchemaError(
                f"{self.name}: {released.sum()} records cannot fill a group of {self.group_size}; use a smaller "
                "group_size"
            )
        confidential = [name for name in data.names(role=Role.CONFIDENTIAL) if name not in names]
        conditions = self.diversity > 1 or self.closeness < 1
        if conditions and not confidential:
            raise SchemaError(f"{self.name}: diversity and closeness need a confidential attribute; declare one")
        checked = confidential if conditions else []
        sensitive = Sensitive(
            np.where(released[:, None], data.codes(checked).astype(np.int64), -1),
            np.array([bool(data.attribute(name).kind & Kind.ORDERED) for name in checked], dtype=bool),
        )
        labels = mondrian(
            positions(data, names),
            self.group_size,
            sensitive,
            strict=self.strict,
            diversity=self.diversity,
            closeness=self.closeness,
        )
        if labels[0] >= 0 and (self.models.models or self.subset):
            return self.under_models(data, names, sensitive, released)
        if labels[0] < 0:
            poorest = min(checked, key=lambda name: len(np.unique(data.values(name)[~data.absent(name)])))
            raise SchemaError(f"{self.name}: {poorest!r} has fewer than {self.diversity} values in the whole file")
        return labels

    def under_models(
        self, data: Microdata, names: Sequence[str], sensitive: Sensitive, released: NDArray[np.bool_]
    ) -> NDArray[np.int64]:
        """The group of each record where every group satisfies the models, too."""
        rule, weights, columns = bound(self.models, self.group_size, data, tuple(names), released, self.name)
        file = Records(rule, released, weights, columns.codes)
        if not file.sufficient(np.arange(len(data))):
            raise SchemaError(f"{self.name}: not even the whole file satisfies {self.models}; use weaker models")

        def at(size: int) -> NDArray[np.int64]:
            return mondrian(
                positions(data, names),
                size,
                sensitive,
                strict=self.strict,
                diversity=self.diversity,
                closeness=self.closeness,
                also=file.sufficient,
            )

        def satisfied(labels: NDArray[np.int64]) -> bool:
            sizes = np.bincount(labels, released).astype(float)
            return rule.satisfied(sizes[sizes > 0])

        labels = with_larger_groups(at, satisfied, self.group_size, len(data))
        if labels is None:
            raise SchemaError(f"{self.name}: not even the whole file satisfies {self.models}; use weaker models")
        return labels

    def candidates(self, known: Candidates, released: Microdata | None) -> Candidates | None:
        """A category became a node above it, for certain; a number is likely near the mean of its group."""
        if released is None:
            return None
        hidden = frozenset(each.name for each in released.attributes) if self.rows_look_the_same else frozenset[str]()
        above = replace(up_the_tree(known, released.attributes), may_be_missing=hidden)
        groups = nearest_centroids(known, released)
        if groups is None:
            return above
        likely = replace(groups, promised=False)
        return replace(above, groups=(likely,), certain=False, likely=frozenset[str]())

    def image(self, known: Candidates, attributes: Mapping[str, Attribute]) -> Candidates | None:
        """A category became a node above it; a number can have become anything."""
        above = up_the_tree(known, attributes.values())
        return replace(above, may_be_missing=frozenset(attributes)) if self.rows_look_the_same else above
