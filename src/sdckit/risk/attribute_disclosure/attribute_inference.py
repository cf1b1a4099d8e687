"""Attribute inference: what the nearest released record reveals of a confidential value."""

from dataclasses import replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError
from sdckit.intruder import AttackerView, Intruder
from sdckit.kernels.excess_risk import excess_over_control
from sdckit.kernels.intervals import wilson
from sdckit.kernels.mixed_distances import shares_of_ties_inside
from sdckit.kernels.standardisation import mean_and_deviation
from sdckit.measure import Cost, Measure, Score, risk
from sdckit.microdata import Kind, Microdata, Role
from sdckit.parameters import param
from sdckit.release import Release
from sdckit.risk.linkage.linkage import sampled
from sdckit.risk.linkage.mixed_space import mixed_space


@risk("attribute-inference", headline=4, heading="Confidential values inferred", reference="giomi2023", cost=Cost.SLOW)
class AttributeInference(Measure):
    r"""Share of confidential values guessed correctly from the released record nearest on the known attributes.

    The nearest record need not be the person's own: a neighbour with the same value is enough. A guess is correct where
    the category is the same, or the number within `tolerance` standard deviations; of nearest records that tie one is
    picked at random. The baseline guesses with the value of a random released record. The control is the same attack on
    people who are not in the release, so that its success can be reached for anybody; the excess is the part of the
    remaining values that the release discloses about those who are in it. The control uses the records of the control
    file; without one, those of the original with their own row left out, where it is known which row that is. On large
    files a random part of the records is attacked.

    Formula: $\text{excess} = \frac{r - c}{1 - c}$,  $r$ the share of correct guesses,  $c$ the same on the control

    Intruder: knows the keys of a record, not its confidential values, and takes those of the nearest released record.

    Use it when a confidential attribute is released beside keys, whether or not records can be re-identified.
    """

    for_synthesis: ClassVar[bool] = True

    tolerance: float = param(0.05, "how far off a number may be, in standard deviations", low=0, high=1)
    max_records: int = param(
        10_000, "largest number of known records to attack, drawn at random", low=1, formerly="most"
    )

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        view = intruder.view(release, seed=seed)
        hidden = set(release.original.names(role=Role.CONFIDENTIAL)) - set(view.attributes)
        secrets = tuple(name for name in release.shared_attributes() if name in hidden)
        if not secrets:
            raise NotApplicableError(
                "there is no confidential attribute in the release that the intruder does not know"
            )
        view = view.take(sampled(len(view), self.max_records, seed))
        view = view.take(np.flatnonzero(view.records >= 0))  # a guess is scored for records of the original only
        records, space = view.records, mixed_space(view)
        lower, upper, values = correct_guesses(release, secrets, release.original.take(records), self.tolerance)
        judged = ~np.isnan(lower)
        if not judged.any():
            raise NotApplicableError("no known record has a confidential value to guess")

        def attack(left_out: NDArray[np.int64]) -> NDArray[np.float64]:
            shares = shares_of_ties_inside(space.known, space.released, space.trees, left_out, lower, upper, values)
            return np.where(judged, shares, np.nan)

        correct = attack(np.full(len(records), -1))
        by_attribute = mean_by_attribute(correct)
        value = float(by_attribute.mean())
        of_record = np.nansum(correct, axis=1) / np.maximum(judged.sum(axis=1), 1)
        details: dict[str, object] = {"attributes": view.attributes}
        strangers = control_of(release, view, secrets)
        if strangers is not None:
            strangers = strangers.take(sampled(len(strangers), self.max_records, seed))
            control = self.on_control(release, replace(view, known=strangers.only(view.attributes)), strangers, secrets)
            details |= excess_over_control(
                value * len(records), len(records), control * len(strangers), len(strangers)
            ).details()
        elif release.corresponds:  # else it is not known which row to leave out
            control = float(mean_by_attribute(attack(release.true_rows(records))).mean())
            details |= excess_over_control(
                value * len(records), len(records), control * len(records), len(records)
            ).details()
        return Score(
            value,
            by_record=release.on_records(records, np.where(judged.any(axis=1), of_record, np.nan)),
            by_attribute=dict(zip(secrets, by_attribute.tolist(), strict=True)),
            interval=wilson(value * len(records), len(records)),
            baseline=float(np.mean([share_inside(*each) for each in zip(lower.T, upper.T, values.T, strict=True)])),
            details=details,
        )

    def on_control(self, release: Release, view: AttackerView, strangers: Microdata, secrets: tuple[str, ...]) -> float:
        """The share of correct guesses on the records of the control."""
        lower, upper, values = correct_guesses(release, secrets, strangers, self.tolerance)
        space = mixed_space(view)
        nobody = np.full(len(strangers), -1)
        shares = shares_of_ties_inside(space.known, space.released, space.trees, nobody, lower, upper, values)
        return float(mean_by_attribute(np.where(np.isnan(lower), np.nan, shares)).mean())


def control_of(release: Release, view: AttackerView, secrets: tuple[str, ...]) -> Microdata | None:
    """The control records, where there are any with all the attributes that the attack needs."""
    control = release.control
    return control if control is not None and all(name in control for name in (*view.attributes, *secrets)) else None


def correct_guesses(
    release: Release, secrets: tuple[str, ...], people: Microdata, tolerance: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Between which ends a guess is correct, for each person and secret (NaN: not judged), and the released values."""
    lower, upper = np.empty((len(people), len(secrets))), np.empty((len(people), len(secrets)))
    values = np.empty((len(release.masked), len(secrets)))
    for column, name in enumerate(secrets):
        truth, values[:, column] = as_numbers(people, name), as_numbers(release.masked, name)
        number = release.original.attribute(name).kind & Kind.ORDERED and not release.original.attribute(name).coded
        deviation = mean_and_deviation(as_numbers(release.original, name)[:, None])[1][0] if number else 0.0
        lower[:, column], upper[:, column] = truth - tolerance * deviation, truth + tolerance * deviation
    return lower, upper, values


def as_numbers(file: Microdata, name: str) -> NDArray[np.float64]:
    """Numbers, or codes that mean the same in original and masked file; missing is NaN."""
    return np.where(file.absent(name), np.nan, file.columns[name].astype(np.float64))


def mean_by_attribute(correct: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of each column over what was judged; 0 where nothing was."""
    judged = ~np.isnan(correct)
    means: NDArray[np.float64] = np.where(judged, correct, 0.0).sum(axis=0) / np.maximum(judged.sum(axis=0), 1)
    return means


def share_inside(lower: NDArray[np.float64], upper: NDArray[np.float64], values: NDArray[np.float64]) -> float:
    """The probability that the value of a random row is a correct guess, the mean over the records judged."""
    judged = ~np.isnan(lower)
    ordered = np.sort(values[~np.isnan(values)])
    first = np.searchsorted(ordered, lower[judged], side="left")
    last = np.searchsorted(ordered, upper[judged], side="right")
    return float(((last - first) / max(len(values), 1)).mean()) if judged.any() else 0.0
