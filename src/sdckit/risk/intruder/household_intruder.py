"""The household intruder: knows method and parameters, and who lives together."""

import numpy as np

from sdckit.attribute import Role
from sdckit.intruder import Intruder
from sdckit.kernels.intervals import wilson
from sdckit.laws.household_inference import household_claims, refuse_unmatchable
from sdckit.laws.informed import informed_law_once, law_of_no_masking
from sdckit.measure import Finds, Measure, Need, Score, risk
from sdckit.parameters import param
from sdckit.randomness import child
from sdckit.release import Release
from sdckit.risk.intruder.calibration import calibration, is_calibrated
from sdckit.risk.intruder.joint_attack import SURE, drawn_targets, generator_of


@risk(
    "household-intruder",
    reference="reiter2005",
    finds=Finds.RECORDS,
    needs={Need.ROWS, Need.RECIPE},
    extends="informed-intruder",
    role=Role.HOUSEHOLD,
    heading="Re-identified by households",
)
class HouseholdIntruder(Measure):
    r"""Share of records whose likeliest row is theirs, where released households are matched as a whole.

    The laws of the attributes are those of the informed intruder. A release that shows which rows form a household lets
    an intruder match families: all members must be in one released household of the same size, and each has one row of
    it. The likelihood of a household is the sum over all ways to assign its rows; the posterior is over matchings of
    all households. Where whole households were sampled, some of the known ones have no rows. In files of more than
    20,000 records each household is matched by itself, which overstates the confidence of the claims, and samples are
    not matched; in a household of more than nine members two may be assigned the same row.

    Formula: $\ell(g \mid h) = \sum_{\sigma} \prod_{x \in h} \ell(\sigma(x) \mid x)$,  $\sigma$ over the ways to match
    the members of $h$ with the rows of $g$

    Intruder: knows some attributes of every record, the recipe, and who lives together.

    Use it when a file with households is released together with the number of the household: weak evidence on each
    member adds up, and masking that protects single persons may protect no family.
    """

    targets: int = param(
        1000,
        "records attacked at most, chosen by the content of the file; 0: all that are known",
        low=0,
        every=0,
    )

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        view = intruder.view(release, seed=seed)
        truth_of_known = release.true_rows(view.records)
        refuse_unmatchable(view)
        rng = generator_of(view)
        targets = drawn_targets(rng, len(view), self.targets)
        law = law_of_no_masking(view) if release.unmasked else informed_law_once(release, view, child(rng, "law"))
        claims, household_of_row = household_claims(view, law, child(rng, "households"), targets)
        truth = truth_of_known[claims.records]
        same = (
            (truth >= 0)
            & (claims.household >= 0)
            & (household_of_row[truth] == claims.household)
            & (law.rows.of[truth] == claims.rows)
        )
        correct = np.where(same, claims.share, 0.0)
        sure = claims.confidence >= SURE
        bins = calibration(claims.confidence, correct)
        in_household = (truth >= 0) & (household_of_row[truth] == claims.household)
        return Score(
            float(correct.mean()),
            by_record=release.on_records(view.records[claims.records], correct),
            interval=wilson(float(correct.sum()), len(correct)),
            baseline=1.0 / len(release.masked),
            details={
                "attributes": view.attributes,
                "also_uses": view.released.names(role=Role.HOUSEHOLD),
                "records_attacked": len(claims.records),
                "in_the_right_household": float(in_household.mean()),
                "expected_found": float(claims.confidence.mean()),
                "sure_claims": int(sure.sum()),
                "sure_claims_correct": float(correct[sure].sum()),
                "calibration": [each.to_dict() for each in bins],
                "calibrated": is_calibrated(bins),
                "laws": {name: source.value for name, source in law.sources.items()},
            },
        )
