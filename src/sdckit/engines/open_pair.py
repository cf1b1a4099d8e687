"""A release in parts from two files on disk: the same checks as for two files in memory, part by part."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from sdckit.engines.bands import read_bands
from sdckit.engines.declare import declare
from sdckit.engines.digests import digests_of, masked_source
from sdckit.engines.engine import Engine
from sdckit.engines.ingest import ingest
from sdckit.engines.missing_codes import with_missing_codes
from sdckit.engines.pair import Pair
from sdckit.engines.part_size import part_size
from sdckit.engines.parts import WorkingFile
from sdckit.engines.source import Source, source_of
from sdckit.errors import SchemaError
from sdckit.files.key_file import read_key
from sdckit.files.release_files import NOT_DESCRIBED
from sdckit.progress import NoProgress, Progress
from sdckit.recipe import Recipe
from sdckit.release_table import CURE, ReleaseTable
from sdckit.row_agreement import disagreement, rows_by_agreement
from sdckit.rows import Matched, Unknown, in_order, origin_of
from sdckit.schema import Schema

ORIGINAL, MASKED = "original", "masked"  # stages
SAMPLE = 20_000  # records on which the order of the rows is shown to be no accident


def open_pair(
    original: Path,
    masked: Path,
    engine: Engine,
    folder: Path,
    memory: int,
    *,
    schema: Schema | None = None,
    recipe: Path | None = None,
    key: Path | None = None,
    rows_in_order: bool = False,
    allow_code: Iterable[str | Path] = (),
    part_records: int | None = None,
    keep_codes: bool = False,
    progress: Progress = NoProgress(),
) -> Pair:
    """The two files in parts, once it is known that row i belongs to record i.

    With `keep_codes`, the masked file has the codes of its missing values, to be written once more.
    """
    made_by = None if recipe is None else Recipe.from_toml(recipe, allow_code=allow_code)
    before, after = source_of(original, schema or Schema()), masked_source(masked, schema)
    first, second = declare(before), declare(after)
    if first.records != second.records:
        raise SchemaError(
            f"the original has {first.records:,} records and the masked file {second.records:,}: an engine measures "
            "files of the same length, in the same order; use --engine memory"
        )
    described = None if recipe is None else ReleaseTable.from_toml(recipe)
    if described is not None and digests_of(after, engine, folder, both=False).unordered != described.digest:
        raise SchemaError(
            "the masked file is not the one that the recipe describes: it was edited after masking, is another file, "
            f"or the two files are exchanged; {CURE}"
        )
    roles = {each.name: each.role for each in first.attributes}
    second = second.after(
        tuple(replace(each, role=roles[each.name]) for each in second.attributes if each.name in roles)
    )
    size = part_records or part_size(len(first.attributes) + len(second.attributes), memory)
    files: list[WorkingFile] = []
    for source, header, stage in ((before, first, ORIGINAL), (after, second, MASKED)):
        file = ingest(source, header, folder, size, engine, progress, stage)
        files.append(with_missing_codes(file, source, engine, stage) if keep_codes and stage == MASKED else file)
    if made_by is not None:
        files[1] = read_bands(files[1], files[0], made_by, engine)
    pair = Pair(files[0], files[1], made_by)
    if key is not None:
        check_key(key, before, after, engine, folder)
    elif described is None and not rows_in_order:
        origin_of(Unknown(NOT_DESCRIBED))
    elif not rows_in_order:
        sample = pair.slim(SAMPLE)
        rows = rows_by_agreement(sample.original, sample.masked, made_by)
        if isinstance(rows, Unknown):
            origin_of(rows)
    refuse_other_order(pair, engine)
    return pair


def check_key(key: Path, before: Source, after: Source, engine: Engine, folder: Path) -> None:
    """Refuse a key of other files, or one that puts the rows in another order."""
    content = read_key(key)
    content.check_files(digests_of(before, engine, folder), digests_of(after, engine, folder))
    ordered = in_order(content.original.records)
    if not isinstance(content.rows, Matched) or (content.rows.origin != ordered.origin).any():
        raise SchemaError(
            "the key shows that the rows are in another order than the records: an engine measures files in the same "
            "order; use --engine memory"
        )


def refuse_other_order(pair: Pair, engine: Engine) -> None:
    """Refuse files whose unmasked columns differ in some row."""
    names = [
        each.name
        for each in pair.original.header.attributes
        if each.name in pair.masked.stage_of and each.name in pair.original.stage_of
    ]

    def kernel(part: int) -> str | None:
        original, masked = pair.chunks(part, names)
        return disagreement(original, masked, pair.recipe, pair.original.cut.numbers(0)[: len(masked)])

    for reason in engine.run(kernel, range(len(pair.original.cut))):
        if reason is not None:
            raise SchemaError(f"the rows cannot be in order: {reason}")
