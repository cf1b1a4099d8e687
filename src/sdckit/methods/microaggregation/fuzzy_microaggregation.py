"""Fuzzy microaggregation: every record may get any of the centres, near ones more likely (Torra 2015)."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.draws import Draws
from sdckit.fuzzy.c_means import c_means, draw_assignments, memberships
from sdckit.kernels.equivalence_classes import equal_rows
from sdckit.kernels.mdav import mdav
from sdckit.kernels.partitions import group_means
from sdckit.kernels.standardisation import mean_and_deviation, standardise, standardise_like
from sdckit.likelihood import Law
from sdckit.masking import masking
from sdckit.methods.microaggregation.blocks import Microaggregation
from sdckit.microdata import Kind, Microdata
from sdckit.parameters import param


@masking("fuzzy-microaggregation", kind=Kind.ORDERED, reference="torra2015")
class FuzzyMicroaggregation(Microaggregation):
    """Cluster the records by fuzzy c-means and replace each by a centre drawn with its memberships as probabilities.

    There are as many centres as MDAV would make groups of `group_size`. With an assignment fuzziness above 1 every
    centre has a positive probability, so a published method and parameters exclude no record: `candidates` is None, and
    the intersection attack excludes nothing. The cost is that `group_size` is not guaranteed: a centre may be drawn by
    fewer records, and the notes of a release give the smallest number. A centre fuzziness of about 1.02 to 1.3 keeps
    the centres apart; above, they drift together, and on some files fall into one (the notes say from where on).

    Formula: V = FCM(X, c = ⌈n / k⌉, m₁),  x′ = v_i with probability μᵢ(x) = D_i^(−1/(m₂−1)) / Σⱼ D_j^(−1/(m₂−1))

    Use it when microaggregation is needed and method and parameters will be published; for a guaranteed group size take
    mdav and expect the intersection attack.
    """

    preserves = frozenset()

    centre_fuzziness: float = param(
        1.1,
        "fuzziness of the clustering (the paper's m₁); 1 is k-means, inf puts every centre at the mean",
        low=1,
        high=inf,
        grid=(1.05, 1.1, 1.3),
    )
    assignment_fuzziness: float = param(
        1.2,
        "fuzziness of the draw (the paper's m₂); 1 takes the nearest centre, inf any centre with equal probability",
        low=1,
        high=inf,
        grid=(1.1, 1.2, 1.5, 2.0),
    )

    def transform(self, values: NDArray[np.float64], draws: Draws) -> NDArray[np.float64]:
        self.require_a_group(len(values))
        masked = np.empty(values.shape)
        for block in self.blocks(values.shape[1]):
            mean, deviation = mean_and_deviation(values[:, block])
            points = standardise(values[:, block])
            centres = c_means(points, self.first_centres(points), self.centre_fuzziness).centres
            share = draws.child(block.start).uniform(1)[:, 0]
            chosen = draw_assignments(points, centres, self.assignment_fuzziness, share)
            masked[:, block] = centres[chosen] * deviation + mean
        return masked

    def first_centres(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """The centroids of MDAV's groups, and the records farthest from theirs until there are ⌈n / k⌉."""
        labels = mdav(points, self.group_size)
        centres = group_means(points, labels)
        missing = -(-len(points) // self.group_size) - len(centres)
        far = np.argsort(-((points - centres[labels]) ** 2).sum(axis=1), kind="stable")[: max(missing, 0)]
        return np.concatenate([centres, points[far]])

    def candidates(self, known: Candidates, released: Microdata | None) -> Candidates | None:
        """Every centre is possible; only with a fuzziness of 1 is it the nearest one."""
        return super().candidates(known, released) if self.assignment_fuzziness == 1 else None

    def law(self, released: Microdata, original: Microdata | None = None) -> Law:
        names = [each.name for each in released.attributes]
        return CentreLaw(tuple(self.blocks(len(names))), released.matrix(names), self.assignment_fuzziness)

    def notes(self, original: Microdata, masked: Microdata, attributes: Sequence[str]) -> list[str]:
        notes = []
        for block in self.blocks(len(attributes)):
            names = attributes[block]
            sizes = equal_rows(masked.matrix(names)).sizes
            notes.append(
                f"{', '.join(names)}: {len(sizes)} of {-(-len(original) // self.group_size)} centres were drawn, the "
                f"rarest by {sizes.min()} records (group_size {self.group_size} is not guaranteed)"
            )
            notes.append(f"{', '.join(names)}: {collapse(standardise(original.matrix(names)))}")
        return notes


def collapse(points: NDArray[np.float64]) -> str:
    """From which fuzziness on all centres fall into the mean, in words.

    Near the mean a centre's next position is a linear image of its last one; the mean draws it in iff the fuzziness is
    above 1 / (1 − 2λ), λ the largest eigenvalue of the average of u uᵀ / |u|², u a record's direction from the mean.
    """
    directions = points - points.mean(axis=0)
    length = np.sqrt((directions**2).sum(axis=1))
    directions = directions[length > 0] / length[length > 0, None]
    largest = (
        float(np.linalg.eigvalsh(directions.T @ directions / max(len(directions), 1))[-1]) if len(directions) else 1.0
    )
    if largest >= 0.5:
        return "centres never all fall into the mean, whatever the centre fuzziness"
    return f"centres near the mean fall into it from a centre fuzziness of {1 / (1 - 2 * largest):.2f} on"


@dataclass(frozen=True, eq=False)
class CentreLaw:
    """The probability of a centre is the membership in it; the release shows the centres that were drawn."""

    blocks: tuple[slice, ...]
    file: NDArray[np.float64]
    fuzziness: float

    def log_likelihood(self, known: NDArray[np.float64], released: NDArray[np.float64]) -> NDArray[np.float64]:
        total = np.zeros((len(known), len(released)))
        for block in self.blocks:
            rows = self.file[:, block]
            classes = equal_rows(rows)
            centres = standardise_like(rows[classes.first()], rows)
            degrees = memberships(standardise_like(known[:, block], rows), centres, self.fuzziness)
            centre_of_row = equal_rows(np.concatenate([rows, released[:, block]])).of[len(rows) :]
            with np.errstate(divide="ignore"):
                total += np.log(degrees / classes.sizes)[:, centre_of_row]
        return total
