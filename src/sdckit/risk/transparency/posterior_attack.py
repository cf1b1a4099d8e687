"""The posterior attack: an intruder who knows the law of a random masking takes the likeliest record."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.capabilities import HasLaw
from sdckit.errors import NotApplicableError
from sdckit.intruder import AttackerView, Intruder
from sdckit.kernels.intervals import wilson
from sdckit.likelihood import Law
from sdckit.measure import Finds, Measure, Need, Score, risk
from sdckit.microdata import Microdata
from sdckit.parameters import param
from sdckit.randomness import child, generator
from sdckit.release import Release
from sdckit.risk.transparency.replayed_law import replayed_law

PAIRS = 500_000_000  # pairs of a record and a row that are weighed in all: bounds time
CELLS = 4_000_000  # pairs of a record and a row that are weighed at a time: bounds memory


@risk("posterior-attack", reference="reiter2005", finds=Finds.RECORDS, needs={Need.ROWS, Need.RECIPE})
class PosteriorAttack(Measure):
    """Share of records found by taking the row with the greatest posterior probability under the published law.

    Every row is equally likely beforehand; the law of the masking weighs them, and a row that suits many of the known
    records counts less, if all records are known. Where a method excludes nothing, as the resistant ones do, this is
    what an informed intruder still gains over plain linkage. Of steps that mask the same attributes one after the
    other, the intruder learns a law by masking the release again by them. The details give the mean posterior of the
    true row, and how many rows the posterior leaves open (the exponential of its entropy). On large files a random part
    of the records is attacked.

    Formula: link x to argmax_r Pr[r | x] / Σ_y Pr[r | y],  Pr[r | x] the published law, y all known records

    Intruder: holds the known attributes of a record exactly, and knows method and parameters.

    Use it when a random method is published whose law is known (noise, PRAM, rank swapping and its variants, fuzzy
    microaggregation), or a chain of maskings of the same attributes.
    """

    max_records: int = param(5000, "records to attack at most, drawn at random", low=1, formerly="most")

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        whole = intruder.view(release, seed=seed)
        laws = list(visible_laws(whole, seed))
        if not laws:
            raise NotApplicableError("no step of the recipe has a law that can be read off the release")
        view = whole
        records = min(self.max_records, max(1, PAIRS // len(release.masked)))
        if len(whole) > records:
            draws = child(generator(seed or 0), "posterior")
            view = whole.take(np.sort(draws.choice(len(whole), records, replace=False)))
        truth = release.true_rows(view.records)
        own, released = np.maximum(truth, 0), truth >= 0
        probability, posterior, open_rows = np.zeros(len(view)), np.zeros(len(view)), np.zeros(len(view))
        for part, weight in posteriors_by_part(view, laws):
            best = weight >= weight.max(axis=1, keepdims=True) * (1 - 1e-9)
            record = np.arange(len(weight))
            correct = released[part] & best[record, own[part]]
            probability[part] = np.where(correct, 1.0 / best.sum(axis=1), 0.0)
            posterior[part] = np.where(released[part], weight[record, own[part]], 0.0)
            with np.errstate(divide="ignore", invalid="ignore"):
                open_rows[part] = np.exp(-np.nansum(weight * np.log(weight), axis=1))
        return Score(
            float(probability.mean()),
            by_record=release.on_records(view.records, probability),
            interval=wilson(float(probability.sum()), len(probability)),
            baseline=1.0 / len(release.masked),
            details={
                "attributes": view.attributes,
                "records_attacked": len(view),
                "mean_posterior": float(posterior.mean()),
                "rows_left_open": float(open_rows.mean()),
            },
        )


def posteriors_by_part(
    view: AttackerView, laws: list[tuple[list[str], Law]]
) -> Iterator[tuple[slice, NDArray[np.float64]]]:
    """The posterior of every row, for some known records at a time."""
    names = view.attributes
    known, released = as_numbers(view.known, names), as_numbers(view.released, names)
    step = max(1, CELLS // len(released))
    parts = [slice(start, start + step) for start in range(0, len(known), step)]
    evidence = np.zeros(len(released))
    if view.everyone:
        evidence = np.logaddexp.reduce(
            [np.logaddexp.reduce(log_likelihoods(known[part], released, names, laws), axis=0) for part in parts],
            axis=0,
        )
    for part in parts:
        yield part, posteriors(log_likelihoods(known[part], released, names, laws), evidence)


def as_numbers(data: Microdata, names: tuple[str, ...]) -> NDArray[np.float64]:
    """Numbers, and categories as their codes, NaN where missing."""
    columns = [np.where(data.absent(name), np.nan, data.columns[name]) for name in names]
    return np.column_stack(columns) if columns else np.empty((len(data), 0))


def visible_laws(view: AttackerView, seed: int | None = None) -> Iterator[tuple[list[str], Law]]:
    """The laws of the steps with the known attributes that they mask; of steps that overlap, the replayed law."""
    recipe, released = view.published_recipe, view.released
    touched = recipe.touched(released)
    for steps in overlapping(touched):
        known = [name for name in view.attributes if any(name in touched[step] for step in steps)]
        replayed = replayed_law(recipe, released, known, seed) if len(steps) > 1 else None
        if replayed is not None:
            yield [name for name in known if not released.attribute(name).coded], replayed
            continue
        last = steps[-1]
        masking = recipe.steps[last].masking
        known = [name for name in touched[last] if name in view.attributes]
        if known and (masking.columnwise or len(known) == len(touched[last])):
            law = masking.law(released.only(known)) if isinstance(masking, HasLaw) else None
            if law is not None:
                yield known, law


def overlapping(touched: Sequence[Sequence[str]]) -> list[list[int]]:
    """The numbers of sets that are connected because they share a name, directly or through others.

    >>> overlapping([("a",), ("b", "c"), ("d",), ("a", "b")])
    [[0, 1, 3], [2]]
    """
    groups: list[list[int]] = []
    for number, names in enumerate(touched):
        near = [group for group in groups if any(not set(names).isdisjoint(touched[other]) for other in group)]
        joined = sorted([number, *(other for group in near for other in group)])
        groups = [*(group for group in groups if group not in near), joined]
    return sorted(groups)


def log_likelihoods(
    known: NDArray[np.float64],
    released: NDArray[np.float64],
    names: tuple[str, ...],
    laws: list[tuple[list[str], Law]],
) -> NDArray[np.float64]:
    """How likely each row is for each record, over all laws."""
    total = np.zeros((len(known), len(released)))
    for masked, law in laws:
        columns = [names.index(name) for name in masked]
        total += law.log_likelihood(known[:, columns], released[:, columns])
    return total


def posteriors(likelihood: NDArray[np.float64], evidence: NDArray[np.float64]) -> NDArray[np.float64]:
    """The posterior of each row for each record, given how likely each row is for anybody.

    A row that suits many records says little for any of them. Where no row is possible, all are alike.
    """
    total = likelihood - np.where(np.isneginf(evidence), 0.0, evidence)
    top = total.max(axis=1, keepdims=True)
    weight = np.where(np.isneginf(top), 1.0, np.exp(total - np.where(np.isneginf(top), 0.0, top)))
    shares: NDArray[np.float64] = weight / weight.sum(axis=1, keepdims=True)
    return shares
