"""What the methods of the family share: attributes are taken in blocks, and each block is grouped on its own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates, Groups
from sdckit.capabilities import Statistic
from sdckit.draws import Draws
from sdckit.errors import SchemaError
from sdckit.kernels.observed_groups import means_of_observed
from sdckit.masking import Masking
from sdckit.microdata import Microdata
from sdckit.parameters import param


@dataclass(frozen=True, kw_only=True)
class Microaggregation(Masking):
    """Partition the records into groups, block by block, and publish the mean of each group for its members.

    `quadratic`  its time grows with the square of the number of records
    """

    quadratic: ClassVar[bool] = False
    preserves = frozenset({Statistic.MEANS})

    group_size: int = param(3, "smallest number of records in a group (the papers' k)", low=1, grid=(3, 5, 10))
    block_size: int = param(
        0, "attributes microaggregated together, in the order named (the papers' v); 0 takes them all", low=0
    )

    def partition(self, values: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.int64]:
        """The group of each record, from one block of attributes."""
        raise TypeError(f"{type(self).__name__} must define partition")

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        names = self.applicable(data, attributes)
        self.require_a_group(len(data))
        self.refuse_few_values(data, names, self.group_size)
        return super().protect(data, names, draws=draws)

    def transform(self, values: NDArray[np.float64], draws: Draws) -> NDArray[np.float64]:
        self.require_a_group(len(values))
        rng = draws.generator()
        masked = np.empty(values.shape)
        for block in self.blocks(values.shape[1]):
            labels = self.partition(values[:, block], rng)
            masked[:, block] = means_of_observed(values[:, block], labels, self.group_size)
        return masked

    def require_a_group(self, records: int) -> None:
        """Refuse a file that cannot fill one group."""
        if records < self.group_size:
            raise SchemaError(
                f"{self.name} needs at least {self.group_size} records to fill a group and the file has {records}; "
                "use a smaller group_size"
            )

    def blocks(self, attributes: int) -> Iterator[slice]:
        """The columns of each block; the last one may be smaller."""
        width = self.block_size or attributes
        return (slice(start, min(start + width, attributes)) for start in range(0, attributes, width))

    def corrected_moments(
        self, means: NDArray[np.float64], covariances: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return means, np.full_like(covariances, np.nan)

    def candidates(self, known: Candidates, released: Microdata | None) -> Candidates | None:
        """In each block, the groups with the nearest centroids: likely, not certain, as no rule bounds the groups."""
        if released is None:
            return None
        found = [self.groups_of(known, released.only(block)) for block in self.blocks_of(released)]
        groups = tuple(replace(group, promised=certain) for group, certain in filter(None, found))
        if not groups:
            return None
        certain = all(group.promised for group in groups)
        return Candidates(known.records, groups=groups, certain=certain, likely=frozenset[str]())

    def blocks_of(self, file: Microdata) -> Sequence[Sequence[str]]:
        """The attributes of each block of a file that has the masked attributes alone, in the order they were named."""
        names = [each.name for each in file.attributes]
        return [names[block] for block in self.blocks(len(names))]

    def groups_of(self, known: Candidates, block: Microdata) -> tuple[Groups, bool] | None:
        """The groups of one block that each record may be in, and whether that is certain; None: any."""
        from sdckit.methods.microaggregation.nearest_centroids import nearest_centroids

        groups = nearest_centroids(known, block)
        return None if groups is None else (groups, False)
