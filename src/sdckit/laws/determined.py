"""Determined values: a published map leaves one released value possible for each known one, however few are known.

Rounding to a base, recoding by a hierarchy and coding at a fixed limit map a value by itself. Coding at a quantile
depends on the file, but the release shows its outermost value. The maps of a chain are composed forwards; where they
leave every known value one image, the law is 0 or −∞.
"""

from collections.abc import Sequence

import numpy as np

from sdckit.candidates import Candidates
from sdckit.intruder import AttackerView
from sdckit.laws.blocks import UNKNOWN, Block, Deviations, Equality, Floats, Indices
from sdckit.laws.normal_blocks import interval_table, known_error
from sdckit.laws.release_law import RowClasses
from sdckit.laws.values import SAME, equal_codes
from sdckit.masking import Locality, Masking
from sdckit.microdata import Attribute
from sdckit.recipe import Recipe, Step
from sdckit.rows import Rows

TRIALS = 1_000  # values by which a map is seen to be increasing
BISECTIONS = 60  # by which the least value that is mapped to another is found
NARROWEST = 1e-3  # of the error: the set of originals of a value that is released unchanged
NOWHERE = -2  # the code of a value that no released one can be


def determined_blocks(view: AttackerView, chain: Recipe, names: Sequence[str], rows: RowClasses) -> list[Block] | None:
    """Equalities with the only value that is possible; None where a step draws, groups records or suppresses."""
    steps = [step for step in chain.steps if step.masking.rows is Rows.KEPT]
    if not (view.exact or view.error) or not all(maps_values(step.masking) for step in steps):
        return None
    inexact = [name for name in names if known_error(view, name) > 0]
    near = [near_preimage(view, steps, name, rows) for name in inexact]
    names = [name for name in names if name not in inexact]
    # Counts of a file that was sampled before a step are not known, even where the whole original is.
    sampled_first = any(step.masking.rows is not Rows.KEPT for step in chain.steps[: _last_kept(chain)])
    equal = _equalities(view, steps, names, rows, complete=view.everyone and view.exact and not sampled_first)
    if equal is None or any(block is None for block in near):
        return None
    return [*equal, *(block for block in near if block is not None)]


def _last_kept(chain: Recipe) -> int:
    """The number of the last step that leaves out no record; 0 where there is none."""
    return max((number for number, step in enumerate(chain.steps) if step.masking.rows is Rows.KEPT), default=0)


def _equalities(
    view: AttackerView, steps: Sequence[Step], names: Sequence[str], rows: RowClasses, *, complete: bool
) -> list[Block] | None:
    """Equalities with the only value that is possible; None where several are.

    `complete` says that the known records are all that the steps got.
    """
    image = Candidates.known(view.known, names, complete=complete, original=view.original)
    for number, step in enumerate(steps):
        later = {name for other in steps[number + 1 :] for name in other.attributes}
        entering = [name for name in step.attributes if name in names]
        if not entering:
            continue
        mapped = _mapped(view, step, image.entering(entering), hidden=bool(later & set(step.attributes)))
        if mapped is None:
            return None
        image = image.after(entering, mapped)
    blocks: list[Block] = []
    for name in names:
        codes = _codes(view, name, image)
        if codes is None:
            return None
        of_record, of_row = codes
        blocks.append(Equality((name,), of_record, of_row[rows.first], np.full(len(rows.sizes), -np.inf)))
    return blocks


def near_preimage(view: AttackerView, steps: Sequence[Step], name: str, rows: RowClasses) -> Block | None:
    """The law of a number known with an error: the original value is one that the map takes to the row.

    None where the map is not increasing, or leaves several values possible.
    """
    known, error = view.known.columns[name], known_error(view, name)
    ends = preimages(view, steps, name, rows, known[~np.isnan(known)], error)
    if ends is None:
        return None
    lower, upper = ends
    table = interval_table(name, known, np.full(len(known), error), lower, upper)
    if table is None and not (upper - lower >= 2 * error).any():
        return Deviations((name,), (known / error)[:, None], ((lower + upper) / 2 / error)[:, None])
    return table


