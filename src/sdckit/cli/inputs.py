"""From what was typed to what is meant: column names, recipes, schemas, a release from two files, where to write."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sdckit.errors import FileError, ParameterError, UnknownNameError, near_miss

if TYPE_CHECKING:
    from sdckit.measure import Measure
    from sdckit.microdata import Microdata
    from sdckit.recipe import Recipe
    from sdckit.release import Release
    from sdckit.schema import Schema


def column_names(typed: Sequence[str], columns: Sequence[str]) -> tuple[str, ...]:
    """Column names separated by commas; a name that has a comma itself is understood when the file has it.

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
    """The schema in a TOML file, where one is given; one that says nothing would let identifiers out."""
    from sdckit.schema import Schema, read_toml

    if path is None:
        return None
    declared, words = Schema.from_toml(path), ("attributes", "edits")
    if not declared.attributes and not tuple(declared.edits):
        hint = near_miss(next(iter(read_toml(path)), ""), words)
        raise FileError(f"{path} says nothing of any column; write [attributes.NAME] with kind and role{hint}")
    return declared


def recipe_of(path: Path | None, methods: Sequence[str], attributes: Sequence[str]) -> "Recipe":
    """The recipe in a TOML file, or the chain of methods named."""
    from sdckit.recipe import Recipe

    if path is not None and methods:
        raise ParameterError("both --recipe and --method are given; put the method into the recipe, or leave one out")
    if path is not None:
        return Recipe.of(Recipe.from_toml(path), attributes)
    if not methods:
        raise ParameterError("no method is named; give --method NAME or --recipe FILE (see `sdckit list masking`)")
    return Recipe.of(list(methods), attributes)


def measures_of(typed: Sequence[str]) -> "list[Measure] | None":
    """The measures named, as `name` or `name:parameter=value`; None where none is."""
    from sdckit.catalogue import entries, find
    from sdckit.component_text import parsed
    from sdckit.measure import Measure

    built: list[Measure] = []
    for text in typed:
        written = parsed(text)
        known = [entry.name for kind in ("risk", "loss") for entry in entries(kind)]
        if written.name not in known:
            raise UnknownNameError("risk or loss", written.name, known)
        built.append(find(None, written.name).build(**written.values))
    return built or None


def release_of(original: Path, masked: Path, schema: Path | None, recipe: Path | None) -> "Release":
    """The release that two files make; the masked one need not have every column that the schema tells of."""
    from sdckit.files import read
    from sdckit.recipe import Recipe
    from sdckit.release import Release
    from sdckit.schema import Schema

    declared = schema_of(schema) or Schema()
    made_by = Recipe.from_toml(recipe) if recipe is not None else None
    before = read(original, declared)
    after = read(masked, mixtures=True)
    holds_too = masked_schema(declared, after)
    if holds_too.attributes:
        after = read(masked, holds_too, mixtures=True)
    return Release(before, after, made_by)


def unseen(release: "Release") -> list[str]:
    """What no measure looks at in a masked file, in words: identifiers, strange columns, numbers that became text."""
    from sdckit.microdata import Role

    names = [each.name for each in release.original.attributes]
    told = [
        f"the masked file still has the identifier {name!r}: who has it needs no attack; leave it out"
        for name in release.original.names(role=Role.IDENTIFIER)
        if name in release.masked
    ]
    for each in release.masked.attributes:
        if each.name not in names:
            hint = near_miss(each.name, names)
            meant = hint if "did you mean" in hint else ""
            told.append(
                f"the masked file has a column {each.name!r} that the original has not, and nothing looks at it{meant}"
            )
    return told + [
        f"{each.name!r} holds numbers in the original and text in the masked file; measures of numbers leave it out"
        for each in release.original.attributes
        if each.name in release.masked and not each.coded and release.masked.attribute(each.name).coded
    ]


def masked_schema(declared: "Schema", masked: "Microdata") -> "Schema":
    """What holds of a masked file too: which of its values mean that one is missing."""
    from sdckit.schema import Declared, Schema

    return Schema(
        {
            name: Declared(missing=said.missing)
            for name, said in declared.attributes.items()
            if said.missing and name in masked
        }
    )


def refuse_to_overwrite(path: Path, force: bool, made: Path | None = None) -> None:
    """Say so before long work, not after it; the folder `made` will be there by then."""
    if path.is_dir():
        raise FileError(f"{path} is a folder; name a file in it")
    if path.exists() and not force:
        raise FileError(f"{path} is already there; take another name, or --force to overwrite it")
    if not path.parent.is_dir() and (made is None or path.parent.resolve() != made.resolve()):
        raise FileError(f"the folder {path.parent} is not there; make it first")


def write_text(path: Path, text: str, *, force: bool = False) -> None:
    """Write a text file, whole or not at all."""
    from sdckit.files.atomic import replacing

    with replacing(path, force=force) as temporary:
        temporary.write_text(text, encoding="utf-8")
