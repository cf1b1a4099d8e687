"""k-Anonymity: records whose keys fewer than k records share."""

from dataclasses import replace

from sdckit.holes import Holes
from sdckit.intruder import Intruder
from sdckit.kernels.intervals import wilson
from sdckit.measure import Score, risk
from sdckit.parameters import param
from sdckit.release import Release
from sdckit.risk.uniqueness.key_measure import KeyMeasure
from sdckit.risk.uniqueness.possible_rows import possible_row_counts
from sdckit.risk.uniqueness.released_keys import ReleasedKeys


@risk("k-anonymity", reference="sweeney2002")
class KAnonymity(KeyMeasure):
    r"""Share of released records that agree with fewer than k records on the known keys, themselves included.

    The release is k-anonymous where the share is 0; the largest k for which it is so is in the details. Where keys are
    missing or suppressed, the details give the figure by two readings, and the higher one counts. By any-value, the
    usual rule, a missing key agrees with every value, so that ten blank rows agree with everybody. By own-value it is a
    value of its own, so a class has k rows that look the same: this also protects against an intruder who repeats the
    suppression on the known file to see which values each record lost. `holes` takes one of them, or candidates: the
    rows that can be each record's by the recipe are counted, and such an intruder may rule out some. Records without
    any key are in the details too.

    Formula: $\frac{1}{n} \cdot |\{i : f_i < k\}|$,  $f_i$ the number of released records that agree with record $i$ on
    the keys

    Intruder: knows the keys of somebody in the release, without error, and looks for the records that agree.

    Use it when keys were recoded, suppressed or averaged in groups. A group that hides its members may still disclose
    their confidential value: read it beside l-diversity and t-closeness.
    """

    group_size: int = param(3, "smallest number of records that must agree (k)", low=1, grid=(2, 3, 5, 10))
    holes: Holes = param(
        Holes.STRICTER,
        "what a missing key counts as: any-value, own-value, candidates, or stricter (the higher of the first two)",
    )

    readings = (*KeyMeasure.readings, Holes.CANDIDATES)

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        if self.holes is Holes.CANDIDATES:
            return self.by_candidates(release, intruder, seed)
        score = super().measure(release, intruder, seed=seed)
        smallest = score.details.get("smallest_class_by_holes")
        if smallest is None:
            return score
        former = {"smallest_class_of_equal_rows": smallest[str(Holes.OWN_VALUE)]}  # policies may still name it so
        return replace(score, details={**score.details, **former})

    def of_keys(self, keys: ReleasedKeys) -> Score:
        exposed = (keys.frequency < self.group_size).astype(float)
        return Score(
            float(exposed.mean()),
            by_record=keys.release.by_original_record(exposed),
            interval=wilson(float(exposed.sum()), len(exposed)),
            details={
                "attributes": keys.names,
                "smallest_class": int(keys.frequency.min()),
                "records_in_smaller_classes": int(exposed.sum()),
            },
        )

    def by_candidates(self, release: Release, intruder: Intruder, seed: int | None) -> Score:
        """The share of records that fewer than k released rows can be, of the known ones that any row can be."""
        view = intruder.view(release, seed=seed)
        possible = possible_row_counts(view)
        counted = possible > 0
        exposed = (possible < self.group_size).astype(float)[counted]
        return Score(
            float(exposed.mean()) if len(exposed) else 0.0,
            by_record=release.on_records(view.records[counted], exposed),
            interval=wilson(float(exposed.sum()), len(exposed)) if len(exposed) else None,
            details={
                "attributes": view.attributes,
                "smallest_class": int(possible[counted].min(initial=len(release.masked))),
                "records_in_smaller_classes": int(exposed.sum()),
            },
        )
