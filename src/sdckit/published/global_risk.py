"""Figures 4.1 to 4.3 of Truta, Fotouhi and Barth-Jones (2004): three maskings and the disclosure risk they leave.

The paper masks simulated billing records of 1,000, 5,000 and 25,000 patients by their keys Age, Sex and Zip, and draws
the minimal and maximal disclosure risk: against noise of variance c · σ² on Age, cut to 0 to 100; against the share of
records, the rarest first, whose Sex is reversed; and against the threshold below which a Zip is cut to three digits. It
prints curves and no numbers, and its files are not public, so ours are drawn from `simulate_billing`, and what it
reports of the curves is what must show. How far c goes is not stated: here noise has at most the variance of Age
itself, and stronger noise lowers the risk further.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from sdckit.charts.risk_curves import risk_curves
from sdckit.datasets import simulate_billing
from sdckit.draws import Draws
from sdckit.edits import Edits
from sdckit.masking import Masking
from sdckit.methods.noise.additive_noise import AdditiveNoise
from sdckit.methods.randomisation.value_flip import ValueFlip
from sdckit.methods.recoding.local_recoding import LocalRecoding
from sdckit.microdata import Microdata
from sdckit.published.reproduction import Finding, Reproduction
from sdckit.recipe import Recipe
from sdckit.release import Release
from sdckit.risk.global_risk.maximal_disclosure_risk import MaximalDisclosureRisk
from sdckit.risk.global_risk.minimal_disclosure_risk import MinimalDisclosureRisk

RECORDS = (1_000, 5_000, 25_000)
NOISE = (0.0, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)
FLIPPED = (0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5)
THRESHOLDS = (0, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
CONVENTION = (
    "The source prints curves and no numbers, and its files are not public: every figure here is ours, of files that "
    "`simulate_billing` draws. What the source says of its curves is looked for in ours, at every size and for both "
    "risks; a rate counts as dropped to 0 below a tenth of what it was at first."
)
RISKS = {"minimal": MinimalDisclosureRisk(), "maximal": MaximalDisclosureRisk()}
FIGURES = {
    "noise": ("Figure 4.1", "Age", "noise variance, as a share of the variance of Age"),
    "flip": ("Figure 4.2", "Sex", "share of the records whose Sex is reversed"),
    "recoding": ("Figure 4.3", "Zip", "threshold below which a Zip is cut to three digits"),
}

Row = dict[str, Any]


def reproduce(records: Sequence[int] = RECORDS, seed: int = 1) -> Reproduction:
    """Run the three experiments at these sizes."""
    files = [replace(simulate_billing(n, seed=seed), edits=Edits.bounds(Age=(0, 100))) for n in records]
    rows = tuple(row for data in files for row in measured(data, seed))
    charts = {
        f"{figure.lower().replace(' ', '-').replace('.', '-')}": risk_curves(
            f"{figure}: {key} masked", [row for row in rows if row["experiment"] == name], strength
        )
        for name, (figure, key, strength) in FIGURES.items()
    }
    return Reproduction("truta2004", rows, tuple(findings(rows)), charts, CONVENTION)


def maskings(data: Microdata) -> Iterator[tuple[str, float, Masking]]:
    """Each experiment with each of its strengths."""
    yield from (("noise", share, AdditiveNoise(variance_share=share)) for share in NOISE)
    yield from (("flip", share, ValueFlip(share=share, rarest=True)) for share in FLIPPED)
    most = int(np.bincount(data.columns["Zip"]).max())
    for threshold in (*(each for each in THRESHOLDS if each <= most), most + 1, 2 * most):
        yield "recoding", float(threshold), LocalRecoding(threshold=threshold, levels=2)


def measured(data: Microdata, seed: int) -> Iterator[Row]:
    """The two risks of a file after each masking."""
    for name, strength, masking in maskings(data):
        key = FIGURES[name][1]
        # The same draws at every strength, so that a curve shows the strength and not the luck of the draw.
        masked = masking.protect(data, [key], draws=Draws.of(seed, len(data)).child(name))
        release = Release.in_order(data, masked, Recipe.of(masking, [key]))
        for title, risk in RISKS.items():
            score = risk.measure(release)
            yield {
                "experiment": name,
                "records": len(data),
                "strength": strength,
                "risk": title,
                "value": score.value,
                "keys": "+".join(score.details["subset"]),
                "factor": score.details["factors"][key],
            }


def findings(rows: Sequence[Row]) -> Iterator[Finding]:
    """What the paper reports of its figures, checked at every size and for both risks."""
    curves = {
        (name, n, title): [row for row in rows if (row["experiment"], row["records"], row["risk"]) == (name, n, title)]
        for name in FIGURES
        for n in sorted({row["records"] for row in rows})
        for title in RISKS
    }
    noise, flip, recoding = ([curve for key, curve in curves.items() if key[0] == name] for name in FIGURES)
    yield Finding(
        "the inversion factor grows with the variance of the noise, at a rate that drops to 0",
        "Figure 4.1",
        all(rising(curve) and flattening(curve) for curve in noise),
    )
    yield Finding(
        "disclosure risk falls when Sex is reversed for few records, and no further when it is for more, as it is then "
        "larger without Sex",
        "Figure 4.2",
        all(falls_at_first(curve) and curve[-1]["keys"] == "Age+Zip" for curve in flip),
    )
    yield Finding(
        "once the threshold exceeds every count of a Zip the risk is constant",
        "Figure 4.3",
        all(curve[-1]["value"] == curve[-2]["value"] for curve in recoding),
    )
    yield Finding(
        "the largest fall of all three is that by Zip, the key with the most distinct values",
        "Figure 4.3",
        all(fall(c) > max(fall(a), fall(b)) for a, b, c in zip(noise, flip, recoding, strict=True)),
    )
    yield Finding(
        "the more distinct values the masked key has, the more the risk falls: Zip, Age, Sex",
        "after Figure 4.3",
        all(fall(c) > fall(a) > fall(b) for a, b, c in zip(noise, flip, recoding, strict=True)),
    )


def fall(curve: Sequence[Row]) -> float:
    """How much of the risk before the masking is gone at the end of a curve."""
    return 1.0 - float(curve[-1]["value"]) / float(curve[0]["value"])


def rising(curve: Sequence[Row]) -> bool:
    """Whether the factor never falls, and the risk never rises."""
    return all(a["factor"] <= b["factor"] and a["value"] >= b["value"] for a, b in pairwise(curve))


def flattening(curve: Sequence[Row]) -> bool:
    """Whether the factor rises by less for each unit of strength, the further out."""
    slopes = [(b["factor"] - a["factor"]) / (b["strength"] - a["strength"]) for a, b in pairwise(curve)]
    return slopes == sorted(slopes, reverse=True) and slopes[-1] < 0.1 * slopes[0]


def falls_at_first(curve: Sequence[Row]) -> bool:
    """Whether the risk falls at the first step and is the same over the second half."""
    late = [row["value"] for row in curve[len(curve) // 2 :]]
    return bool(curve[1]["value"] < curve[0]["value"] and len(set(late)) == 1)