def preimages(
    view: AttackerView, steps: Sequence[Step], name: str, rows: RowClasses, entering: Floats, error: float
) -> tuple[Floats, Floats] | None:
    """The interval of values that an increasing map takes to each row, where they lie about those `entering`.

    None where the map is not increasing or leaves several values possible. A hole has no interval. An interval is not
    narrower than a little of the standard deviation of the error.
    """
    released = view.released.columns[name]
    present = np.unique(released[~np.isnan(released)])
    reach = 10 * error + np.ptp(np.concatenate([entering, present]))
    lowest, highest = present.min(initial=0.0) - reach, present.max(initial=0.0) + reach
    trial = mapped_values(view, steps, name, np.linspace(lowest, highest, TRIALS))
    if trial is None or (np.diff(trial) < 0).any():
        return None
    edges = []
    for strictly in (False, True):
        low, high = np.full(len(present), lowest), np.full(len(present), highest)
        for _ in range(BISECTIONS):
            middle = (low + high) / 2
            of_middle = mapped_values(view, steps, name, middle)
            if of_middle is None:
                return None
            slack = SAME * np.abs(present)
            above = of_middle > present + slack if strictly else of_middle >= present - slack
            low, high = np.where(above, low, middle), np.where(above, middle, high)
        edges.append(high)
    centre, half = (edges[0] + edges[1]) / 2, np.maximum((edges[1] - edges[0]) / 2, NARROWEST * error)
    lower = np.where(edges[0] <= lowest + SAME * reach, -np.inf, centre - half)
    upper = np.where(edges[1] >= highest - SAME * reach, np.inf, centre + half)
    of_row = np.minimum(np.searchsorted(present, released[rows.first]), max(len(present) - 1, 0))
    hole = np.isnan(released[rows.first])
    if not len(present):
        return np.full(len(hole), np.nan), np.full(len(hole), np.nan)
    return np.where(hole, np.nan, lower[of_row]), np.where(hole, np.nan, upper[of_row])


def mapped_values(
    view: AttackerView, steps: Sequence[Step], name: str, values: Floats, *, later: bool = False
) -> Floats | None:
    """What steps make of values of a number; None where they leave several values possible.

    `later` says that the release has not their result, but what later steps made of it.
    """
    possible = Candidates(len(values), {name: values}, {name: values})
    for number, step in enumerate(steps):
        if name not in step.attributes:
            continue
        hidden = later or any(name in other.attributes for other in steps[number + 1 :])
        mapped = _mapped(view, step, possible.entering([name]), hidden=hidden)
        if mapped is None:
            return None
        possible = possible.after([name], mapped)
    low, high = possible.lower[name], possible.upper[name]
    return low if np.allclose(low, high, rtol=SAME, atol=0) else None


def maps_values(masking: Masking) -> bool:
    """Whether a masking may map each value by itself; what it leaves possible shows whether it does."""
    return masking.locality is Locality.ROW and not masking.draws_values and not masking.suppresses


def _mapped(view: AttackerView, step: Step, entering: Candidates, *, hidden: bool) -> Candidates | None:
    """What a step makes of the values that enter it, published; None where it says nothing."""
    released = view.released.only([name for name in step.attributes if name in view.released])
    declared = {each.name: each for each in released.attributes}
    mapped = step.masking.image(entering, declared) if hidden else step.masking.candidates(entering, released)
    if mapped is None or not mapped.certain:
        return None
    lower, upper = (
        {name: _published(step.masking, declared[name], ends) for name, ends in side.items()}
        for side in (mapped.lower, mapped.upper)
    )
    return Candidates(mapped.records, lower, upper, mapped.allowed)


def _published(masking: Masking, attribute: Attribute, values: Floats) -> Floats:
    """The values rounded to the declared decimals; the position of a category is one that there is."""
    if attribute.categories is not None:
        return np.clip(np.rint(values), 0, len(attribute.categories) - 1)
    decimals = masking.decimals(attribute)
    return values if decimals is None else np.round(values, decimals)


def _codes(view: AttackerView, name: str, image: Candidates) -> tuple[Indices, Indices] | None:
    """Equal codes of each record and the rows that it can have; None where some record has several values open."""
    seen = ~view.known.absent(name)
    if name in image.allowed:
        allowed = image.allowed[name]
        if (allowed[seen].sum(axis=1) > 1).any():
            return None
        of_record = np.where(allowed.any(axis=1), allowed.argmax(axis=1), NOWHERE)
        of_row = view.released.columns[name].astype(np.int64)
    elif name in image.lower:
        low, high = image.lower[name], image.upper[name]
        ends = np.stack([low[seen], high[seen]])
        if not np.isfinite(ends).all() or (ends[1] - ends[0] > SAME * np.abs(ends).max(axis=0)).any():
            return None
        of_record, of_row = equal_codes(np.where(seen, low, np.nan), view.released.matrix([name])[:, 0])
    else:
        return None
    return np.where(seen, of_record, UNKNOWN).astype(np.int64), of_row
