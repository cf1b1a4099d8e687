"""Attribute inference: what the nearest released record tells of a confidential value."""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError
from sdckit.intruder import Intruder
from sdckit.kernels.intervals import wilson
from sdckit.kernels.mixed_distances import shares_of_ties_inside
from sdckit.kernels.standardisation import mean_and_deviation
from sdckit.measure import Measure, Score, risk
from sdckit.microdata import Kind, Microdata, Role
from sdckit.parameters import param
from sdckit.release import Release
from sdckit.risk.linkage.linkage import some_records
from sdckit.risk.linkage.mixed_space import mixed_space


@risk("attribute-inference", reference="giomi2023")
class AttributeInference(Measure):
    """Share of confidential values guessed right from the released record nearest in what is known.

    The record need not be the right one: a neighbour with the same secret will do. A guess is right where the category
    is the same, or the number within `tolerance` standard deviations; of nearest records that tie one is picked at
    random. The baseline guesses with the value of a random released record. The control is the same attack when the
    record's own row is not in the release, so what it reaches is known of people in general; the excess is how much of
    the rest the release gives away of those who are in it. On large files a random part of the records is attacked.

    Formula: r = mean of [guess right],  excess = (r − c) / (1 − c),  c the same with each record's own row left out

    Intruder: knows the keys of a record, not its confidential values, and believes the nearest released record.

    Use it when a confidential attribute is released beside keys, whether or not records can be found again.
    """

    prominence: ClassVar[int] = 20
    heading: ClassVar[str] = "Confidential values inferred"

    tolerance: float = param(0.05, "how far off a number may be, in standard deviations", low=0, high=1)
    max_records: int = param(10_000, "known records to attack at most, drawn at random", low=1, formerly="most")

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        known = intruder.known_attributes(release)
        hidden = set(release.original.names(role=Role.CONFIDENTIAL)) - set(known)
        secrets = tuple(name for name in release.shared_attributes() if name in hidden)
        if not known or not secrets:
            raise NotApplicableError(
                "there is no confidential attribute in the release that the intruder does not know"
            )
        intruder = some_records(release, intruder, self.max_records, seed=seed)
        records = intruder.known_records(release, seed)
        real = records >= 0  # only of records in the original it is known what is right
        space = mixed_space(release, intruder, seed=seed)
        records, people = records[real], space.known.take(np.flatnonzero(real))
        lower, upper, values = right_guesses(release, secrets, records, self.tolerance)
        judged = ~np.isnan(lower)
        if not judged.any():
            raise NotApplicableError("no confidential value of a known record is there to guess")
        truth = release.true_rows(records)

        def attack(left_out: NDArray[np.int64]) -> NDArray[np.float64]:
            return shares_of_ties_inside(people, space.released, space.trees, left_out, lower, upper, values)

        right = np.where(judged, attack(np.full(len(records), -1)), np.nan)
        control = mean_by_attribute(np.where(judged, attack(truth), np.nan))
        by_attribute = mean_by_attribute(right)
        value, without = float(by_attribute.mean()), float(control.mean())
        of_record = np.where(judged.any(axis=1), np.nansum(right, axis=1) / np.maximum(judged.sum(axis=1), 1), np.nan)
        return Score(
            value,
            by_record=release.on_records(records, of_record),
            by_attribute=dict(zip(secrets, by_attribute.tolist(), strict=True)),
            interval=wilson(value * len(records), len(records)),
            baseline=float(np.mean([share_inside(*each) for each in zip(lower.T, upper.T, values.T, strict=True)])),
            details={
                "attributes": known,
                "control": without,
                "control_interval": wilson(without * len(records), len(records)),
                "excess": max(0.0, (value - without) / (1 - without)) if without < 1 else 0.0,
            },
        )


def right_guesses(
    release: Release, secrets: tuple[str, ...], records: NDArray[np.int64], tolerance: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Between which ends a guess is right, for each record and secret (NaN: not judged), and the released values."""
    lower, upper = np.empty((len(records), len(secrets))), np.empty((len(records), len(secrets)))
    values = np.empty((len(release.masked), len(secrets)))
    for place, name in enumerate(secrets):
        truth, values[:, place] = as_numbers(release.original, name), as_numbers(release.masked, name)
        number = release.original.attribute(name).kind & Kind.ORDERED and not release.original.attribute(name).coded
        reach = tolerance * mean_and_deviation(truth[:, None])[1][0] if number else 0.0
        lower[:, place], upper[:, place] = truth[records] - reach, truth[records] + reach
    return lower, upper, values


def as_numbers(file: Microdata, name: str) -> NDArray[np.float64]:
    """Numbers, or codes that mean the same in original and masked file; missing is NaN."""
    return np.where(file.absent(name), np.nan, file.columns[name].astype(np.float64))


def mean_by_attribute(right: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of each column over what was judged; 0 where nothing was."""
    judged = ~np.isnan(right)
    means: NDArray[np.float64] = np.where(judged, right, 0.0).sum(axis=0) / np.maximum(judged.sum(axis=0), 1)
    return means


def share_inside(lower: NDArray[np.float64], upper: NDArray[np.float64], values: NDArray[np.float64]) -> float:
    """The chance that the value of a random released row is right, the mean over the records that are judged."""
    judged = ~np.isnan(lower)
    ordered = np.sort(values[~np.isnan(values)])
    first = np.searchsorted(ordered, lower[judged], side="left")
    last = np.searchsorted(ordered, upper[judged], side="right")
    return float(((last - first) / max(len(values), 1)).mean()) if judged.any() else 0.0
