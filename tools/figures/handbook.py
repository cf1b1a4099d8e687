"""The figures of the chapters of the handbook."""

import numpy as np
import polars
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.datasets import simulate_survey
from sdckit.evaluation.assess import assess
from sdckit.fuzzy.c_means import memberships
from sdckit.intruder import Intruder
from sdckit.methods.differential_privacy.randomised_response import RandomisedResponse
from sdckit.microdata import Attribute, Kind
from sdckit.release import protect
from tools.figures import drawn
from tools.figures.line_chart import line_chart
from tools.method_files import people
from tools.method_pictures import Picture, dot, line, svg, text

SEED = 1  # an example, which anybody may guess
MARGIN = 40


@drawn
def unique_people() -> Picture:
    """The share of sample uniques by the number of keys."""
    frame = simulate_survey(2000, seed=SEED).to_frame()
    keys = ["sex", "region", "marital", "education", "age"]
    shares = []
    for number in range(1, len(keys) + 1):
        sizes = frame.group_by(keys[:number]).len()["len"]
        shares.append((float(number), float((sizes == 1).sum()) / frame.height))
    words = "; ".join(f"{', '.join(keys[: int(number)])}: {share:.2%}" for number, share in shares)
    title = f"Share of sample uniques among {frame.height:,} generated people, by the keys that are known"
    return line_chart(title, ("number of keys", "unique"), {"": shares}, f"{words}.", top=0.7)


@drawn
def known_attributes() -> Picture:
    """The share linked correctly by the nearest row, by the number of known attributes, for three amounts of noise."""
    rng = np.random.default_rng(SEED)
    frame = polars.DataFrame(rng.normal(size=(300, 10)), schema=[f"x{number}" for number in range(10)])
    lines = {}
    for share in (0.1, 0.5, 2.0):
        release = protect(frame, f"additive-noise:variance_share={share}", seed=SEED)
        found = []
        for number in range(1, 11):
            intruder = Intruder(attributes=tuple(frame.columns[:number]))
            scores = assess(release, "distance-linkage", intruder=intruder, seed=SEED, before=False)
            score = scores["distance-linkage"]
            found.append((float(number), float(score.value)))
        lines[f"noise {share:g}"] = found
    words = "; ".join(
        f"{label}: {', '.join(f'{share:.3f}' for _, share in points[1::3])}" for label, points in lines.items()
    )
    title = (
        "Share of 300 records whose nearest released row is their own, by the number of known attributes, "
        "for noise with a tenth, a half and twice the variance"
    )
    return line_chart(title, ("known attributes", "linked"), lines, f"With 2, 5 and 8 attributes: {words}.")


@drawn
def rank_window() -> Picture:
    """The rows that a published window leaves for one record, in two attributes."""
    data = people(100)
    names = ("income", "spending")
    release = protect(data, "rank-swapping:window=0.15", names, seed=SEED)
    assert release.recipe is not None
    record = 3
    known = [Candidates.known(release.original, [name]) for name in names]
    each = [release.recipe.candidates(one, release.masked) for one in known]
    admitted = [np.asarray(one.admits(release.masked, record)) for one in each if one is not None]
    rows = release.masked.matrix(names)
    ranks = np.argsort(np.argsort(rows, axis=0), axis=0) / len(rows)

    def position(point: NDArray[np.float64]) -> tuple[float, float]:
        return MARGIN + float(point[0]) * 250, 290 - float(point[1]) * 250

    parts = [f'<path class="frame" d="M{MARGIN} 34V290H{MARGIN + 256}"/>']
    parts += [text(MARGIN, 24, "rank of the released spending", "start")]
    parts += [text(MARGIN + 128, 310, "rank of the released income", "axis")]
    for axis, inside in enumerate(admitted):
        low, high = float(ranks[inside, axis].min()), float(ranks[inside, axis].max())
        corners = ((low, 0.0), (high, 1.0)) if axis == 0 else ((0.0, low), (1.0, high))
        (left, bottom), (right, top) = (position(np.array(corner)) for corner in corners)
        parts.append(
            f'<rect class="band" x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{bottom - top:.1f}"/>'
        )
    both = np.logical_and(*admitted)
    for row, point in enumerate(ranks):
        parts.append(dot(*position(point), "after" if both[row] else "before"))
    x, y = position(ranks[record])
    parts.append(f'<circle class="ring" cx="{x:.1f}" cy="{y:.1f}" r="7"/>')
    words = (
        f"The 100 rows of a release by rank swapping with a window of 15 %. For one person, the income leaves "
        f"{int(admitted[0].sum())} rows possible, the spending {int(admitted[1].sum())}, and both together "
        f"{int(both.sum())}, one of which, ringed, is the person's."
    )
    return Picture(svg(330, 320, parts, words), words)


