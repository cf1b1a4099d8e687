"""Class means: numbers averaged within the classes that generalised keys form."""

from collections.abc import Sequence

import numpy as np

from sdckit.draws import Draws
from sdckit.errors import ParameterError
from sdckit.holes import Holes
from sdckit.kernels.equivalence_classes import class_of
from sdckit.kernels.observed_groups import means_of_observed
from sdckit.masking import Masking, masking
from sdckit.microdata import Kind, Microdata, Role
from sdckit.parameters import param


@masking("class-means", kind=Kind.ORDERED, reference="prasser2020")
class ClassMeans(Masking):
    r"""Replace each number by the mean of the records that agree with it on the keys with categories.

    After a step that generalises the other keys, a numeric key is published as the mean of its class and the release
    keeps the anonymity that the classes have. Every mean is over at least k observed values: classes with fewer are
    averaged together with near ones. A missing key is a value of its own: where a number is missing in a part of a
    class it is missing in all of it, so that the rows of a class look the same. With any-value a missing number stays
    missing, the others of its class do not, and means and totals of the file are kept; so they are in a file without
    missing numbers. Without a key with categories, all records are one class.

    Formula: $x'_i = \frac{1}{|E|} \sum_{j \in E} x_j$,  $i \in E$,  $E$ the records with the same released keys

    Excludes nothing: a mean leaves every value of its class possible, and which class a record is in follows from the
    steps before.

    Use it when keys with hierarchies were generalised and a numeric key or confidential number must become as coarse as
    their classes.
    """

    keeps_missing = True
    suppresses = True

    group_size: int = param(3, "smallest number of values in a mean (the papers' k)", low=1, grid=(3, 5, 10))
    holes: Holes = param(
        Holes.OWN_VALUE,
        "what a missing number counts as: own-value: then it is missing in the whole class, or any-value",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.holes not in (Holes.ANY_VALUE, Holes.OWN_VALUE):
            raise ParameterError(f"{self.name}: holes = {self.holes} is not one of own-value, any-value")

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        names = self.applicable(data, attributes)
        self.refuse_few_values(data, names, self.group_size)
        keys = self.also_reads(data, names)
        labels = class_of(data.codes(keys).astype(np.int64)).of if keys else np.zeros(len(data), dtype=np.int64)
        values = data.matrix(names)
        if self.holes is Holes.OWN_VALUE:
            hidden = [(np.bincount(labels, np.isnan(column)) > 0)[labels] for column in values.T]
            values = np.where(np.column_stack(hidden), np.nan, values)
        means = means_of_observed(values, labels, self.group_size)
        return data.with_matrix(names, self.published(data, names, means))

    def also_reads(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        """The other keys with categories, which form the classes."""
        others = [name for name in data.names(role=Role.KEY) if name not in attributes]
        return tuple(name for name in others if data.attribute(name).kind & Kind.CATEGORICAL)
