"""The figures of the handbook: each function draws one, from the code that the chapter is about.

`<!-- figure NAME: TEXT -->` in a chapter is replaced by the drawing when the docs are built. The text says in figures
what is drawn; the build ends where the code draws something else than the text says. `python -m tools.handbook_figures`
prints the texts.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import polars
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.catalogue import find
from sdckit.datasets import simulate_survey
from sdckit.evaluation.assess import assess
from sdckit.fuzzy.c_means import memberships
from sdckit.intruder import Intruder
from sdckit.methods.differential_privacy.randomised_response import RandomisedResponse
from sdckit.microdata import Attribute, Kind
from sdckit.release import protect
from sdckit.rows import Rows
from tools.method_curves import Point, stored
from tools.method_files import people
from tools.method_pictures import Picture, dot, line, svg, text

SEED = 1  # an example, which anybody may guess
SIZE, MARGIN = 300, 40


FIGURES: dict[str, Callable[[], Picture]] = {}


def drawn(draw: Callable[[], Picture]) -> Callable[[], Picture]:
    """A figure that chapters can name."""
    FIGURES[draw.__name__] = draw
    return draw


class OutdatedFigure(Exception):
    """A figure that is not drawn, or not as its text says, which ends the build."""


def curves(
    title: str, axes: tuple[str, str], lines: Mapping[str, Sequence[tuple[float, float]]], words: str, top: float = 1.0
) -> Picture:
    """Lines over one quantity, with a legend on the right."""
    width, right, bottom = 460, 350, SIZE - 60
    high = max(x for points in lines.values() for x, _ in points)
    low = min(x for points in lines.values() for x, _ in points)

    def position(x: float, y: float) -> tuple[float, float]:
        return MARGIN + (x - low) / (high - low) * (right - MARGIN), bottom - y / top * (bottom - 30)

    parts = [f'<path class="frame" d="M{MARGIN} 26V{bottom}H{right}"/>', text(MARGIN, 14, axes[1], "start")]
    parts += [text((MARGIN + right) / 2, bottom + 32, axes[0], "axis")]
    parts += [text(position(x, 0)[0], bottom + 14, f"{x:g}", "label") for x in (low, high)]
    parts += [text(MARGIN - 5, position(low, y)[1] + 4, f"{y:g}", "end") for y in (0.0, top)]
    for index, (label, points) in enumerate(lines.items()):
        path = " ".join("{:.1f},{:.1f}".format(*position(*point)) for point in points)
        parts.append(f'<polyline class="curve-{index}" points="{path}"/>')
        if label:
            height = 40 + 20 * index
            parts.append(line(right + 8, height, right + 28, height, f"curve-{index}"))
            parts.append(text(right + 34, height + 4, label, "start"))
    return Picture(svg(width, bottom + 40, parts, f"{title}. {words}"), f"{title}. {words}")


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
    return curves(title, ("number of keys", "unique"), {"": shares}, f"{words}.", top=0.7)


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
    return curves(title, ("known attributes", "linked"), lines, f"With 2, 5 and 8 attributes: {words}.")


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
    return curves(f"{title} ({start:.3f} before)", ("window", "correlation"), lines, f"{words}.")


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
    return curves(title, ("position of the point", "membership"), lines, f"At 0.22, 0.32 and 0.42: {words}.")


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
    return curves(title, ("ε", "share"), lines, f"{words}.")


@drawn
def settings_map() -> Picture:
    """Every setting of every masking that releases all records of one file: what is re-identified, and what is lost."""
    loss = "il1s"
    points = [
        (name, each)
        for name, of_masking in stored().items()
        if getattr(find("masking", name).component, "rows", None) is Rows.KEPT
        for each in of_masking
        if each.file == "firms" and {"informed", loss} <= each.figures.keys() and each.figures[loss] <= 1
    ]

    def both(each: Point) -> tuple[float, float]:
        return each.figures["informed"], each.figures[loss]

    figures = {both(each) for _, each in points}

    def dominated(one: Point) -> bool:
        risk, lost = both(one)
        return any(other[0] <= risk and other[1] <= lost and other != (risk, lost) for other in figures)

    best = sorted(
        ((name, each) for name, each in points if not dominated(each)), key=lambda pair: pair[1].figures[loss]
    )
    top = max(each.figures[loss] for _, each in points)

    def position(each: Point) -> tuple[float, float]:
        return MARGIN + each.figures["informed"] * 400, 280 - each.figures[loss] / top * 240

    parts = [f'<path class="frame" d="M{MARGIN} 34V280H{MARGIN + 404}"/>', text(MARGIN, 22, "loss", "start")]
    parts += [text(MARGIN + 200, 312, "re-identified by the informed intruder", "axis")]
    parts += [text(MARGIN + 400 * x, 294, f"{x:g}", "label") for x in (0, 0.5, 1)]
    parts += [text(MARGIN - 5, 44, f"{top:.2g}", "end"), text(MARGIN - 5, 284, "0", "end")]
    parts += [dot(*position(each), "before") for _, each in points]
    path = " ".join("{:.1f},{:.1f}".format(*position(each)) for _, each in best)
    parts.append(f'<polyline class="curve-1" points="{path}"/>')
    parts += [dot(*position(each), "after") for _, each in best]
    (safest, start), (least, end) = best[-1], best[0]
    maskings = len({name for name, _ in points})
    words = (
        f"{len(points)} settings of {maskings} maskings on a file of 200 firms, from the curves on their pages, with a "
        f"loss ({loss}) of up to 1. {len(best)} of them are on the frontier, from a risk of {both(start)[0]:.3f} and a "
        "loss of "
        f"{both(start)[1]:.3f} ({safest}) to a risk of {both(end)[0]:.3f} and a loss of {both(end)[1]:.3f} ({least})."
    )
    return Picture(svg(460, 320, parts, words), words)


def figure(name: str, words: str) -> str:
    """The drawing as HTML; an error if there is none, or if it shows something else than its text says."""
    if name not in FIGURES:
        raise OutdatedFigure(f"no function of tools/handbook_figures.py draws {name!r}")
    picture = FIGURES[name]()
    if " ".join(words.split()) != picture.text:
        raise OutdatedFigure(
            f"the figure {name} shows something else than its text; look at it. It shows:\n{picture.text}"
        )
    return picture.figure


def main() -> None:
    """Print what each figure shows."""
    for name, draw in FIGURES.items():
        print(f"<!-- figure {name}: {draw().text} -->\n")


if __name__ == "__main__":
    main()