@drawn
def groups() -> Picture:
    """The groups of MDAV among a hundred people."""
    data = people(100)
    names = ("income", "spending")
    before = data.matrix(names)
    after = protect(data, "mdav:group_size=5", names, seed=SEED).masked.matrix(names)
    low, high = before.min(axis=0), before.max(axis=0)

    def position(point: NDArray[np.float64]) -> tuple[float, float]:
        x, y = (point - low) / (high - low)
        return MARGIN + float(x) * 380, 270 - float(y) * 230

    parts = [f'<path class="frame" d="M{MARGIN - 8} 34V278H{MARGIN + 388}"/>']
    parts += [text(MARGIN - 8, 24, "spending", "start"), text(MARGIN + 190, 298, "income", "axis")]
    for old, new in zip(before, after, strict=True):
        parts += [line(*position(old), *position(new), "move"), dot(*position(old), "before")]
    parts += [dot(*position(mean), "after") for mean in np.unique(after, axis=0)]
    deviations = before - before.mean(axis=0)
    lost = (((before - after) ** 2).sum(axis=0) / (deviations**2).sum(axis=0)).mean()
    means = len(np.unique(after, axis=0))
    words = (
        f"Groups of five by MDAV: each of 100 people (grey) is published as one of {means} group means (coloured). The "
        f"groups are small where people are dense and wide in the tail; {lost:.2%} of the variance is lost."
    )
    return Picture(svg(450, 306, parts, words), words)


@drawn
def swapped_correlation() -> Picture:
    """The correlation after rank swapping, and what the window predicts."""
    rng = np.random.default_rng(SEED)
    x = rng.normal(size=1000)
    frame = polars.DataFrame({"x": x, "y": 0.9 * x + 0.19**0.5 * rng.normal(size=1000)})
    start = rank_correlation(frame)
    windows = (0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3)
    measured = [
        (window, rank_correlation(protect(frame, f"rank-swapping:window={window}", seed=SEED).masked.to_frame()))
        for window in windows
    ]
    predicted = [(window, start * (1 - 2 * window**2) ** 2) for window in windows]
    title = "Rank correlation of two attributes after both were swapped, by the window"
    words = "; ".join(
        f"{window:g}: {value:.3f}, predicted {expected:.3f}"
        for (window, value), (_, expected) in zip(measured, predicted, strict=True)
    )
    lines = {"predicted": predicted, "measured": measured}
    return line_chart(f"{title} ({start:.3f} before)", ("window", "correlation"), lines, f"{words}.")


def rank_correlation(frame: polars.DataFrame) -> float:
    """The correlation of the ranks of two columns."""
    ranks = np.array([frame[name].rank().to_numpy() for name in ("x", "y")])
    return float(np.corrcoef(ranks)[0, 1])


@drawn
def membership_curves() -> Picture:
    """The membership of points between two centres in the first one, for four values of fuzziness."""
    points = np.linspace(0.02, 0.98, 49)[:, None]
    centres = np.array([[0.0], [1.0]])
    lines = {}
    for fuzziness in (1.1, 1.5, 2.0, 4.0):
        degrees = memberships(points, centres, fuzziness)[:, 0]
        lines[f"m = {fuzziness:g}"] = list(zip(points[:, 0].tolist(), degrees.tolist(), strict=True))
    words = "; ".join(
        f"{label}: " + ", ".join(f"{dict(points)[at]:.3f}" for at in sorted(dict(points))[10:21:5])
        for label, points in lines.items()
    )
    title = "Membership in the first of two centres, at 0 and 1, of points between them"
    return line_chart(title, ("position of the point", "membership"), lines, f"At 0.22, 0.32 and 0.42: {words}.")


@drawn
def advantage() -> Picture:
    """The share of true answers of randomised response, and the largest advantage of an intruder."""
    answer = Attribute("answer", Kind.UNORDERED, categories=("no", "yes"))
    budgets = np.linspace(0.05, 5, 34)
    kept = [float(RandomisedResponse(epsilon=float(each)).matrix(answer)[0, 0]) for each in budgets]
    gained = [2 * probability - 1 for probability in kept]
    lines = {
        "true answers": list(zip(budgets.tolist(), kept, strict=True)),
        "advantage": list(zip(budgets.tolist(), gained, strict=True)),
    }
    title = (
        "Randomised response with two answers: share of true answers, and the largest advantage of an intruder, by ε"
    )
    words = "; ".join(
        f"ε = {epsilon:g}: {probability:.3f} and {2 * probability - 1:.3f}"
        for epsilon, probability in (
            (each, float(RandomisedResponse(epsilon=each).matrix(answer)[0, 0])) for each in (0.1, 1.0, 2.0, 4.0)
        )
    )
    return line_chart(title, ("ε", "share"), lines, f"{words}.")
