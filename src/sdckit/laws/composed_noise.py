"""Noise that is added several times to several numbers together: the covariances of all steps add up.

How much noise a later step adds depends on the covariances of the file that entered it. They are the expected ones:
computed forwards from the known file where it is known whole, and else backwards from the release.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sdckit.attribute import Level
from sdckit.capabilities import HasLaw
from sdckit.intruder import AttackerView
from sdckit.kernels.moments import means_and_covariances, square_root
from sdckit.laws.blocks import Block, Floats
from sdckit.laws.normal_blocks import is_fine, normal_blocks
from sdckit.laws.release_law import RowClasses
from sdckit.microdata import Microdata
from sdckit.normal_law import NormalLaw, whitening
from sdckit.recipe import Step

LEAST = 1e-9  # variance in a direction, beside the largest


def composed_noise(
    view: AttackerView, steps: Sequence[Step], names: Sequence[str], rows: RowClasses, *, whole: bool
) -> list[Block] | None:
    """The law of numbers after several steps of noise, or None where a step is something else."""
    maskings = [step.masking for step in steps]
    if any(not isinstance(each, HasLaw) or each.acts_on is Level.HOUSEHOLD for each in maskings):
        return None
    file = (view.known if whole else view.released).only(names)
    if any(each.coded for each in file.attributes) or np.isnan(file.matrix(names)).any():
        return None
    total: NormalLaw | None = None
    for step in steps if whole else reversed(steps):
        law = _law(file, step, names, whole=whole)
        if law is None or not _regular(law.slope):
            return None
        if step is not steps[-1] and not _fine(view, step, law, names):
            return None
        file = _after(file, names, law) if whole else _before(file, names, law)
        total = law if total is None else _joined(total, law) if whole else _joined(law, total)
    if total is None or not _regular(total.noise):
        return None
    blocks = normal_blocks(maskings[-1], total, view, names, rows)
    return None if blocks is None else blocks[0]


def _law(file: Microdata, step: Step, names: Sequence[str], *, whole: bool) -> NormalLaw | None:
    """The law of a step on all of these numbers: those that it does not mask stay."""
    masked = [name for name in names if name in step.attributes]
    part = replace(file.only(masked), lineage=None)
    assert isinstance(step.masking, HasLaw)
    law = step.masking.law(part, part if whole else None)
    if not isinstance(law, NormalLaw):
        return None
    at = np.ix_(*[[names.index(name) for name in masked]] * 2)
    noise, slope = np.zeros((len(names), len(names))), np.eye(len(names))
    centre = means_and_covariances(file.matrix(names))[0]
    noise[at], slope[at], centre[at[1][0]] = law.noise, law.slope, law.centre
    return NormalLaw(noise, centre, slope, law.missing_stays)


def _joined(first: NormalLaw, second: NormalLaw) -> NormalLaw:
    """The law of two steps, whose means are the same: noise keeps them."""
    noise = second.slope.T @ first.noise @ second.slope + second.noise
    return replace(first, noise=noise, slope=first.slope @ second.slope)


def _after(file: Microdata, names: Sequence[str], law: NormalLaw) -> Microdata:
    """A file with the covariances that noise leaves, from the one that enters."""
    _, before = means_and_covariances(file.matrix(names))
    return _with_covariances(file, names, law.slope.T @ before @ law.slope + law.noise)


def _before(file: Microdata, names: Sequence[str], law: NormalLaw) -> Microdata:
    """A file with the covariances that entered, from the one that noise left."""
    _, after = means_and_covariances(file.matrix(names))
    back = np.linalg.inv(law.slope)
    return _with_covariances(file, names, back.T @ (after - law.noise) @ back)


def _with_covariances(file: Microdata, names: Sequence[str], wanted: Floats) -> Microdata:
    """The file with the same means and other covariances; directions that would have none keep a little."""
    means, present = means_and_covariances(file.matrix(names))
    values, axes = np.linalg.eigh(wanted)
    wanted = (axes * np.maximum(values, LEAST * max(float(values[-1]), 0.0))) @ axes.T
    moved = means + (file.matrix(names) - means) @ whitening(present) @ square_root(wanted).T
    return file.with_columns({name: moved[:, index] for index, name in enumerate(names)})


def _regular(matrix: Floats) -> bool:
    return bool(np.linalg.cond(matrix) < 1 / LEAST)


def _fine(view: AttackerView, step: Step, law: NormalLaw, names: Sequence[str]) -> bool:
    """Whether rounding and clipping between the steps do not matter."""
    deviation = np.sqrt(np.diag(law.noise))
    return all(
        is_fine(step.masking, view.released, name, float(deviation[index]))
        for index, name in enumerate(names)
        if name in step.attributes
    )
