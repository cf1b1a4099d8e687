"""The intersection attack: what the published recipe makes impossible is ruled out, attribute by attribute."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.errors import NotApplicableError
from sdckit.intruder import Intruder
from sdckit.kernels.boxes import BoxLinks
from sdckit.kernels.intersections import Sets, intersection_links
from sdckit.kernels.intervals import wilson
from sdckit.kernels.nearest import nearest_links
from sdckit.kernels.standardisation import standardise, standardise_like
from sdckit.measure import Finds, Measure, Need, Score, risk
from sdckit.microdata import Kind, Microdata
from sdckit.parameters import param
from sdckit.release import Release


@risk("intersection-attack", reference="nin2008a", finds=Finds.RECORDS, needs={Need.ROWS, Need.RECIPE})
class IntersectionAttack(Measure):
    """Share of records that an intruder who knows the recipe finds: links made only to what the recipe leaves possible.

    Each step of the recipe says which released values a known one can have become; the sets of the attributes known are
    intersected. A set with one record left is a certain match; in a larger one the nearest record is linked, and ties
    share the credit. The details give the share of certain matches, the mean size of the sets, the chance of a blind
    pick in them, and the coverage: the share of records whose true row is in its set, 1 where theory promises it. An
    empty set tells that the recipe is not the one used, such as a window assumed too narrow, or that the likely groups
    were not the true ones; such a record is linked to the nearest row of all.

    Intruder: knows the recipe and some attributes of some records, and rules out every row that could not be theirs.

    Formula: (1 / m) · Σₓ Pr[nearest row of ∩ⱼ Bⱼ(x) is x's],  Bⱼ(x) the rows that attribute j leaves possible

    Use it when method and parameters will be published, or cannot be kept secret: it is the figure that counts then.
    """

    single_target: bool = param(
        False, "attack each record as if the intruder knew no other, even if many are known", formerly="alone"
    )

    align: bool = param(
        False, "lay the known part of a column beside the released one: smaller sets, which may miss the truth"
    )

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        found = self.attack(release, intruder, seed=seed)
        here = found.truth >= 0
        return Score(
            float(found.chance.mean()),
            by_record=release.on_records(found.records, found.chance),
            interval=wilson(float(found.chance.sum()), len(found.chance)),
            baseline=1.0 / len(release.masked),
            details={
                "attributes": found.names,
                "certain_matches": float(found.certain.mean()),
                "blind_pick": float((found.truth_covered / np.maximum(found.size, 1)).mean()),
                "mean_set": float(found.size.mean()),
                "coverage": float(found.truth_covered[here].mean()) if here.any() else 1.0,
                "coverage_promised": found.promised,
                "empty_sets": float((found.size == 0).mean()),
            },
        )

    def attack(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> "Intersection":
        """The sets of candidates, record by record."""
        if release.recipe is None or not intruder.knows_method:
            raise NotApplicableError("the intruder does not know how the file was masked; give the recipe")
        names = intruder.known_attributes(release)
        if not names:
            raise NotApplicableError("the intruder knows no attribute that the release still has")
        records = intruder.known_records(release, seed)
        truth = release.true_rows(records)
        file = intruder.known_file(release, seed=seed)
        exact = not intruder.noise and intruder.file is None
        complete = not self.single_target and len(records) == len(release.original) and exact
        known = Candidates.known(file, names, complete=complete, original=release.original)
        known = replace(known, aligned=self.align and not complete)
        possible = release.recipe.candidates(known, release.masked)
        assert possible is not None
        links = linked_within(possible, file, release, truth)
        chance = np.where(links.truth_tied, 1.0 / np.maximum(links.ties, 1), 0.0)
        return Intersection(
            names,
            records,
            truth,
            links.count,
            links.nearest,
            links.truth_covered,
            chance,
            possible.certain and exact,
        )


@dataclass(frozen=True, eq=False)
class Intersection:
    """For each known record: its true row, the size of its set, the row linked in it, and whether the truth is inside.

    `chance` is the chance that the link is right; `promised` says that theory promises the truth to be inside.
    """

    names: tuple[str, ...]
    records: NDArray[np.int64]
    truth: NDArray[np.int64]
    size: NDArray[np.int64]
    linked: NDArray[np.int64]
    truth_covered: NDArray[np.bool_]
    chance: NDArray[np.float64]
    promised: bool

    @property
    def certain(self) -> NDArray[np.bool_]:
        """Which records are found for certain: the only row left is theirs."""
        found: NDArray[np.bool_] = self.truth_covered & (self.size == 1)
        return found


def linked_within(possible: Candidates, file: Microdata, release: Release, truth: NDArray[np.int64]) -> BoxLinks:
    """Link the known records inside their sets of candidates, by standardised distance."""
    released = release.masked
    boxed = [name for name in possible.lower if name in released]
    lower = np.column_stack([possible.lower[name] for name in boxed] or [np.empty((possible.records, 0))])
    upper = np.column_stack([possible.upper[name] for name in boxed] or [np.empty((possible.records, 0))])
    values = released.matrix(boxed)
    holes = np.array([name in possible.may_be_missing for name in boxed], dtype=bool)
    sets = [Sets(groups.of_row, groups.starts, groups.listed) for groups in possible.groups]
    sets += [categories_as_sets(possible, name, released) for name in possible.allowed if name in released]
    common = [name for name in release.shared_attributes(Kind.ORDERED) if name in file]
    original = release.original.matrix(common)
    known, rows = standardise_like(file.matrix(common), original), standardise(released.matrix(common))
    return fall_back(intersection_links(lower, upper, values, sets, known, rows, truth, holes), known, rows, truth)


def fall_back(
    links: BoxLinks, known: NDArray[np.float64], rows: NDArray[np.float64], truth: NDArray[np.int64]
) -> BoxLinks:
    """Where a set is empty the recipe tells nothing, and the intruder links to the nearest row of all."""
    empty = links.count == 0
    if empty.any():
        plain = nearest_links(known[empty], rows, truth[empty])
        links.nearest[empty], links.ties[empty], links.truth_tied[empty] = plain.nearest, plain.ties, plain.truth_tied
    return links


def categories_as_sets(possible: Candidates, name: str, released: Microdata) -> Sets:
    """The released categories that each record may have; the class after the last one is 'missing'."""
    size = len(released.attribute(name).categories or ())
    table = np.zeros((possible.records, size + 1), dtype=bool)
    told = possible.allowed[name]
    table[:, : told.shape[1]] = told
    table[:, size] = told.all(axis=1) | (name in possible.may_be_missing)
    codes = released.columns[name].astype(np.int64)
    starts = np.concatenate([[0], np.cumsum(table.sum(axis=1))])
    return Sets(np.where(codes < 0, size, codes), starts, np.nonzero(table)[1])
