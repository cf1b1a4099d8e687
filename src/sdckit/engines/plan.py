"""Plan: how each step of a recipe is done where the file does not fit into memory, and whether that is exact.

A step is one of

`rows`        record by record, after summaries of its columns: part by part
`ranks`       an external sort of each column by itself, then work along the sorted values
`columns`     the columns that it reads, and no others, in memory
`cells`       groups of near records that are cut until each fits into memory, the method within each
`partitions`  the same for suppression, and a check of the whole file

The first three give the same values as the file masked in memory; the others are bounded. A step that is none of them
is refused before any work, with the cure.
"""

from dataclasses import dataclass
from enum import Enum
from math import inf

from sdckit.attribute import Level
from sdckit.bands import Bands
from sdckit.engines.header import Header
from sdckit.engines.partitions import FEWEST, bytes_per_record, in_partitions
from sdckit.errors import SdcError
from sdckit.masking import Masking
from sdckit.memory import gigabytes
from sdckit.methods.category_masking import CategoryMasking
from sdckit.methods.microaggregation.blocks import Microaggregation
from sdckit.methods.swapping.attribute_swapping import AttributeSwapping
from sdckit.recipe import Recipe, Step
from sdckit.released_bands import RecodesToBands, banded
from sdckit.row_masking import RowMasking
from sdckit.rows import Rows

QUADRATIC_UP_TO = 300_000  # records that a method is given at once whose time grows with their square
CELL = 50_000  # records of a cell of such a method
COPIES = 7  # of its columns that a method has in memory at its peak: read, masked, ranks, orders
ANY_BANDS = Bands((-inf, inf), (0.0,), ("",))  # whatever they are, no later step may compute with them
BYTES_PER_RANK = 9  # the partner of each rank, and whether it is free


class Way(Enum):
    """How a step is done."""

    ROWS = "rows"
    RANKS = "ranks"
    COLUMNS = "columns"
    CELLS = "cells"
    PARTITIONS = "partitions"


@dataclass(frozen=True)
class PlannedStep:
    """A step of a recipe, how it is done, what it reads, how many times each part is visited, and in which cells."""

    number: int
    step: Step
    way: Way
    reads: tuple[str, ...]
    passes: int
    cell_records: int = 0
    cells: int = 0

    @property
    def exact(self) -> bool:
        """Whether the values are those of the file masked in memory."""
        return self.way not in (Way.CELLS, Way.PARTITIONS)

    def __str__(self) -> str:
        how = {
            Way.ROWS: "part by part (exact)",
            Way.RANKS: "by an external sort (exact)",
            Way.COLUMNS: "its columns in memory (exact)",
            Way.CELLS: "in cells of near records (bounded: the groups differ from those of the whole file)",
            Way.PARTITIONS: "in partitions of near records (bounded: what is promised holds in the whole file; more "
            "values may go missing than from memory)",
        }
        return f"{self.step.masking.name}: {how[self.way]}"


@dataclass(frozen=True)
class Plan:
    """The steps of a recipe as an engine does them."""

    steps: tuple[PlannedStep, ...]
    memory: int

    def pieces(self, parts: int) -> int:
        """The visits of parts that the plan takes, with reading and writing."""
        cells = sum(each.cells for each in self.steps)
        return parts * (3 + sum(each.passes for each in self.steps)) + len(self.steps) + cells


def plan(recipe: Recipe, header: Header, memory: int) -> Plan:
    """How each step of a resolved recipe is done within so much memory; a step that cannot be done is refused."""
    steps = []
    for number, step in enumerate(recipe.steps):
        step.masking.applicable(header, step.attributes)
        steps.append(_planned(number, step, header, memory))
        if isinstance(step.masking, RecodesToBands):
            header = header.after(tuple(banded(header.attribute(name), ANY_BANDS) for name in step.attributes))
    return Plan(tuple(steps), memory)


def by_rows(masking: Masking) -> bool:
    """Whether a masking is fitted by summaries of single columns and then applied record by record."""
    if isinstance(masking, RowMasking):
        own = (type(masking).protect, type(masking).fit) != (RowMasking.protect, RowMasking.fit)
        return masking.columnwise and not own
    if isinstance(masking, CategoryMasking):
        return (type(masking).protect, type(masking).fit) == (CategoryMasking.protect, CategoryMasking.fit)
    return False


def by_column(masking: Masking) -> bool:
    """Whether a masking can be done for one column after the other."""
    return masking.columnwise and type(masking).protect is Masking.protect


def in_cells(step: Step, header: Header) -> bool:
    """Whether a step groups near records on numbers that are all there, so that it can be done in cells of them."""
    if not isinstance(step.masking, Microaggregation):
        return False
    return all(not header.attribute(name).coded and not header.missing(name) for name in step.attributes)


def _planned(number: int, step: Step, header: Header, memory: int) -> PlannedStep:
    masking, names = step.masking, step.attributes
    reads = tuple(dict.fromkeys((*names, *masking.also_reads(header, names))))
    if masking.rows is not Rows.KEPT or masking.adds:
        raise SdcError(
            f"step {number + 1}, {masking.name}, changes which records or columns there are, and no engine does that "
            "yet; draw the sample before (SQL, or --engine memory), or leave the step out"
        )
    if masking.acts_on is not Level.RECORD:
        raise SdcError(
            f"step {number + 1}, {masking.name}, masks a {masking.acts_on.value} as a whole, and no engine does that "
            "yet; use --engine memory"
        )
    if by_rows(masking):
        return PlannedStep(number, step, Way.ROWS, reads, 1)
    if isinstance(masking, AttributeSwapping) and BYTES_PER_RANK * header.records <= memory:
        return PlannedStep(number, step, Way.RANKS, reads, len(names))
    together = max(len(reads), 1)
    needed = COPIES * 8 * header.records * (1 if by_column(masking) else len(reads))
    quadratic = getattr(masking, "quadratic", False) and header.records > QUADRATIC_UP_TO
    if (quadratic or needed > memory) and in_cells(step, header):
        fitting = memory // (2 * COPIES * 8 * together)
        records = min(CELL, fitting) if quadratic else fitting
        return PlannedStep(number, step, Way.CELLS, reads, 1, records, -(-header.records // records))
    if in_partitions(step):
        each = bytes_per_record(masking, names) + COPIES * 8 * together
        needed = each * header.records
        if needed > memory:
            return PlannedStep(number, step, Way.PARTITIONS, reads, 2, max(memory // (4 * each), FEWEST))
    if needed <= memory:
        return PlannedStep(number, step, Way.COLUMNS, reads, len(names) if by_column(masking) else 1)
    raise SdcError(
        f"step {number + 1}, {masking.name}, needs its columns in memory: about {gigabytes(needed)}, and "
        f"{gigabytes(memory)} are allowed; allow more (--memory), mask fewer columns in one step, or use a method "
        "that works part by part or by a sort (recoding, rounding, noise, PRAM, rank swapping)"
    )
