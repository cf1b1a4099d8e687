"""Steps of a plan: each takes a file in parts and gives the file with the columns that it masked."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sdckit.digest import RunningDigest, row_hashes
from sdckit.draws import Draws
from sdckit.engines.bands import refuse_computed_bands
from sdckit.engines.cells import masked_in_cells
from sdckit.engines.engine import Engine, relation_of
from sdckit.engines.finished_step import FinishedStep
from sdckit.engines.kept_pieces import KeptPieces
from sdckit.engines.observed import ObservedColumn
from sdckit.engines.partitions import PartitionCost, broken_promises, lost_in_partitions, lost_to_repair
from sdckit.engines.parts import WorkingFile
from sdckit.engines.plan import PlannedStep, Way, by_column
from sdckit.engines.ranked import rank_and_put_back, scratch
from sdckit.files.atomic import replacing
from sdckit.masking import Masking
from sdckit.methods.category_masking import CategoryMasking, CategoryPlan
from sdckit.methods.suppression.local_suppression import LocalSuppression, without_suppressed
from sdckit.methods.swapping.attribute_swapping import AttributeSwapping
from sdckit.microdata import Microdata
from sdckit.progress import Progress
from sdckit.row_masking import RowMasking, RowPlan

PIECE = 1 << 20  # ranks handled at a time


@dataclass(frozen=True, eq=False)
class Work:
    """What every step needs: the engine, the draws of the release, a folder for scratch files, and an observer."""

    engine: Engine
    draws: Draws
    scratch: Path
    progress: Progress
    notes: list[str] = field(default_factory=list)

    def apply(self, file: WorkingFile, planned: PlannedStep) -> WorkingFile:
        """The file after a step."""
        step = planned.step
        stage = f"step-{planned.number + 1:02d}"
        self.progress.advance(f"step {planned.number + 1}, {step.masking.name}")
        kept = self.scratch / f"{stage}.finished"
        earlier = FinishedStep.read(kept)
        if earlier is not None:
            self.notes.extend(earlier.notes)
            return earlier.after(file)
        step.masking.applicable(file.header, step.attributes)  # an earlier step may have emptied a column
        noted = len(self.notes)
        after = self._applied(file, planned, stage)
        refuse_computed_bands(step, file, after)
        FinishedStep.of(after, step.attributes, tuple(self.notes[noted:])).write(kept)
        for path in self.scratch.glob(f"{stage}-*.bin"):
            path.unlink()
        return after

    def _applied(self, file: WorkingFile, planned: PlannedStep, stage: str) -> WorkingFile:
        step = planned.step
        digest = ordered_digest(file, step.attributes)
        draws = self.draws.of_digest(
            planned.number, step.masking.name, step.masking.parameters(), step.attributes, digest
        )
        ways: dict[Way, Callable[[WorkingFile, PlannedStep, str, Draws], WorkingFile]] = {
            Way.ROWS: self.by_rows,
            Way.RANKS: self.by_ranks,
            Way.COLUMNS: self.by_columns,
            Way.CELLS: self.by_cells,
            Way.PARTITIONS: self.by_partitions,
        }
        return ways[planned.way](file, planned, stage, draws)

    def by_rows(self, file: WorkingFile, planned: PlannedStep, stage: str, draws: Draws) -> WorkingFile:
        """Mask record by record, part by part."""
        names = planned.step.attributes
        plan = self.fitted(planned.step.masking, file, names)

        def kernel(part: int) -> dict[str, int]:
            if not file.written(stage, part):
                masked = plan.apply(file.chunk(part, names), draws.for_records(file.cut.numbers(part)))
                file.write(stage, part, {name: masked.columns[name] for name in names})
            written = file.after(stage, names).chunk(part, names)
            return {name: written.missing(name) for name in names}

        missing = self.engine.run(kernel, range(len(file.cut)), self.progress)
        attributes = [plan.tables[name][0] for name in names] if isinstance(plan, CategoryPlan) else []
        return file.after(stage, names, attributes, {name: sum(each[name] for each in missing) for name in names})

    def fitted(self, masking: Masking, file: WorkingFile, names: Sequence[str]) -> RowPlan | CategoryPlan:
        """The plan of a masking that works record by record, by summaries of its columns."""
        if isinstance(masking, RowMasking):
            observed = [ObservedColumn(file, self.engine, name) for name in names]
            return RowPlan(masking, tuple(names), tuple(map(masking.summary_of, observed)))
        assert isinstance(masking, CategoryMasking)
        tables = {
            name: masking.table_of_counts(file.header.attribute(name), category_counts(file, self.engine, name))
            for name in names
        }
        return CategoryPlan(masking, tables)

    def by_ranks(self, file: WorkingFile, planned: PlannedStep, stage: str, draws: Draws) -> WorkingFile:
        """Exchange values between ranks, one column after the other."""
        masking = planned.step.masking
        assert isinstance(masking, AttributeSwapping)
        for index, name in enumerate(planned.step.attributes):
            own = f"{stage}-{index + 1}"
            if not all(file.written(own, part) for part in range(len(file.cut))):
                rng = draws.child(name).generator()
                swap = _swapping(masking, rng)
                column = rank_and_put_back(file, self.engine, name, self.scratch, swap)
                self._write_column(file, own, name, masking, column)
            file = file.after(own, [name])
        return file

    def _write_column(
        self, file: WorkingFile, stage: str, name: str, masking: Masking, column: NDArray[np.float64]
    ) -> None:
        for part in range(len(file.cut)):
            self.progress.advance(f"{masking.name}, {name}, part {part + 1}")
            chunk = file.chunk(part, [name])
            values = column[slice(*file.cut.span(part))][:, None]
            masked = chunk.with_matrix([name], masking.published(chunk, [name], values))
            file.write(stage, part, {name: masked.columns[name]})

    def by_columns(self, file: WorkingFile, planned: PlannedStep, stage: str, draws: Draws) -> WorkingFile:
        """Mask with the columns that the method reads in memory: one by one where it masks each by itself."""
        masking, names = planned.step.masking, planned.step.attributes
        together = [(name,) for name in names] if by_column(masking) else [names]
        for index, some in enumerate(together):
            own = f"{stage}-{index + 1}"
            reads = some if by_column(masking) else planned.reads
            masked = self._masked_once(own, masking, file.in_memory(reads), some, draws.over(file.cut.records))
            for part in range(len(file.cut)):
                self.progress.advance(f"{masking.name}, part {part + 1}")
                span = slice(*file.cut.span(part))
                file.write(own, part, {name: masked.columns[name][span] for name in some})
            attributes = [masked.attribute(name) for name in some]
            file = file.after(own, some, attributes, {name: masked.missing(name) for name in some})
        return file

    def _masked_once(
        self, stage: str, masking: Masking, data: Microdata, names: Sequence[str], draws: Draws
    ) -> Microdata:
        """The masked columns; draws that no seed repeats are kept, so that a run that goes on releases the same."""
        if masking.seeded:
            return masking.protect(data, names, draws=draws)
        kept = self.scratch / f"{stage}.npz"
        if kept.exists():
            with np.load(kept) as stored:
                return data.with_columns({name: stored[f"arr_{index}"] for index, name in enumerate(names)})
        masked = masking.protect(data, names, draws=draws)
        self.scratch.mkdir(mode=0o700, parents=True, exist_ok=True)
        with replacing(kept, mode=0o600) as temporary, temporary.open("wb") as out:
            np.savez(out, *(masked.columns[name] for name in names))
        return masked

    def by_cells(self, file: WorkingFile, planned: PlannedStep, stage: str, draws: Draws) -> WorkingFile:
        """Group the records of each cell by themselves."""
        masking, names = planned.step.masking, planned.step.attributes
        self.scratch.mkdir(mode=0o700, parents=True, exist_ok=True)
        kept = KeptPieces.read(self.scratch / f"{stage}.cells")
        columns = {
            name: scratch(self.scratch / f"{stage}-{index}.bin", file.cut.records, np.float64, kept=kept.done > 0)
            for index, name in enumerate(names)
        }
        kept.arrays = tuple(columns.values())
        cells = masked_in_cells(file, self.engine, masking, names, draws, planned.cell_records, kept.done)
        for records, masked, cost in cells:
            for name in names:
                columns[name][records] = masked.columns[name]
            kept.add(kept.figures if cost is None else {"cost": str(cost)})
            self.progress.advance(f"{masking.name}, cell {kept.done}")
        kept.keep()
        if "cost" in kept.figures:
            self.notes.append(f"{masking.name} was {kept.figures['cost']}")
        for part in range(len(file.cut)):
            self.progress.advance(f"{masking.name}, part {part + 1}")
            span = slice(*file.cut.span(part))
            file.write(stage, part, {name: np.array(columns[name][span]) for name in names})
        return file.after(stage, names)

    def by_partitions(self, file: WorkingFile, planned: PlannedStep, stage: str, draws: Draws) -> WorkingFile:
        """Suppress values in each partition by itself, then count in the whole file and repair what is not kept."""
        masking, names = planned.step.masking, planned.step.attributes
        assert isinstance(masking, LocalSuppression)
        self.scratch.mkdir(mode=0o700, parents=True, exist_ok=True)
        kept = KeptPieces.read(self.scratch / f"{stage}.partitions")
        values = file.cut.records * len(names)
        flat = scratch(self.scratch / f"{stage}-lost.bin", values, np.bool_, kept=kept.done > 0)
        kept.arrays, lost = (flat,), flat.reshape(-1, len(names))
        cost = earlier = PartitionCost(**kept.figures)
        for records, own, cost in lost_in_partitions(file, self.engine, masking, names, planned.cell_records, earlier):
            lost[records] = own
            kept.add(asdict(cost))
            if cost.partitions <= len(file.cut):
                self.progress.advance(f"{masking.name}, partition {cost.partitions}")
        kept.keep()
        self.notes.append(f"{masking.name} was {cost}")
        suppressed = self._suppress(file, stage, names, lambda part: np.array(lost[slice(*file.cut.span(part))]))
        broken = broken_promises(suppressed, self.engine, masking, names)
        if not len(broken[0]):
            return suppressed
        read = [*names, *([masking.strata] if masking.strata else [])]
        repaired = self._suppress(
            suppressed,
            f"{stage}-repaired",
            names,
            lambda part: lost_to_repair([*suppressed.columns(part, read).values()], broken),
        )
        more = sum(repaired.header.missing(name) - suppressed.header.missing(name) for name in names)
        self.notes.append(f"{masking.name}: {more:,} more values went missing to keep the promise in the whole file")
        return repaired

    def _suppress(
        self, file: WorkingFile, stage: str, names: Sequence[str], lost: Callable[[int], NDArray[np.bool_]]
    ) -> WorkingFile:
        """The file without the values that are lost, part by part."""
        missing = dict.fromkeys(names, 0)
        for part in range(len(file.cut)):
            self.progress.advance(f"suppressing, part {part + 1}")
            codes = np.where(lost(part), -1, 0)
            file.write(stage, part, without_suppressed(file.chunk(part, names), names, codes).columns)
            written = file.after(stage, names).chunk(part, names)
            missing = {name: count + written.missing(name) for name, count in missing.items()}
        return file.after(stage, names, (), missing)


def _swapping(
    masking: AttributeSwapping, rng: np.random.Generator
) -> Callable[[NDArray[np.float64], NDArray[np.float64]], None]:
    def swap(values: NDArray[np.float64], after: NDArray[np.float64]) -> None:
        partners = masking.partners(len(values), rng)
        for start in range(0, len(values), PIECE):
            after[start : start + PIECE] = values[partners[start : start + PIECE]]

    return swap


def ordered_digest(file: WorkingFile, names: Sequence[str]) -> str:
    """The digest of some columns and of the order of the records, as `content_digest` gives it."""
    running = RunningDigest(file.cut.records, names)
    for part in range(len(file.cut)):
        running.add(row_hashes(file.chunk(part, names)))
    return running.hexdigest(Microdata((), {}).structure(ordered=True))


def category_counts(file: WorkingFile, engine: Engine, name: str) -> NDArray[np.int64]:
    """The number of records of each category."""
    counts = np.zeros(len(file.header.attribute(name).categories or ()), dtype=np.int64)
    sql = "SELECT c0, count(*) AS n FROM t WHERE c0 >= 0 GROUP BY c0"
    for batch in engine.query(sql, {"t": relation_of(file, [name])}):
        counts[batch.column(0).to_numpy()] = batch.column(1).to_numpy()
    return counts
