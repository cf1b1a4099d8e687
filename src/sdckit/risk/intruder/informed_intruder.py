"""The informed intruder: knows method and parameters, and combines them with all known attributes."""

import numpy as np

from sdckit.intruder import AttackerView
from sdckit.laws.informed import informed_law, informed_law_once
from sdckit.laws.release_law import ReleaseLaw
from sdckit.laws.row_law import published_row_law
from sdckit.measure import Finds, Need, risk
from sdckit.release import Release
from sdckit.risk.intruder.joint_attack import Claims, JointAttack
from sdckit.risk.transparency.intersection_attack import one_row_promised


@risk(
    "informed-intruder",
    headline=1,
    heading="Re-identified, method known",
    reference="reiter2005",
    finds=Finds.RECORDS,
    needs={Need.ROWS, Need.RECIPE},
)
class InformedIntruder(JointAttack):
    r"""Share of records whose likeliest row is theirs, by an intruder who knows method and parameters.

    Every known attribute is used with the most precise law that the recipe allows: a value released unchanged must be
    equal; noise and PRAM have probabilities in closed form; a deterministic method is applied again to the whole file,
    where that is known, which gives the groups; anything else is learned by masking known records again. Records and
    rows match one to one, so the posterior is over matchings: exact for small components, from a Markov chain for
    others. The details give the share that the intruder expects to re-identify (`expected_found`), the claims of high
    confidence and how many of them are correct, the calibration, the effective number of rows, and where the law of
    each attribute comes from.

    Formula: $\frac{1}{m} \sum_x [\operatorname{argmax}_r \Pr(r \text{ belongs to } x \mid \text{release}) \text{
    belongs to } x]$,  $\Pr$ over matchings $\pi$ of weight $\prod_x \ell(\pi(x) \mid x)$

    Intruder: knows some attributes of some records, the recipe, and that no two records share a row.

    Use it when one figure is to show what publishing a file together with its method discloses: it is designed so that
    no other attack of the catalogue that an intruder can carry out re-identifies more.
    """

    def law(self, view: AttackerView, rng: np.random.Generator) -> ReleaseLaw:
        return informed_law(view, rng)

    def law_of_release(self, release: Release, view: AttackerView, rng: np.random.Generator) -> ReleaseLaw:
        return informed_law_once(release, view, rng)

    def row_law(self, view: AttackerView, other: AttackerView, rng: np.random.Generator) -> ReleaseLaw:
        return published_row_law(view, other, rng)

    def certain_matches(self, claims: Claims) -> int:
        if not claims.view.exact:
            return 0
        released, rows = claims.truth >= 0, claims.inference.law.rows
        unique = rows.sizes[rows.of[claims.truth[released]]] == 1
        return int(one_row_promised(claims.view, claims.judged[released], rows.first, unique).sum())
