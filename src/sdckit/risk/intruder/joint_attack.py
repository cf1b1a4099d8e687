"""What the intruders share: a law of the release, joint inference over matchings, and claims that are scored."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sdckit.digest import content_digest
from sdckit.intruder import AttackerView, Intruder
from sdckit.kernels.intervals import wilson
from sdckit.laws.agreement_fit import agreement_law
from sdckit.laws.inference import Inference, inferred
from sdckit.laws.presence import estimated_strangers, strangers_beside
from sdckit.laws.release_law import ReleaseLaw
from sdckit.laws.row_law import fitted_row_law, in_same_order
from sdckit.laws.several import joined
from sdckit.measure import Measure, Score
from sdckit.parameters import param
from sdckit.randomness import child, generator
from sdckit.release import Release
from sdckit.risk.intruder.calibration import calibration, is_calibrated

NEGLIGIBLE = 1e-3  # share of the likelihood that candidates leave out, up to which a bound is stated
SURE = 0.95  # confidence from which a claim is a sure one
MOST_LEFT_OUT = 15  # attributes that are left out one by one, at most
LINKED, IN_ORDER, APART = "linked rows", "same order", "released apart"  # how the rows of another release correspond


@dataclass(frozen=True, eq=False)
class Claims:
    """What an intruder claims of the records attacked, beside the truth.

    `judged`    the positions of these records among the known ones
    `correct`   the probability that the claim for each is correct; ties share the credit
    `of_truth`  the posterior of the true row of each
    `others`    how the rows of each other release were linked to those attacked
    `present`   the share of the known people who are in the release, as far as it is known
    """

    view: AttackerView
    inference: Inference
    judged: NDArray[np.int64]
    truth: NDArray[np.int64]
    correct: NDArray[np.float64]
    of_truth: NDArray[np.float64]
    others: tuple[str, ...] = ()
    present: float = 1.0

    @property
    def expected_found(self) -> float:
        """The share of claims expected to be correct; nobody is found who is not in the release."""
        return min(float(self.confidence.mean()), self.present)

    @property
    def confidence(self) -> NDArray[np.float64]:
        """How likely each claim is to be correct, as the intruder sees it."""
        return self.inference.confidence[self.index]

    @property
    def index(self) -> NDArray[np.int64]:
        """The index of the records attacked in the graph of the inference."""
        return self.inference.index(self.judged)


@dataclass(frozen=True, kw_only=True)
class JointAttack(Measure):
    """A risk that is the share of records whose likeliest row is theirs, under the posterior over matchings."""

    targets: int = param(
        1000,
        "records attacked at most, chosen by the content of the file; 0: all that are known",
        low=0,
        every=0,
    )

    def law(self, view: AttackerView, rng: np.random.Generator) -> ReleaseLaw:
        """How likely each row is for each known record, from the attacker's view alone."""
        raise TypeError(f"{type(self).__name__} must define law")

    def law_of_release(self, release: Release, view: AttackerView, rng: np.random.Generator) -> ReleaseLaw:
        """The same of the release attacked, where other attacks on it may have computed it already."""
        return self.law(view, rng)

    def row_law(self, view: AttackerView, other: AttackerView, rng: np.random.Generator) -> ReleaseLaw:
        """How likely each row of another release is to be of the same person as each row of this one."""
        return fitted_row_law(view, other, rng)

    def claims(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Claims:
        """The claims of the intruder, scored by the true rows."""
        view = intruder.view(release, seed=seed)
        truth_of_known = release.true_rows(view.records)  # an error with its cure where they are not known
        rng = generator_of(view)
        targets = drawn_targets(rng, len(view), self.targets)
        judged = np.arange(len(view)) if targets is None else targets
        law, others = self._law_beside_others(release, view, rng, intruder, targets)
        strangers = _strangers(view, law, intruder)
        inference = inferred(view, law, child(rng, "chain"), strangers=strangers, targets=targets)
        truth, index = truth_of_known[judged], inference.index(judged)
        truth_of_graph = truth_of_known[inference.records]
        correct, of_truth = inference.correct(truth_of_graph)[index], inference.of_truth(truth_of_graph)[index]
        present = intruder.file.present if intruder.file else None
        return Claims(view, inference, judged, truth, correct, of_truth, others, 1.0 if present is None else present)

    def _law_beside_others(
        self,
        release: Release,
        view: AttackerView,
        rng: np.random.Generator,
        intruder: Intruder,
        targets: NDArray[np.int64] | None,
    ) -> tuple[ReleaseLaw, tuple[str, ...]]:
        """The law of the release with what other releases of the file add to it, and how their rows were linked."""
        from sdckit.laws.apart import OtherLaw, beside_others

        law = self.law_of_release(release, view, child(rng, "law"))
        links, apart = [], []
        for number, (other, row_of) in enumerate(view.also):
            its_rng = child(rng, "law", number)
            its_law = agreement_law(other, its_rng) if other.recipe is None else self.law(other, its_rng)
            links.append(LINKED)
            if row_of is None:
                row_law = self.row_law(view, other, child(rng, "rows", number))
                if not in_same_order(row_law):
                    links[-1] = APART
                    apart.append(OtherLaw(other, its_law, row_law, _strangers(other, its_law, intruder)))
                    continue
                links[-1] = IN_ORDER
                row_of = np.arange(len(view.released))
            law = joined(law, its_law, row_of)
        return beside_others(law, view, apart, targets), tuple(links)

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        return self.score(release, self.claims(release, intruder, seed=seed))

    def score(self, release: Release, claims: Claims) -> Score:
        """The share of correct claims, with their confidence."""
        correct, confidence = claims.correct, claims.confidence
        sure = confidence >= SURE
        bins = calibration(confidence, correct)
        inference = claims.inference
        shift = inference.posterior.bracket[1] - inference.posterior.bracket[0]
        expected = claims.expected_found
        details: dict[str, object] = {
            "attributes": claims.view.attributes,
            "records_attacked": len(claims.judged),
            "expected_found": expected,
            "expected_found_bracket": (max(expected - shift, 0.0), expected),
            "expected_found_is_bound": _is_bound(claims),
            "certain_matches": self.certain_matches(claims),
            "sure_claims": int(sure.sum()),
            "sure_claims_correct": float(correct[sure].sum()),
            "calibration": [each.to_dict() for each in bins],
            "calibrated": is_calibrated(bins),
            "posterior_of_true_row": float(claims.of_truth.mean()),
            "rows_left_open": float(inference.rows_open[claims.index].mean()),
            "likelihood_left_out": float(inference.left_out[claims.index].mean()),
            "competition_left_out": float(inference.outside[claims.index].mean()),
            "laws": {name: source.value for name, source in inference.law.sources.items()},
        }
        if claims.others:
            details["other_releases"] = list(claims.others)
        return Score(
            float(correct.mean()),
            by_record=release.on_records(claims.view.records[claims.judged], correct),
            interval=wilson(float(correct.sum()), len(correct)),
            baseline=1.0 / len(release.masked),
            details=details,
        )

    def certain_matches(self, claims: Claims) -> int:
        """How many of the records attacked have exactly one possible row, by what is promised."""
        return 0

    def worth_of_attributes(
        self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None
    ) -> Mapping[str, float] | None:
        """By how much the share found falls if an attribute were not known; None where there are too many."""
        names = intruder.known_attributes(release)
        if len(names) > MOST_LEFT_OUT:
            return None
        found = self.measure(release, intruder, seed=seed).value
        worth = {}
        for name in names:
            others = tuple(other for other in names if other != name)
            without = 1.0 / len(release.masked)
            if others:
                without = self.measure(release, replace(intruder, attributes=others), seed=seed).value
            worth[name] = found - without
        return worth


def _is_bound(claims: Claims) -> bool:
    """Whether no attack with this knowledge finds more in expectation: the law is exact, and nothing is left out."""
    view, inference = claims.view, claims.inference
    everybody = len(view) == len(view.released) and not view.holes
    return inference.law.exact and everybody and float(inference.left_out.mean()) <= NEGLIGIBLE


def _strangers(view: AttackerView, law: ReleaseLaw, intruder: Intruder) -> int:
    """How many people may be in a release whom the intruder does not know."""
    if intruder.file:
        present = intruder.file.present
        return estimated_strangers(law) if present is None else strangers_beside(law, present)
    return max(len(view.original), len(view.released), len(view)) - len(view)


def drawn_targets(rng: np.random.Generator, known: int, most: int) -> NDArray[np.int64] | None:
    """The records attacked where there are more than so many; None where all are, as 0 asks for."""
    if not most or known <= most:
        return None
    return np.sort(child(rng, "targets").choice(known, most, replace=False))


def generator_of(view: AttackerView) -> np.random.Generator:
    """Draws that depend on the content of the two files alone, so that one release has one figure everywhere."""
    text = content_digest(view.known, ordered=False) + content_digest(
        view.released.only(view.attributes), ordered=False
    )
    return generator(int.from_bytes(text.encode(), "big"))
