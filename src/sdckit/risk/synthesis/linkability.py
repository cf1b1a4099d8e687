"""Linkability: does the release join two files that have different attributes of the same people?"""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError, ParameterError
from sdckit.intruder import Intruder
from sdckit.kernels.excess_risk import excess_over_control
from sdckit.kernels.gower_neighbours import gower_neighbours
from sdckit.kernels.intervals import wilson
from sdckit.measure import Measure, Score, risk
from sdckit.microdata import Microdata
from sdckit.parameters import param
from sdckit.randomness import child, generator
from sdckit.release import Release
from sdckit.risk.linkage.mixed_space import ranges
from sdckit.risk.synthesis.plain_columns import are_categories, distinct_rows, plain_values


@risk("linkability", reference="giomi2023", by_default=False)
class Linkability(Measure):
    r"""Share of people whose entries in two files have a nearest released row in common.

    The known attributes are divided between two files. The intruder looks for the released rows nearest to a person's
    entry in either file (Gower's distance) and links the two entries where a row is among both; equal rows count as
    one, so that a person who is copied twice is linked no less. The baseline is what random rows give; the control is
    the same attack on people of the control file, who can be linked only by what can be inferred about anybody, and the
    excess is the rest.

    Formula: $\text{excess} = \frac{r - c}{1 - c}$,  $r$ the mean of $[N(x_1) \cap N(x_2) \ne \emptyset]$, $N$ the
    `neighbours` nearest rows,  $c$ the same in the control

    Intruder: has two files on the same people, with different attributes of theirs and no common identifier.

    Use it when synthetic data are to be judged by the three criteria of the European data protection authorities.
    """

    for_synthesis: ClassVar[bool] = True

    first: tuple[str, ...] = param((), "the attributes in the first file, the others in the second; none: every other")
    neighbours: int = param(1, "released rows near to an entry that are considered", low=1, grid=(5, 10))
    attacks: int = param(1000, "largest number of people to link, drawn at random", low=1)

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        view = intruder.view(release, seed=seed)
        halves = self.divided(view.attributes)
        names = [name for half in halves for name in half]
        rng = child(generator(seed or 0), self.name)
        people = np.flatnonzero(view.records >= 0)
        people = people[np.sort(rng.permutation(len(people))[: self.attacks])]
        if not len(people):
            raise NotApplicableError("the intruder knows no record of the original")
        rows = plain_values(release.masked, names)
        scale = ranges(np.concatenate([rows, plain_values(release.original, names)]))
        scale = np.where(are_categories(release.original, names), 1.0, scale)
        rows = distinct_rows(rows)
        files = _Halves(release.original, halves, rows / scale, scale, self.neighbours, rng)
        linked = files.linked(plain_values(view.known.take(people), names))
        details: dict[str, object] = {"first": halves[0], "second": halves[1]}
        control = release.control
        if control is not None and all(name in control for name in names):
            chosen = np.sort(rng.permutation(len(control))[: self.attacks])
            in_control = files.linked(plain_values(control.take(chosen), names))
            excess = excess_over_control(float(linked.sum()), len(linked), float(in_control.sum()), len(in_control))
            details |= excess.details()
        return Score(
            float(linked.mean()),
            by_record=release.on_records(view.records[people], linked.astype(float)),
            interval=wilson(float(linked.sum()), len(linked)),
            baseline=random_agreement(len(rows), self.neighbours),
            details=details,
        )

    def divided(self, known: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The attributes of the two files."""
        unknown = [name for name in self.first if name not in known]
        if unknown:
            raise ParameterError(
                f"linkability: the intruder does not know {unknown[0]!r}; the known attributes are {', '.join(known)}"
            )
        one = self.first or tuple(known[::2])
        other = tuple(name for name in known if name not in one)
        if not other:
            raise NotApplicableError("the intruder knows too few attributes for two files; two are needed")
        return tuple(one), other


class _Halves:
    """The released rows, to be searched by the attributes of either file."""

    def __init__(
        self,
        original: Microdata,
        halves: tuple[tuple[str, ...], tuple[str, ...]],
        rows: NDArray[np.float64],
        scale: NDArray[np.float64],
        neighbours: int,
        rng: np.random.Generator,
    ) -> None:
        names = [name for half in halves for name in half]
        self.columns = np.arange(len(halves[0])), len(halves[0]) + np.arange(len(halves[1]))
        self.categorical = are_categories(original, names)
        self.rows, self.scale, self.neighbours = rows, scale, neighbours
        self.priority = rng.permutation(len(rows)), rng.permutation(len(rows))

    def linked(self, people: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Whether a row is among the nearest to both entries of each of these people."""
        one, other = (
            gower_neighbours(
                (people / self.scale)[:, columns],
                self.rows[:, columns],
                self.categorical[columns],
                priority,
                self.neighbours,
            ).rows
            for columns, priority in zip(self.columns, self.priority, strict=True)
        )
        shared: NDArray[np.bool_] = (one[:, :, None] == other[:, None, :]).any(axis=(1, 2))
        return shared


def random_agreement(rows: int, neighbours: int) -> float:
    """The probability that two random sets of this number of rows have one in common.

    >>> round(random_agreement(10, 1), 12)
    0.1
    """
    from scipy.stats import hypergeom

    drawn = min(neighbours, rows)
    return float(1 - hypergeom.pmf(0, rows, drawn, drawn))
