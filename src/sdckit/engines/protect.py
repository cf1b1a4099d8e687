"""Protect: mask a file that does not fit into memory, by the plan of its recipe."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import sdckit
from sdckit.draws import Draws, Secret
from sdckit.edit_feasibility import require_consistent_edits
from sdckit.engines.choose import Choice
from sdckit.engines.declare import declare
from sdckit.engines.engine import Engine
from sdckit.engines.header import Header
from sdckit.engines.ingest import ingest
from sdckit.engines.kept_parts import kept_parts
from sdckit.engines.missing_codes import with_missing_codes
from sdckit.engines.output import write_csv, write_duckdb, write_parquet, write_parquet_parts, write_postgres
from sdckit.engines.part_size import part_size
from sdckit.engines.parts import WorkingFile
from sdckit.engines.plan import Plan, Way, plan
from sdckit.engines.source import DATABASES, TABLES, Source, source_of
from sdckit.engines.start import start
from sdckit.engines.steps import Work
from sdckit.engines.working_folder import fingerprint, identity, working_folder
from sdckit.errors import FileError, SchemaError
from sdckit.files.atomic import default_permissions, replacing
from sdckit.files.formats import format_of, postgres
from sdckit.files.lossless import refuse_lossy_format
from sdckit.files.postgres_identity import refuse_tables_read
from sdckit.files.postgres_target import refuse_columns
from sdckit.microdata import Role
from sdckit.progress import NoProgress, Progress
from sdckit.recipe import Recipe
from sdckit.schema import Schema
from sdckit.undeclared import refuse_undeclared

ORIGINAL = "original"


@dataclass(frozen=True, eq=False)
class EngineRelease:
    """A file that was masked part by part: what it was, what it is, and how each step was done.

    `original` and `masked` are in parts in the working folder, which exists until the run ends; `stages` are the files
    after each step with its title and what it masked.
    """

    original: WorkingFile
    masked: WorkingFile
    recipe: Recipe
    plan: Plan
    secret: Secret
    resumed: bool
    notes: tuple[str, ...] = ()
    formula_cells: int = 0
    stages: tuple[tuple[str, WorkingFile, tuple[str, ...]], ...] = ()
    discarded: bool = False


@dataclass(frozen=True)
class Prepared:
    """A source with its header, the resolved recipe and the plan: all that can be refused is refused by now."""

    source: Source
    header: Header
    recipe: Recipe
    plan: Plan
    part_records: int

    @property
    def parts(self) -> int:
        """The number of parts."""
        return -(-self.header.records // self.part_records)

    @property
    def disk(self) -> int:
        """The bytes of disk that the parts take, roughly."""
        kept = [each for each in self.header.attributes if each.role is not Role.IDENTIFIER]
        row = sum(4 if each.coded else 8 for each in kept)
        masked = sum(len(step.step.attributes) for step in self.plan.steps)
        sorts = 32 if any(step.way is Way.RANKS for step in self.plan.steps) else 0
        return self.header.records * (2 * row + 8 * masked + sorts)


def prepare(
    path: Path,
    schema: Schema | None,
    recipe: Recipe,
    choice: Choice,
    *,
    attributes: Sequence[str] = (),
    allow_undeclared: bool = False,
    part_records: int | None = None,
) -> Prepared:
    """Read the header of a file and plan its masking; nothing is masked yet."""
    source = source_of(path, schema or Schema())
    header = declare(source)
    require_consistent_edits(header)
    resolved = Recipe.of(recipe, tuple(attributes)).resolve(header)
    if not allow_undeclared:
        refuse_undeclared(header, resolved)
    if all(each.role is Role.IDENTIFIER for each in header.attributes):
        raise SchemaError("nothing but identifiers is in the file; a release would be empty")
    size = part_records or part_size(len(header.attributes), choice.memory)
    return Prepared(source, header, resolved, plan(resolved, header, choice.memory), size)


def protect(
    prepared: Prepared,
    target: Path,
    choice: Choice,
    *,
    seed: int | None = None,
    force: bool = False,
    escape_formulas: bool = False,
    progress: Progress = NoProgress(),
    before_release: Callable[[EngineRelease, Engine, Path], None] | None = None,
) -> EngineRelease:
    """Mask a file and write it; the same values as from memory, wherever the plan says exact.

    A run that is interrupted leaves its parts beside the target, and the same run goes on from there.
    """
    source, header, recipe = prepared.source, prepared.header, prepared.recipe
    refuse_other_format(target, header)
    run = {
        "version": sdckit.__version__,
        "source": identity(source.path),
        "content": _content(header),
        "recipe": fingerprint(recipe.to_toml()),
        "schema": fingerprint(source.schema.to_toml()),
        "part_records": prepared.part_records,
        "plan": [[step.way.value, step.cell_records] for step in prepared.plan.steps],
    }
    memory = None if choice.memory_is_set else choice.memory
    with working_folder(target, run, seed, memory) as folder, kept_parts(folder.path, prepared.disk):
        engine = start(choice, folder.path)
        try:
            progress.begin(prepared.plan.pieces(prepared.parts))
            original = ingest(source, header, folder.path, prepared.part_records, engine, progress, ORIGINAL)
            if target.suffix.lower() in TABLES:
                original = with_missing_codes(original, source, engine, ORIGINAL)
            work = Work(engine, Draws.of(folder.secret), folder.path / "scratch", progress)
            masked, stages = original, []
            for planned in prepared.plan.steps:
                masked = work.apply(masked, planned)
                title = f"{planned.number + 1} {planned.step.masking.name}"
                stages.append((title, masked, tuple(planned.step.attributes)))
            release = EngineRelease(
                original,
                masked,
                recipe,
                prepared.plan,
                folder.secret,
                folder.resumed,
                tuple(work.notes),
                discarded=folder.discarded,
                stages=tuple(stages),
            )
            formulas = write(release, engine, target, force, escape_formulas, progress, before_release)
            return replace(release, formula_cells=formulas)
        finally:
            engine.close()


def _content(header: Header) -> str:
    """A digest of what the header has on the values: the file that names a table stays the same when that changes."""
    columns = [(each.name, str(each.categories), header.missing(each.name)) for each in header.attributes]
    return fingerprint(str(header.records), str(columns))


def write(
    release: EngineRelease,
    engine: Engine,
    target: Path,
    force: bool,
    escape_formulas: bool,
    progress: Progress,
    before_release: Callable[[EngineRelease, Engine, Path], None] | None,
) -> int:
    """Write the masked file, or a folder of parts where the name has no extension."""
    file = release.masked
    if not target.suffix:
        if target.exists():
            raise FileError(f"{target} exists already; choose another name")
        complete = file.folder / "released"
        parts = write_parquet_parts(file, engine, complete, progress)
        for left in set(complete.iterdir()) - set(parts):  # of a run that was killed while it wrote
            left.unlink()
        if before_release is not None:
            before_release(release, engine, complete)
        complete.chmod(default_permissions(0o777))
        complete.rename(target)  # all parts at once: the folder is beside the target
        return 0
    found = format_of(target.suffix)
    with (replacing if found is None else found.destination)(target, force=force) as temporary:
        if target.suffix.lower() in TABLES:
            formulas = write_csv(file, engine, temporary, target.suffix, progress, escape_formulas)
        elif target.suffix.lower() in DATABASES:
            formulas = write_duckdb(file, engine, temporary, progress)
        elif target.suffix.lower() in postgres.SUFFIXES:
            formulas = write_postgres(file, engine, temporary, progress)
        else:
            formulas = write_parquet(file, engine, temporary, progress)
        if before_release is not None:
            before_release(release, engine, temporary)
    return formulas


def refuse_other_format(target: Path, header: Header) -> None:
    """Refuse a format that cannot be written part by part, or that would lose some of the columns."""
    if target.suffix.lower() not in ("", ".parquet", *DATABASES, *postgres.SUFFIXES, *TABLES):
        raise FileError(
            f"{target}: a file beyond memory is written as .parquet, .duckdb, .postgres or .csv, or as a folder of "
            "Parquet parts (a name without extension)"
        )
    found = format_of(target.suffix)
    if found is not None:
        released = [each for each in header.attributes if each.role is not Role.IDENTIFIER]
        refuse_lossy_format(released, found)
        if target.suffix.lower() in postgres.SUFFIXES:
            refuse_columns(target, [each.name for each in released])
            refuse_tables_read(target)
