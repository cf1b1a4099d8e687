"""Chains of noise, rounding and other maps of a number: the distribution after all steps, in closed form.

A known value becomes a mixture of normal distributions of one variance about a few atoms. Noise moves the atoms and
adds to the variance; rounding makes new atoms, with the probabilities of the intervals that it maps to them; a map
after the last noise gives each row an interval. How much noise a later step adds depends on the variance of the file
that entered it, which is the expected one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sdckit.attribute import Level
from sdckit.capabilities import HasLaw
from sdckit.intruder import AttackerView
from sdckit.kernels.equivalence_classes import distinct_rows
from sdckit.laws.blocks import UNKNOWN, Block, Deviations, Floats, Indices, Table
from sdckit.laws.determined import mapped_values, maps_values, preimages
from sdckit.laws.normal_blocks import CELLS, interval_table, is_fine, known_error
from sdckit.laws.release_law import RowClasses
from sdckit.laws.values import equal_codes
from sdckit.likelihood import NeighbourLaw
from sdckit.masking import Masking
from sdckit.normal_law import NormalLaw
from sdckit.recipe import Step

FAR = 8.0  # standard deviations beyond which nothing lies
TRIALS = 4_000  # values by which the images of a map are found
OFTEN = 4  # of these that each image has at least, on average, where there are no others
LEAST = 1e-300


@dataclass(frozen=True, eq=False)
class Mixture:
    """For each of some values, a mixture of normal distributions of one variance about common atoms.

    `share` has a line for each value and a column for each atom; None: each value has an atom of its own.
    """

    atoms: Floats
    share: Floats | None
    variance: float

    @property
    def deviation(self) -> float:
        return float(np.sqrt(self.variance))

    def moved(self, centre: float, slope: float, noise: float) -> "Mixture":
        """After noise about a linear image."""
        return replace(self, atoms=centre + slope * (self.atoms - centre), variance=slope**2 * self.variance + noise)

    def spread(self, probability: Floats, atoms: Floats) -> "Mixture":
        """With new atoms, by the probability of each (column) for each old one (row)."""
        return Mixture(atoms, self.after(probability), 0.0)

    def after(self, probability: Floats) -> Floats:
        """The probability of each column for each value, from those for each atom."""
        return probability if self.share is None else self.share @ probability


def composed_numbers(
    view: AttackerView, steps: Sequence[Step], name: str, rows: RowClasses, *, whole: bool
) -> tuple[list[Block], bool] | None:
    """The law of a number after several steps, and whether it is exact; None where a step has no such law."""
    if any(step.masking.acts_on is Level.HOUSEHOLD for step in steps):
        return None
    laws = _laws(view, steps, name, whole=whole)
    if laws is None:
        return None
    known = view.known.matrix([name])[:, 0]
    values, of_record = np.unique(known[~np.isnan(known)], return_inverse=True)
    if not len(values):
        return None
    lines = np.full(len(known), UNKNOWN, dtype=np.int64)
    lines[~np.isnan(known)] = of_record.ravel()
    last = max((number + 1 for number, law in enumerate(laws) if law is not None), default=0)
    mixture = Mixture(values, None, known_error(view, name) ** 2)
    for step, law in zip(steps[:last], laws[:last], strict=True):
        more = _stepped(view, step, law, name, mixture)
        if more is None:
            return None
        mixture = more
    exact = whole and sum(isinstance(law, NormalLaw) for law in laws) <= 1
    blocks = _blocks(view, steps[last:], name, rows, mixture, lines)
    return None if blocks is None else (blocks, exact)


def _laws(
    view: AttackerView, steps: Sequence[Step], name: str, *, whole: bool
) -> list[NormalLaw | NeighbourLaw | None] | None:
    """The law of each step, None for a map of values; None where a step has neither.

    Where the whole file is known, the variance that enters a step is computed forwards, and else backwards from that
    of the release.
    """
    column = (view.known if whole else view.released).matrix([name])[:, 0]
    column = column[~np.isnan(column)]
    laws: list[NormalLaw | NeighbourLaw | None] = []
    for step in steps if whole else reversed(steps):
        law = _law(view, step.masking, name, column, whole=whole)
        if law is not None and not isinstance(law, NormalLaw | NeighbourLaw):
            return None
        if law is None and not maps_values(step.masking):
            return None
        laws.append(law)
        if isinstance(law, NormalLaw):
            column = _with_variance_after(column, law) if whole else _with_variance_before(column, law)
    return laws if whole else laws[::-1]


def _law(view: AttackerView, masking: Masking, name: str, column: Floats, *, whole: bool) -> object | None:
    """The law of a step that draws, from a column that entered it or that it made."""
    if not isinstance(masking, HasLaw) or len(column) < 2:
        return None
    file = (view.known if whole else view.released).only([name]).take(np.zeros(len(column), np.int64))
    file = replace(file.with_columns({name: column}), lineage=None)
    return masking.law(file, file if whole else None)


def _with_variance_after(column: Floats, law: NormalLaw) -> Floats:
    """A column with the variance that noise leaves, from the one that enters."""
    centre, slope, noise = _parts(law)
    image = centre + slope * (column - centre)
    return _scaled(image, 1 + noise / max(float(image.var()), LEAST))


def _with_variance_before(column: Floats, law: NormalLaw) -> Floats:
    """A column with the variance that entered, from the one that noise left."""
    _, slope, noise = _parts(law)
    return _scaled(column, max(1 - noise / max(float(column.var()), LEAST), LEAST) / max(slope**2, LEAST))


def _scaled(column: Floats, factor: float) -> Floats:
    """The column with its variance multiplied."""
    mean = float(column.mean())
    result: Floats = mean + np.sqrt(factor) * (column - mean)
    return result


def _parts(law: NormalLaw) -> tuple[float, float, float]:
    return float(law.centre[0]), float(law.slope[0, 0]), float(law.noise[0, 0])


def _stepped(
    view: AttackerView, step: Step, law: NormalLaw | NeighbourLaw | None, name: str, mixture: Mixture
) -> Mixture | None:
    """The mixture after one step that others follow."""
    if isinstance(law, NormalLaw):
        return _published(view, step.masking, name, mixture.moved(*_parts(law)))
    if isinstance(law, NeighbourLaw):
        if mixture.variance:
            return _rounded_at_random(law.base, mixture)
        below, up = law.position(mixture.atoms)
        atoms, of = np.unique(np.concatenate([below, below + 1]), return_inverse=True)
        probability = np.zeros((len(below), len(atoms)))
        number = np.arange(len(below))
        probability[number, of[: len(below)]] += 1 - up
        probability[number, of[len(below) :]] += up
        return mixture.spread(probability, atoms * law.base)
    return _mapped(view, step, name, mixture)


def _rounded_at_random(base: float, mixture: Mixture) -> Mixture | None:
    """The mixture at multiples of a base: the one below or above a value, the nearer the likelier.

    The probability of a multiple is the mean of 1 − |value / base − multiple| where that is positive: the second
    difference of the mean excess of the value over the multiples.
    """
    from scipy.special import ndtr

    far = FAR * mixture.deviation
    first, last = np.floor((mixture.atoms.min() - far) / base), np.ceil((mixture.atoms.max() + far) / base)
    if (last - first + 3) * len(mixture.atoms) > CELLS:
        return None
    multiples = np.arange(first - 1, last + 2)
    gap = (mixture.atoms[:, None] - base * multiples) / mixture.deviation
    excess = mixture.deviation * (gap * ndtr(gap) + np.exp(-0.5 * gap**2) / np.sqrt(2 * np.pi))
    probability = np.maximum(np.diff(excess, 2, axis=1) / base, 0.0)
    return mixture.spread(probability / probability.sum(axis=1, keepdims=True), base * multiples[1:-1])


def _published(view: AttackerView, masking: Masking, name: str, mixture: Mixture) -> Mixture | None:
    """The mixture as a masking that draws publishes it: rounded and clipped where that matters."""
    decimals = masking.decimals(view.released.attribute(name))
    low, high = view.released.edits.bound(name)
    if is_fine(masking, view.released, name, mixture.deviation):
        return mixture
    if decimals is None:
        return None
    unit = 10.0**-decimals
    first, last = mixture.atoms.min() - FAR * mixture.deviation, mixture.atoms.max() + FAR * mixture.deviation
    low, high = np.ceil(low / unit - 1e-9) * unit, np.floor(high / unit + 1e-9) * unit
    first, last = np.clip([np.floor(first / unit) * unit, np.ceil(last / unit) * unit], low, high)
    count = round((last - first) / unit) + 1
    if count * len(mixture.atoms) > CELLS:
        return None
    atoms = first + unit * np.arange(count)
    lower, upper = atoms - unit / 2, atoms + unit / 2
    lower[0], upper[-1] = -np.inf, np.inf
    return mixture.spread(_probability(mixture, lower, upper), np.round(atoms, decimals))


def _mapped(view: AttackerView, step: Step, name: str, mixture: Mixture) -> Mixture | None:
    """The mixture after a map of values whose images are few, or of atoms without variance."""
    if not mixture.variance:
        image = mapped_values(view, [step], name, mixture.atoms, later=True)
        if image is None:
            return None
        atoms, of = np.unique(image, return_inverse=True)
        probability = np.zeros((len(image), len(atoms)))
        probability[np.arange(len(image)), of.ravel()] = 1.0
        return mixture.spread(probability, atoms)
    far = FAR * mixture.deviation
    points = np.linspace(mixture.atoms.min() - far, mixture.atoms.max() + far, TRIALS)
    image = mapped_values(view, [step], name, points, later=True)
    if image is None or (np.diff(image) < 0).any():
        return None
    atoms, first = np.unique(image, return_index=True)
    if len(atoms) * OFTEN > TRIALS or len(atoms) * len(mixture.atoms) > CELLS:
        return None
    low, high = points[first[1:] - 1], points[first[1:]]
    for _ in range(60):
        middle = (low + high) / 2
        of_middle = mapped_values(view, [step], name, middle, later=True)
        if of_middle is None:
            return None
        above = of_middle >= atoms[1:]
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    edges = np.concatenate([[-np.inf], high, [np.inf]])
    return mixture.spread(_probability(mixture, edges[:-1], edges[1:]), atoms)


def _probability(mixture: Mixture, lower: Floats, upper: Floats) -> Floats:
    """The probability of each interval (column) for each atom (row)."""
    from scipy.special import ndtr

    scale = max(mixture.deviation, LEAST)
    a, b = ((each[None, :] - mixture.atoms[:, None]) / scale for each in (lower, upper))
    a, b = np.where(a > 0, -b, a), np.where(a > 0, -a, b)  # in the lower tail nothing cancels
    result: Floats = ndtr(b) - ndtr(a)
    return result


def _blocks(
    view: AttackerView, maps: Sequence[Step], name: str, rows: RowClasses, mixture: Mixture, lines: Indices
) -> list[Block] | None:
    """The law of the rows, where the last steps map what noise left."""
    released = view.released.columns[name]
    if not mixture.variance:
        image = mapped_values(view, maps, name, mixture.atoms) if maps else mixture.atoms
        return None if image is None else [_of_atoms(name, released[rows.first], image, mixture, lines)]
    if maps:
        ends = preimages(view, maps, name, rows, mixture.atoms, mixture.deviation)
        return None if ends is None else _of_intervals(name, *ends, mixture, lines)
    row = released[rows.first]
    if mixture.share is None:
        points = np.append(mixture.atoms, np.nan)[lines] / mixture.deviation
        return [
            Deviations(
                (name,), points[:, None], (row / mixture.deviation)[:, None], constant=-np.log(mixture.deviation)
            )
        ]
    distinct, of_row = np.unique(row, return_inverse=True)
    if len(distinct) * len(mixture.atoms) > CELLS:
        return None
    with np.errstate(invalid="ignore"):
        density = np.exp(-0.5 * ((distinct[None, :] - mixture.atoms[:, None]) / mixture.deviation) ** 2)
    return [_table(name, np.where(np.isnan(distinct), 0.0, density), mixture, lines, of_row)]


def _of_atoms(name: str, row: Floats, image: Floats, mixture: Mixture, lines: Indices) -> Table:
    """The probability of the atoms that became each released value."""
    of_atom, of_row = equal_codes(image, row)
    columns = int(max(of_atom.max(initial=0), of_row.max(initial=0))) + 1
    probability = np.zeros((len(image), columns + 1))
    probability[np.arange(len(image)), of_atom] = 1.0
    return _table(name, probability, mixture, lines, np.where(of_row < 0, columns, of_row))


def _of_intervals(name: str, lower: Floats, upper: Floats, mixture: Mixture, lines: Indices) -> list[Block] | None:
    """The probability of the interval of each row."""
    if mixture.share is None:
        means = np.append(mixture.atoms, np.nan)[lines]
        table = interval_table(name, means, np.full(len(means), mixture.deviation), lower, upper)
        return None if table is None else [table]
    ends, of_row = distinct_rows(np.column_stack([lower, upper]))
    if len(ends) * len(mixture.atoms) > CELLS:
        return None
    with np.errstate(invalid="ignore"):
        probability = _probability(mixture, ends[:, 0], ends[:, 1])
    return [_table(name, np.where(np.isnan(ends[:, 0]), 0.0, probability), mixture, lines, of_row)]


def _table(name: str, probability: Floats, mixture: Mixture, lines: Indices, of_row: Indices) -> Table:
    """The table of the logarithms, with a line for each value."""
    entries = mixture.after(probability)
    impossible = ~probability.any(axis=0)  # a hole
    with np.errstate(divide="ignore"):
        log_probability = np.log(np.maximum(entries, LEAST))
    log_probability[:, impossible] = -np.inf
    return Table((name,), log_probability, lines, of_row.astype(np.int64))
