"""Membership: does the release show that a person was in the file?"""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError
from sdckit.intruder import Intruder
from sdckit.kernels.intervals import wilson
from sdckit.kernels.membership_scores import area_under, held_out_ratios, roc, true_rate_at
from sdckit.measure import Cost, Measure, Need, Score, risk
from sdckit.parameters import param
from sdckit.randomness import child, generator
from sdckit.release import Release
from sdckit.risk.synthesis.shadow_files import shadow_files

LOW_RATE = 0.001  # of false positives, at which few are called, and with great confidence


@risk("membership", reference="carlini2022", needs={Need.RECIPE}, cost=Cost.SLOW)
class Membership(Measure):
    r"""How much more often members than others are classified as members, by an intruder who can run the method again.

    The recipe is run on random halves of the records (of the original, and of the control where there is one), so that
    every person is in half of the files. For each file the attack measures how near the nearest row to the person is,
    how well the person's values agree with the means and products of the file and, where the method has probabilities
    in closed form, how likely the rows are with the person and without; the likelihood ratio of "in" against "out"
    comes from all other files. A person is called a member where the ratio favours it. The figure is the advantage at
    this threshold, which is fixed in advance; the details give the area under the ROC curve and the share of members
    who are called members when 0.1 % of the others are, which shows whose membership is nearly certain. Under
    ε-differential privacy the advantage cannot exceed (e^ε − 1) / (e^ε + 1). The files are half as long as the pool:
    with a control as long as the original they are as long as the release.

    Formula: $\mathrm{Adv} = \mathrm{TPR} - \mathrm{FPR}$ at ratio 1,  $\text{ratio} = \frac{\Pr(\text{features} \mid
    \text{in})}{\Pr(\text{features} \mid \text{out})}$

    Intruder: knows the keys of a person, the recipe, and people like those in the file, and can run the method again.

    Use it when being in the file is confidential by itself, and for every synthetic file: it detects what a comparison
    of rows does not.
    """

    for_synthesis: ClassVar[bool] = True

    files: int = param(32, "files made by the recipe; half of them have each person", low=4, grid=(16, 64))
    targets: int = param(500, "largest number of people in question, drawn at random", low=1)

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        view = intruder.view(release, seed=seed)
        recipe = view.published_recipe
        rng = child(generator(seed or 0), self.name)
        people = np.flatnonzero(view.records >= 0)
        people = np.sort(child(rng, "people").permutation(people)[: self.targets])
        if not len(people):
            raise NotApplicableError("the intruder knows no record of the original")
        shadows = shadow_files(release, recipe, view, people, self.files, rng)
        ratios = held_out_ratios(shadows.features, shadows.inside)
        inside, outside = ratios[shadows.inside], ratios[~shadows.inside]
        if not len(inside) or not len(outside):
            raise NotApplicableError("the people in question are all in, or all out of, every file")
        advantage, interval = advantage_of(called(ratios), shadows.inside)
        false, true = roc(inside, outside)
        at_low = true_rate_at(false, true, LOW_RATE)
        return Score(
            advantage,
            by_record=release.on_records(view.records[people], advantage_by_person(called(ratios), shadows.inside)),
            interval=interval,
            baseline=0.0,
            details={
                "auc": area_under(false, true),
                "true_positive_rate_at_1_in_1000": at_low,
                "true_positive_rate_at_1_in_1000_interval": wilson(at_low * len(inside), len(inside)),
                "roc": curve(false, true),
                "people": len(people),
                "files": len(ratios),
            },
        )


def called(ratios: NDArray[np.float64]) -> NDArray[np.float64]:
    """Who is called a member: 1, 0, and one half where the ratio is exactly even."""
    return np.where(ratios > 0, 1.0, np.where(ratios < 0, 0.0, 0.5))


def advantage_of(calls: NDArray[np.float64], inside: NDArray[np.bool_]) -> tuple[float, tuple[float, float]]:
    """TPR − FPR, at least 0, and an interval that allows for other people and other files."""
    balance = np.where(inside, calls / inside.mean(), -calls / (~inside).mean())
    value = float(balance.mean())
    errors = [
        np.var(balance.mean(axis=axis), ddof=1) / balance.shape[1 - axis] if balance.shape[1 - axis] > 1 else 0.0
        for axis in (0, 1)
    ]
    reach = 1.96 * float(np.sqrt(sum(errors)))
    kept = min(max(value, 0.0), 1.0)
    return kept, (min(max(value - reach, 0.0), kept), max(min(value + reach, 1.0), kept))


def advantage_by_person(calls: NDArray[np.float64], inside: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The advantage against each person by itself, at least 0; NaN for one who is in all files or in none."""
    n_in, n_out = inside.sum(axis=0), (~inside).sum(axis=0)
    true = np.where(inside, calls, 0.0).sum(axis=0) / np.maximum(n_in, 1)
    false = np.where(inside, 0.0, calls).sum(axis=0) / np.maximum(n_out, 1)
    return np.where((n_in > 0) & (n_out > 0), np.clip(true - false, 0.0, 1.0), np.nan)


def curve(false: NDArray[np.float64], true: NDArray[np.float64], points: int = 41) -> list[list[float]]:
    """The ROC curve at evenly spaced false positive rates, for a chart."""
    rates = np.linspace(0, 1, points)
    return [[float(rate), true_rate_at(false, true, float(rate))] for rate in rates]
