"""Publish: a folder with a release beyond memory that meets its policy; nothing in it is private."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import tomli_w

from sdckit.engines.digests import digests_of, masked_source
from sdckit.engines.engine import Engine
from sdckit.engines.missing_codes import codes_to_write
from sdckit.engines.output import occurring_columns, write_csv, write_parquet
from sdckit.engines.pair import Pair
from sdckit.engines.parts import WorkingFile
from sdckit.engines.shuffle import shuffled
from sdckit.engines.source import TABLES
from sdckit.errors import FileError, ParameterError, SchemaError, SdcError
from sdckit.evaluation.gate import Verdict
from sdckit.evaluation.publish import (
    CHECKSUMS,
    checksums,
    new_folder,
    published_rules,
    published_steps,
    statement,
    write_text,
)
from sdckit.household_numbers import new_numbers
from sdckit.key import FileDigest
from sdckit.microdata import Attribute, Microdata, Role
from sdckit.occurring_values import only_occurring
from sdckit.privacy import privacy_budget
from sdckit.progress import NoProgress, Progress
from sdckit.recipe import Recipe
from sdckit.release import aligned
from sdckit.release_table import ReleaseTable
from sdckit.rows import Matched, Sampled, correspondence
from sdckit.schema import Schema
from sdckit.undeclared import refuse_undeclared

RENUMBERED = "renumbered"  # the stage of the parts
WriteKey = Callable[[FileDigest, Matched | Sampled], object]


def refuse_unpublishable(pair: Pair, *, guessable_seed: bool, allow_undeclared: bool = False) -> Recipe:
    """Refuse a release with identifiers or columns of its own, or with draws that can be guessed; its recipe."""
    original, masked = pair.original.header, pair.masked.header
    still = [name for name in original.names(role=Role.IDENTIFIER) if name in masked]
    if still:
        raise SchemaError(f"the masked file still has the identifier {still[0]!r}; drop it (`sdckit protect` does)")
    strange = [each.name for each in masked.attributes if each.name not in original]
    if strange:
        raise SchemaError(
            f"the masked file has a column {strange[0]!r} that the original lacks, so no measure examined it; drop it"
        )
    if guessable_seed:
        raise ParameterError(
            "the draws of this release came from a short seed, which can be guessed: the masking can be undone; mask "
            "the file again without --seed"
        )
    if pair.recipe is None:
        raise ParameterError("a release is published with its recipe; give the recipe that the file was masked by")
    if not allow_undeclared:
        refuse_undeclared(
            original.without([each.name for each in original.attributes if each.name not in masked]), pair.recipe
        )
    return pair.recipe


def publish(
    pair: Pair,
    engine: Engine,
    verdict: Verdict,
    folder: Path,
    *,
    data_format: str,
    shuffle_rows: bool = True,
    guessable_seed: bool = False,
    allow_undeclared: bool = False,
    more: Mapping[str, Callable[[Path], object]] | None = None,
    write_key: WriteKey | None = None,
    progress: Progress = NoProgress(),
) -> None:
    """Publish a release that meets its policy: the data, its schema and recipe, a statement and checksums.

    `more` are further files by name, such as the public report, each with a function that writes it.
    """
    recipe = refuse_unpublishable(pair, guessable_seed=guessable_seed, allow_undeclared=allow_undeclared)
    if not verdict.met:
        raise SdcError("the policy is not met, so nothing is published")
    suffix = f".{data_format.lstrip('.')}"
    if suffix not in (".parquet", *TABLES):
        raise FileError(f"a file beyond memory is published as .parquet or .csv, not as {suffix}; name one (--format)")
    file, origin = pair.masked, np.arange(pair.records)
    if shuffle_rows:
        file, origin = shuffled(file, engine, np.random.default_rng())
    file = _renumbered(file)
    name = f"data{suffix}"
    with new_folder(folder) as temporary:
        if suffix in TABLES:
            write_csv(file, engine, temporary / name, suffix, progress, False)
        else:
            write_parquet(file, engine, temporary / name, progress)
        attributes = _as_declared(file, pair, engine, progress)
        data = Microdata(attributes, {each.name: np.empty(0) for each in attributes}, form=file.header.form)
        schema = _with_codes(Schema.of(data), file, engine)
        digests = digests_of(masked_source(temporary / name, schema), engine, pair.masked.folder / "digests")
        table = ReleaseTable(digests.unordered, digests.records)
        steps = published_steps(recipe, data)
        write_text(temporary / "schema.toml", schema.to_toml())
        write_text(temporary / "recipe.toml", tomli_w.dumps({"release": table.to_dict(), "steps": steps}))
        for title, writer in (more or {}).items():
            writer(temporary / title)
        budget = privacy_budget(recipe, pair.original.header, pair.masked.header)
        columns = [each.name for each in attributes]
        content = statement(columns, budget, table, steps, published_rules(verdict, data), name, shuffle_rows)
        write_text(temporary / "statement.json", json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False))
        write_text(temporary / CHECKSUMS, checksums(temporary))
        if write_key is not None:
            write_key(digests, correspondence(origin, pair.records))


def _as_declared(file: WorkingFile, pair: Pair, engine: Engine, progress: Progress) -> tuple[Attribute, ...]:
    """The released attributes with the meaning that they have in the original, and the values that occur."""
    columns = occurring_columns(file, engine, progress)
    return tuple(only_occurring(aligned(each, pair.original.header)).attributes[0] for each in columns)


def _with_codes(schema: Schema, file: WorkingFile, engine: Engine) -> Schema:
    """The schema with the codes of missing values that are written."""
    codes: dict[str, dict[Any, None]] = {name: {} for name in file.codes}
    for part in codes_to_write(file, engine):
        for name, rows_of in part.items():
            codes[name] |= dict.fromkeys(rows_of)
    written = {
        name: replace(schema.attributes[name], missing=tuple(code for code in file.codes[name] if code in found))
        for name, found in codes.items()
        if found
    }
    return replace(schema, attributes={**schema.attributes, **written})


def _renumbered(file: WorkingFile) -> WorkingFile:
    """The file with its households numbered anew in the order of its rows."""
    names = file.header.names(role=Role.HOUSEHOLD)
    found = {name: new_numbers(file.header.attribute(name), file.column(name)) for name in names}
    for part in range(len(file.cut) if names else 0):
        first, end = file.cut.span(part)
        file.write(RENUMBERED, part, {name: column[first:end] for name, (column, _) in found.items()})
    return file.after(RENUMBERED, names, [attribute for _, attribute in found.values()]) if names else file
