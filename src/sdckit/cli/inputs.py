"""From arguments to values: column names, recipes, schemas, a release from two files, where to write."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sdckit.errors import FileError, ParameterError, SdcError, UnknownNameError, near_miss

if TYPE_CHECKING:
    from sdckit.cli.terminal import Terminal
    from sdckit.external import External
    from sdckit.measure import Measure
    from sdckit.microdata import Microdata
    from sdckit.recipe import Recipe
    from sdckit.release import Release
    from sdckit.schema import Schema


def column_names(typed: Sequence[str], columns: Sequence[str]) -> tuple[str, ...]:
    """Column names separated by commas; a name that contains a comma is recognised where the file has it.

    >>> column_names(["age,income, net", "region"], ["age", "income, net", "region"])
    ('age', 'income, net', 'region')
    """
    names: list[str] = []
    for text in typed:
        pieces = text.split(",")
        while pieces:
            longest = next((n for n in range(len(pieces), 0, -1) if _joined(pieces[:n]) in columns), 1)
            name = _joined(pieces[:longest])
            if name not in columns:
                raise UnknownNameError("column", name, columns)
            names.append(name)
            pieces = pieces[longest:]
    return tuple(names)


def _joined(pieces: Sequence[str]) -> str:
    return ",".join(pieces).strip()


def schema_of(path: Path | None) -> "Schema | None":
    """The schema in a TOML file or a DDI-Codebook; an empty one is refused, as identifiers would be released."""
    from sdckit.files import read_schema
    from sdckit.schema import read_toml

    if path is None:
        return None
    declared, tables = read_schema(path), ("attributes", "edits")
    if not declared.attributes and not tuple(declared.edits):
        hint = near_miss(next(iter(read_toml(path)), ""), tables)
        raise FileError(f"{path} declares no column; write [attributes.NAME] with kind and role{hint}")
    return declared


def recipe_of(
    path: Path | None,
    methods: Sequence[str],
    attributes: Sequence[str],
    allow_code: Sequence[Path] | None = None,
    level: str | None = None,
) -> "Recipe":
    """The recipe in a TOML file, or the chain of methods named, on a level where one is given."""
    from sdckit.recipe import Recipe

    if path is not None and methods:
        raise ParameterError("both --recipe and --method are given; put the method into the recipe, or leave one out")
    if path is not None and level is not None:
        raise ParameterError('--level is for methods named by --method; write level = "household" into the recipe')
    if path is not None:
        return Recipe.of(Recipe.from_toml(path, allow_code=allow_code or ()), attributes)
    if not methods:
        raise ParameterError("no method is named; give --method NAME or --recipe FILE (see `sdckit list masking`)")
    named = Recipe.of(list(methods), attributes)
    return named if level is None else named.at_level(level)


def measures_of(typed: Sequence[str]) -> "list[Measure] | None":
    """The measures named, as `name` or `name:parameter=value`; None where none is."""
    from sdckit.catalogue import entries, find
    from sdckit.component_table import build_from_table
    from sdckit.component_text import parsed
    from sdckit.measure import Measure
    from sdckit.user_function import TYPED_BY_USER

    built: list[Measure] = []
    for text in typed:
        written = parsed(text)
        known = [entry.name for kind in ("risk", "loss") for entry in entries(kind)]
        if written.name not in known:
            raise UnknownNameError("risk or loss", written.name, known)
        built.append(build_from_table(find(None, written.name), written.values, allowed=TYPED_BY_USER))
    return built or None


def mistakes_in(read: Callable[[], object]) -> list[str]:
    """The message of the mistake in something typed, which is read by a function; none where it can be used."""
    try:
        read()
    except SdcError as problem:
        return [str(problem)]
    return []


@dataclass(frozen=True)
class RowOptions:
    """The options that say how the rows of the masked file correspond to the records of the original.

    `sheet` is the sheet of the original, where it is a workbook.
    """

    key: Path | None = None
    match_on: str | None = None
    rows_in_order: bool = False
    sheet: str | None = None


def sheet_option(sheet: str | None) -> dict[str, Any]:
    """The option of reading a workbook, where a sheet is named."""
    return {} if sheet is None else {"sheet": sheet}


def release_of(
    original: Path,
    masked: Path,
    schema: Path | None,
    recipe: Path | None,
    rows: RowOptions = RowOptions(),
    allow_code: Sequence[Path] | None = None,
    control: Path | None = None,
) -> "Release":
    """The release of two files; the masked one need not have every column that the schema declares."""
    from sdckit.files.release_files import read_release, read_released

    declared = schema_of(schema)
    release = read_release(
        original,
        masked,
        schema=declared,
        recipe=recipe,
        key=rows.key,
        match_on=rows.match_on,
        rows_in_order=rows.rows_in_order,
        allow_code=allow_code or (),
        **sheet_option(rows.sheet),
    )
    return release if control is None else replace(release, control=read_released(control, declared))


def say_map_warnings(terminal: "Terminal", mapped: Path | None, file: "External | None", original: "Microdata") -> None:
    """Warn of categories in the map of an intruder's file that lead nowhere, as those with a typing error do."""
    if mapped is not None and file is not None:
        from sdckit.intruder_map import IntruderMap

        for warning in IntruderMap.from_toml(mapped).warnings(file, original):
            terminal.warn(warning)


def external_of(file: Path | None, mapped: Path | None) -> "External | None":
    """The intruder's own file under its map, where one is given."""
    if file is None and mapped is None:
        return None
    if file is None:
        raise ParameterError("--intruder-map describes the intruder's file: give it with --intruder-file FILE")
    if mapped is None:
        raise ParameterError(
            "--intruder-file needs --intruder-map MAP.toml, which names the column that identifies the people"
        )
    from sdckit.files import read
    from sdckit.intruder_map import IntruderMap

    columns = IntruderMap.from_toml(mapped)
    return columns.external(read(file, mixtures=True))


def refuse_unknown_rows(release: "Release") -> None:
    """Stop where it is not known which row belongs to which record: a risk would be far too low."""
    from sdckit.rows import Unknown, origin_of

    if isinstance(release.rows, Unknown):
        origin_of(release.rows)


def refuse_to_overwrite(path: Path, force: bool, made: Path | None = None) -> None:
    """Refuse a path that cannot be written before long work, not after it; the folder `made` will exist by then."""
    from sdckit.files.atomic import refuse_unwritable

    refuse_unwritable(path, force=force, made=made)


def write_text(path: Path, text: str, *, force: bool = False, private: bool = False) -> None:
    """Write a text file, whole or not at all; a private one can be read by its owner alone."""
    from sdckit.files.atomic import OWNER_ONLY, replacing

    with replacing(path, force=force, mode=OWNER_ONLY if private else None) as temporary:
        temporary.write_text(text, encoding="utf-8")
