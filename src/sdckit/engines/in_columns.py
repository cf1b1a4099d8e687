"""Measures that need their columns in memory: the columns that a figure reads, and no others, of all records.

An attack reads what the intruder knows, and what was masked together with it. An intruder who knows every record takes
more memory than the columns; where that is not allowed, the intruder knows the records attacked and no others. Such an
intruder finds no more than one who knows everybody, so the figure is a lower bound.
"""

from dataclasses import dataclass, replace

import numpy as np

from sdckit.attribute import Role
from sdckit.engines.exactness import Exactness
from sdckit.engines.memory_limit import PROCESS
from sdckit.engines.pair import Pair
from sdckit.errors import NotMeasuredError
from sdckit.intruder import Intruder
from sdckit.measure import Finds, Measure, Need, Score
from sdckit.memory import gigabytes
from sdckit.randomness import child, generator
from sdckit.recipe import Recipe, Step
from sdckit.release import Release
from sdckit.risk.intruder.joint_attack import JointAttack

COPIES = 20  # of the columns that a measure has in memory at its peak: both files, codes, orders, distances
COPIES_OF_JOINT_ATTACK = 50  # the same of an intruder who knows every record: the law and the tree beside these
COPIES_OF_TARGETS = (
    4.5  # the same of an intruder who knows the records attacked: classes of equal rows beside both files
)
COMPILED = 230 * 2**20  # bytes of the kernels of such an attack, and of the lists of its targets
EXPOSED = (Role.CONFIDENTIAL, Role.OTHER, Role.IDENTIFIER)  # roles of what no intruder is assumed to know


@dataclass(frozen=True)
class Columns:
    """The columns that a measure reads, the steps of the recipe that masked them, and the bytes that measuring takes.

    `targets`  the records that the intruder knows, where these are the records attacked and no others
    """

    names: tuple[str, ...]
    recipe: Recipe | None
    needed: int
    targets: int | None = None


def columns_of(measure: Measure, pair: Pair, memory: int, keys: tuple[str, ...] | None = None) -> Columns:
    """What a measure reads; an error with the cure where that does not fit into the memory allowed."""
    names, recipe = _read_by(measure, pair, keys)
    joint = isinstance(measure, JointAttack)
    values = 8 * pair.records * len(names)
    needed = PROCESS + values * (COPIES_OF_JOINT_ATTACK if joint else COPIES)
    if needed <= memory:
        return Columns(names, recipe, needed)
    if isinstance(measure, JointAttack) and measure.targets:
        needed = PROCESS + COMPILED + int(values * COPIES_OF_TARGETS)
        if needed <= memory:
            return Columns(names, recipe, needed, min(measure.targets, pair.records))
    raise NotMeasuredError(
        f"it needs {len(names)} columns in memory: about {gigabytes(needed)}, and {gigabytes(memory)} are allowed; "
        "allow more (--memory), let the intruder know fewer attributes (--attributes), or measure a sample of the "
        "records (--engine memory)"
    )


def score_in_columns(
    measure: Measure, pair: Pair, memory: int, keys: tuple[str, ...] | None = None, seed: int | None = None
) -> tuple[Score, Exactness]:
    """The score of a measure with its columns in memory, and how exact it is."""
    columns = columns_of(measure, pair, memory, keys)
    both = [
        file.in_memory([name for name in columns.names if name in file.stage_of])
        for file in (pair.original, pair.masked)
    ]
    release = Release.in_order(both[0], both[1], columns.recipe)
    known = None
    if columns.targets is not None:
        rng = child(generator(seed or 0), "sampled targets")
        known = tuple(np.sort(rng.choice(pair.records, columns.targets, replace=False)).tolist())
    score = measure.measure(release, Intruder(attributes=keys, records=known), seed=seed)
    sampled = None if score.by_record is None else int((~np.isnan(score.by_record)).sum())
    if sampled is None or sampled == pair.records:
        exactness = Exactness.BOUNDED if measure.anytime else Exactness.EXACT
        return replace(score, by_record=None), exactness
    details = {**score.details, "sampled_records": sampled, "rows": pair.records}
    if columns.targets is not None:
        details["known_records"] = columns.targets
    exactness = Exactness.SAMPLED if columns.targets is None else Exactness.BOUNDED
    return replace(score, by_record=None, details=details), exactness


def _read_by(measure: Measure, pair: Pair, keys: tuple[str, ...] | None) -> tuple[tuple[str, ...], Recipe | None]:
    header = pair.original.header
    present = [each for each in header.attributes if each.name in pair.original.stage_of]
    if measure.finds is not Finds.RECORDS and measure.reads_confidential:
        return tuple(each.name for each in present if each.role is not Role.IDENTIFIER), pair.recipe
    known = {*(keys or pair.keys()), *(each.name for each in present if each.role not in EXPOSED)}
    recipe = None
    if pair.recipe is not None and Need.RECIPE in measure.needs | measure.uses:
        recipe = _masked_together(pair.recipe, header.names(), known)
    return tuple(each.name for each in present if each.name in known), recipe


def _masked_together(recipe: Recipe, present: tuple[str, ...], known: set[str]) -> Recipe:
    """The steps that mask known columns; columns that a step masks together with a known one become known too."""
    joint = [set(step.attributes) for step in recipe.steps if not step.masking.columnwise]
    while any(each & known and not each <= known for each in joint):
        known |= set().union(*(each for each in joint if each & known))
    known &= set(present)
    steps = [Step(step.masking, tuple(name for name in step.attributes if name in known)) for step in recipe.steps]
    return Recipe(tuple(step for step in steps if step.attributes))
