"""Maskings that replace each record by a centre drawn with its memberships as probabilities."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.draws import Draws
from sdckit.fuzzy.c_means import draw_assignments
from sdckit.fuzzy.mixed_points import MixedPoints
from sdckit.kernels.equivalence_classes import equal_rows
from sdckit.kernels.rounding_errors import without_rounding_errors
from sdckit.kernels.standardisation import mean_and_deviation, standardise
from sdckit.likelihood import Law
from sdckit.methods.microaggregation.blocks import Microaggregation
from sdckit.methods.microaggregation.centre_laws import CentreLaw, Offered, law_of_offers
from sdckit.methods.microaggregation.cluster_notes import recalled
from sdckit.microdata import Kind, Microdata
from sdckit.parameters import param


@dataclass(frozen=True, kw_only=True)
class DrawnCentres(Microaggregation):
    """Find centres of each block of attributes and draw one for each record."""

    preserves = frozenset()
    keeps_missing = True
    centres_are_records: ClassVar[bool] = False

    assignment_fuzziness: float = param(
        1.2,
        "fuzziness of the draw (the paper's m₂); 1 takes the nearest centre, inf any centre with equal probability",
        low=1,
        high=inf,
        grid=(1.1, 1.2, 1.5, 2.0),
    )

    def centres(
        self, values: NDArray[np.float64], points: NDArray[np.float64], rng: np.random.Generator
    ) -> NDArray[np.float64]:
        """The standardised centres of one block of ordered attributes, from the values and the standardised values."""
        raise TypeError(f"{type(self).__name__} must define centres")

    def mixed_centres(
        self, values: NDArray[np.float64], mixed: MixedPoints, labels: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """The centres of one block with unordered categories, from numbers and codes; `labels` are MDAV's groups."""
        raise TypeError(f"{type(self).__name__} must define mixed_centres to mask categories")

    def transform(self, values: NDArray[np.float64], draws: Draws) -> NDArray[np.float64]:
        self.require_a_group(len(values))
        rng = draws.generator()
        masked = np.empty(values.shape)
        for block in self.blocks(values.shape[1]):
            offered = self.offered(values[:, block], rng)
            chosen = self.drawn(offered.points, offered.centres, draws.child(block.start))
            masked[:, block] = offered.values[chosen]
        return np.where(np.isnan(values), np.nan, masked)

    def offered(self, values: NDArray[np.float64], rng: np.random.Generator) -> Offered:
        """The centres of one block of ordered attributes, before one is drawn for each record."""
        mean, deviation = mean_and_deviation(values)
        points = standardise(values)
        centres = averaged_over_enough(self.centres(values, points, rng), points, self.group_size)
        return Offered(points, centres, without_rounding_errors(self.unscaled(centres * deviation + mean, values)))

    def unscaled(self, centres: NDArray[np.float64], values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The centres in the units of the attributes, as they are published."""
        return centres

    def drawn(self, points: NDArray[np.float64], centres: NDArray[np.float64], draws: Draws) -> NDArray[np.int64]:
        """A centre for each record, drawn with its memberships as probabilities."""
        return draw_assignments(points, centres, self.assignment_fuzziness, draws.uniform(1)[:, 0])

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        names = self.applicable(data, attributes)
        if all(data.attribute(name).kind & Kind.ORDERED for name in names):
            return super().protect(data, names, draws=draws)
        self.require_a_group(len(data))
        self.refuse_few_values(data, names, self.group_size)
        draws = draws.over(len(data))
        masked = data
        for block in self.blocks(len(names)):
            masked = self.with_drawn_centres(masked, names[block], draws.child(block.start))
        return masked

    def offers(self, data: Microdata, names: Sequence[str]) -> Iterator[tuple[Sequence[str], Offered]]:
        """The attributes of each block and the centres that its records may get, as an intruder finds them again."""
        mixed = not all(data.attribute(name).kind & Kind.ORDERED for name in names)
        for block in self.blocks(len(names)):
            if mixed:
                ordered, nominal = ordered_and_nominal(data, names[block])
                yield [*ordered, *nominal], self.offered_mixed(data, names[block])
            else:
                yield names[block], self.offered(data.matrix(names[block]), np.random.default_rng(0))

    def with_drawn_centres(self, data: Microdata, names: Sequence[str], draws: Draws) -> Microdata:
        """The file with the drawn centres of one block of attributes of any kinds; missing values stay missing."""
        ordered, nominal = ordered_and_nominal(data, names)
        offered = self.offered_mixed(data, names)
        chosen = self.drawn(offered.points, offered.centres, draws)
        numbers, modes = np.split(offered.values[chosen], [len(ordered)], axis=1)
        codes = data.codes(nominal)
        columns = {name: np.where(codes[:, j] < 0, -1, modes[:, j]).astype(np.int64) for j, name in enumerate(nominal)}
        published = self.published(data, ordered, np.where(np.isnan(data.matrix(ordered)), np.nan, numbers))
        return data.with_columns(columns).with_matrix(ordered, published)

    def offered_mixed(self, data: Microdata, names: Sequence[str]) -> Offered:
        """The centres of one block of attributes of any kinds: numbers, then codes."""
        from sdckit.kernels.mixed_mdav import mixed_mdav

        ordered, nominal = ordered_and_nominal(data, names)
        values, codes = data.matrix(ordered), data.codes(nominal).astype(np.int64)
        none = np.empty((len(data), 0), dtype=np.int64)
        labels = mixed_mdav(standardise(values), none, np.empty(0, dtype=np.int64), codes, self.group_size)
        mixed = MixedPoints.of(standardise(values), codes)
        centres = self.mixed_centres(np.column_stack([values, codes]), mixed, labels)
        mean, deviation = mean_and_deviation(values)
        averages = averaged_over_enough(centres[:, : mixed.numbers], mixed.points[:, : mixed.numbers], self.group_size)
        numbers = without_rounding_errors(self.unscaled(averages * deviation + mean, values))
        return Offered(mixed.points, centres, np.column_stack([numbers, mixed.codes(centres)]))

    def candidates(self, known: Candidates, released: Microdata | None) -> Candidates | None:
        """Every centre is possible; only with a fuzziness of 1 is it the nearest one."""
        return super().candidates(known, released) if self.assignment_fuzziness == 1 else None

    def law(self, released: Microdata, original: Microdata | None = None) -> Law | None:
        names = [each.name for each in released.attributes]
        if original is not None:
            offers = self.offers(original, names)
            exact = law_of_offers(offers, released, self.assignment_fuzziness, self.decimals)
            if exact is not None:
                return exact
        if not all(each.kind & Kind.ORDERED for each in released.attributes):
            return None
        rows = released.matrix(names)
        if np.isnan(rows).any():
            return None
        return CentreLaw(tuple(self.blocks(len(names))), rows, self.assignment_fuzziness)

    def notes(self, original: Microdata, masked: Microdata, attributes: Sequence[str]) -> list[str]:
        blocks = [attributes[block] for block in self.blocks(len(attributes))]
        drawn = [self.drawn_note(original, masked, names) for names in blocks]
        return [*drawn, *self.cluster_notes(original, attributes, blocks)]

    def cluster_notes(
        self, original: Microdata, attributes: Sequence[str], blocks: Sequence[Sequence[str]]
    ) -> list[str]:
        """What went wrong in the clustering of each block; nothing for groups that no clustering made."""
        files = {tuple(names): block_values(original, names) for names in blocks}
        if any(recalled(self, values) is None for values in files.values()):  # as in another process
            self.protect(original, attributes, draws=Draws.of(0))
        return [f"{', '.join(names)}: {note}" for names, values in files.items() if (note := recalled(self, values))]

    def drawn_note(self, original: Microdata, masked: Microdata, names: Sequence[str]) -> str:
        """How many centres were drawn, and by how few records."""
        whole = ~(masked.codes(names) < 0).any(axis=1)
        sizes = equal_rows(masked.codes(names)[whole].astype(np.float64)).sizes
        fewest = int(sizes.min()) if len(sizes) else 0
        return (
            f"{', '.join(names)}: {len(sizes)} of {-(-len(original) // self.group_size)} centres were drawn, the "
            f"rarest by {fewest} record{'' if fewest == 1 else 's'} (group_size {self.group_size} is not guaranteed)"
        )


def block_values(data: Microdata, names: Sequence[str]) -> NDArray[np.float64]:
    """The numbers of a block, then the codes of its unordered categories."""
    ordered, nominal = ordered_and_nominal(data, names)
    return np.column_stack([data.matrix(ordered), data.codes(nominal)])


def ordered_and_nominal(data: Microdata, names: Sequence[str]) -> tuple[list[str], list[str]]:
    """The ordered attributes among these, and the others."""
    ordered = [name for name in names if data.attribute(name).kind & Kind.ORDERED]
    return ordered, [name for name in names if name not in ordered]


def averaged_over_enough(
    centres: NDArray[np.float64], points: NDArray[np.float64], group_size: int
) -> NDArray[np.float64]:
    """The centres; one that few observed values are nearest to takes the mean of the `group_size` nearest ones.

    Only columns with missing values are concerned: a centre would disclose the one value that is observed near it.
    """
    averaged = centres.copy()
    if not np.isnan(points).any():
        return averaged
    nearest = draw_assignments(points, centres, 1.0, np.zeros(len(points)))
    for column, value in enumerate(points.T):
        observed = ~np.isnan(value)
        if observed.all():
            continue
        counts = np.bincount(nearest[observed], minlength=len(centres))
        values = np.sort(value[observed])
        for centre in np.flatnonzero(counts < group_size):
            gaps = np.abs(values - centres[centre, column])
            averaged[centre, column] = values[np.argsort(gaps, kind="stable")[:group_size]].mean()
    return averaged
