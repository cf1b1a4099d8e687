"""The posterior attack: an intruder who knows the distribution of a random masking links to the likeliest row."""

from collections.abc import Iterator, Sequence

import numpy as np

from sdckit.capabilities import HasLaw
from sdckit.errors import NotApplicableError
from sdckit.intruder import AttackerView, Intruder
from sdckit.kernels.intervals import wilson
from sdckit.kernels.posteriors import TIED
from sdckit.likelihood import Law
from sdckit.measure import Finds, Measure, Need, Score, risk
from sdckit.parameters import param
from sdckit.randomness import child, generator
from sdckit.release import Release
from sdckit.risk.transparency.replayed_law import replayed_law
from sdckit.risk.transparency.row_likelihoods import RowLikelihoods

PAIRS = 500_000_000  # pairs of a record and a row that are evaluated in all: bounds time


@risk("posterior-attack", reference="reiter2005", finds=Finds.RECORDS, needs={Need.ROWS, Need.RECIPE}, by_default=False)
class PosteriorAttack(Measure):
    r"""Share of records re-identified by linking each to the row of greatest posterior probability, method known.

    Every row is equally likely beforehand; the law of the masking, its probability of each released row given the
    original record, weights them, and a row that suits many of the known records counts less, if all records are known.
    Where a method excludes nothing, as attack-resistant methods do, this is what an informed intruder still gains over
    plain linkage. Of steps that mask the same attributes one after the other, the intruder learns a law by masking the
    release again by them. The details give the mean posterior of the true row, and how many rows the posterior leaves
    open (the exponential of its entropy). On large files a random part of the records is attacked.

    Formula: link $x$ to $\operatorname{argmax}_r \frac{\Pr[r \mid x]}{\sum_y \Pr[r \mid y]}$,  $\Pr[r \mid x]$ the
    published law, $y$ all known records

    Intruder: knows some attributes of a record exactly, and the method and its parameters.

    Use it when a random method is published whose law is known (noise, PRAM, rank swapping and its variants, fuzzy
    microaggregation), or a chain of maskings of the same attributes.
    """

    max_records: int = param(5000, "largest number of records to attack, drawn at random", low=1, formerly="most")

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        whole = intruder.view(release, seed=seed)
        laws = list(visible_laws(whole, seed))
        if not laws:
            raise NotApplicableError(
                "no step of the recipe determines the probability of a released row given the original record"
            )
        view = whole
        records = min(self.max_records, max(1, PAIRS // len(release.masked)))
        if len(whole) > records:
            draws = child(generator(seed or 0), "posterior")
            view = whole.take(np.sort(draws.choice(len(whole), records, replace=False)))
        truth = release.true_rows(view.records)
        summary, of_own = RowLikelihoods.of(view, laws).posteriors(truth, everyone=view.everyone)
        possible = np.isfinite(summary.largest)  # otherwise no row is possible, and all rows tie
        released = truth >= 0
        correct = released & (~possible | (of_own >= summary.largest + TIED))
        probability = np.where(correct, 1.0 / summary.ties, 0.0)
        log_weight = np.where(possible, of_own, 0.0) - summary.log_sum
        posterior = np.where(released, np.exp(np.where(released, log_weight, 0.0)), 0.0)
        return Score(
            float(probability.mean()),
            by_record=release.on_records(view.records, probability),
            interval=wilson(float(probability.sum()), len(probability)),
            baseline=1.0 / len(release.masked),
            details={
                "attributes": view.attributes,
                "records_attacked": len(view),
                "mean_posterior": float(posterior.mean()),
                "rows_left_open": float(np.exp(summary.entropy).mean()),
            },
        )


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
            law = masking.law(masking.read_by_law(released, known)) if isinstance(masking, HasLaw) else None
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
