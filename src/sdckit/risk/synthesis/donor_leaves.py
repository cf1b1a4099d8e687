"""Donor leaves: released rows all of whose values can have come from one and the same person."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.capabilities import DrawsFromLeaves
from sdckit.errors import NotApplicableError
from sdckit.intruder import Intruder
from sdckit.kernels.equivalence_classes import class_of
from sdckit.kernels.excess_risk import excess_over_control
from sdckit.kernels.intervals import wilson
from sdckit.measure import Measure, Need, Score, risk
from sdckit.randomness import child, generator
from sdckit.release import Release, aligned


@risk("donor-leaves", reference="reiter2005trees", needs={Need.RECIPE}, by_default=False)
class DonorLeaves(Measure):
    r"""Share of released rows for which exactly one person is among the donors of every value.

    A tree draws a value from the records of a leaf: these are its donors. The trees are determined by the original, so
    they are grown again, and the leaf of each released row is found in each of them: the candidates of the row are the
    records that are in its leaf in every tree and, where values are drawn unchanged, have its values. With one
    candidate left, the row describes that person as precisely as the leaves do. Any row ends in some leaf: the control
    is the same share for people whom the method never saw, and the excess is what being in the file adds; the baseline
    is that of rows whose values are exchanged at random. Small leaves and many attributes leave few candidates. Where
    rows were kept, as by partial-trees, the details give the share of rows whose one candidate is their own record.

    Formula: $\frac{1}{n'} \cdot |\{r : |\{i : \text{leaf}_j(i) = \text{leaf}_j(r) \text{ for all } j\}| = 1\}|$,  the
    leaves of record $i$ and row $r$ in the tree of attribute $j$

    Intruder: knows the recipe, and so much of the original that the trees can be grown again.

    Use it when a file was synthesised by trees, to choose the size of the leaves.
    """

    for_synthesis: ClassVar[bool] = True

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        masking, names = leaf_step(release)
        records, rows = masking.donor_leaves(release.original, release.masked, names)
        candidates, of_row, owner = candidate_sets(records, rows)
        alone = candidates == 1
        by_record = np.zeros(len(records))
        by_record[owner[of_row[alone]]] = 1.0
        rng = child(generator(seed or 0), self.name)
        shuffled = np.column_stack([rng.permutation(np.sort(column)) for column in rows.T])
        details: dict[str, object] = {
            "no_candidate": float((candidates == 0).mean()),
            "median_candidates": float(np.median(candidates)),
            "persons": int(by_record.sum()),
        }
        if release.corresponds:
            own = alone & (release.known_origin == owner[of_row])
            details["own_record"] = float(own.mean())
        control, used = release.control, _used(release, names)
        if control is not None and all(name in control for name in used):
            others = aligned(control.only(used), release.original.only(used))
            _, of_control = masking.donor_leaves(release.original, others, names)
            in_control = candidate_sets(records, of_control)[0] == 1
            excess = excess_over_control(float(alone.sum()), len(alone), float(in_control.sum()), len(in_control))
            details |= excess.details()
        return Score(
            float(alone.mean()),
            by_record=by_record,
            interval=wilson(float(alone.sum()), len(alone)),
            baseline=float((candidate_sets(records, shuffled)[0] == 1).mean()),
            details=details,
        )


def leaf_step(release: Release) -> tuple[DrawsFromLeaves, tuple[str, ...]]:
    """The step that draws from leaves, and its attributes, where it is the only one and all are released."""
    recipe = release.recipe
    steps = () if recipe is None else recipe.steps
    if recipe is None or not any(isinstance(step.masking, DrawsFromLeaves) for step in steps):
        raise NotApplicableError("no step of the recipe draws values from the leaves of trees")
    if len(steps) > 1:
        raise NotApplicableError("other steps changed values too, so that the leaves cannot be seen in the release")
    masking, names = steps[0].masking, recipe.touched(release.original)[0]
    assert isinstance(masking, DrawsFromLeaves)
    if not all(name in release.masked for name in _used(release, names)):
        raise NotApplicableError("some attributes that the trees drew or were given are not in the release")
    return masking, names


def _used(release: Release, names: Sequence[str]) -> list[str]:
    """The attributes that the trees drew, and those that they were given."""
    assert release.recipe is not None
    return [*names, *release.recipe.steps[0].masking.also_reads(release.original, names)]


def candidate_sets(
    records: NDArray[np.int64], rows: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The number of records with the codes of each row; the class of each row, and a record of each class (or 0)."""
    of = class_of(np.concatenate([records, rows])).of
    mine, theirs = of[: len(records)], of[len(records) :]
    count = int(of.max(initial=-1)) + 1
    owner = np.zeros(count, dtype=np.int64)
    owner[mine] = np.arange(len(records))
    return np.bincount(mine, minlength=count)[theirs], theirs, owner
