"""Determined values: a published map leaves one released value possible for each known one, however few are known.

Rounding to a base, recoding by a hierarchy and coding at a fixed limit map a value by itself. Coding at a quantile
depends on the file, but the release shows its outermost value. The maps of a chain are composed forwards; where they
leave every known value one image, the law is 0 or −∞.
"""

from collections.abc import Sequence

import numpy as np

from sdckit.candidates import Candidates
from sdckit.intruder import AttackerView
from sdckit.laws.blocks import UNKNOWN, Block, Equality, Floats, Indices
from sdckit.laws.release_law import RowClasses
from sdckit.laws.values import SAME, equal_codes
from sdckit.masking import Locality, Masking
from sdckit.microdata import Attribute
from sdckit.recipe import Recipe, Step
from sdckit.rows import Rows

NOWHERE = -2  # the code of a value that no released one can be


def determined_blocks(view: AttackerView, chain: Recipe, names: Sequence[str], rows: RowClasses) -> list[Block] | None:
    """Equalities with the only value that is possible; None where a step draws, groups records or suppresses."""
    steps = [step for step in chain.steps if step.masking.rows is Rows.KEPT]
    if not view.exact or not all(_maps_values(step.masking) for step in steps):
        return None
    image = Candidates.known(view.known, names, complete=view.everyone, original=view.original)
    for number, step in enumerate(steps):
        later = {name for other in steps[number + 1 :] for name in other.attributes}
        entering = [name for name in step.attributes if name in names]
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


def _maps_values(masking: Masking) -> bool:
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
