"""Publish: a folder with a release and what its users need; nothing in it is private.

The file is the one that was assessed, never masked a second time. The folder appears whole or not at all, with

`data.…`        the masked file, its rows in a random order and its households numbered anew
`schema.toml`   the kind and role of each column, with the labels of the values that still occur
`recipe.toml`   how the file was masked, without the secret
`statement.json`  version, records, columns, digest, recipe, the rules of the policy with their figures, and the
                  differential privacy of the recipe where it has any
`SHA256SUMS`    checksums of all files

and whatever else the caller writes, such as the public report.
"""

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import tomli_w

import sdckit
from sdckit.digest import content_digest
from sdckit.errors import FileError, ParameterError, SchemaError, SdcError
from sdckit.evaluation.gate import Verdict
from sdckit.evaluation.publishable import DETAILS, FEW
from sdckit.evaluation.publishable_gate import publishable_gate
from sdckit.evaluation.publishable_parameters import withheld_parameters
from sdckit.evaluation.release_warnings import columns_of_its_own, identifying_columns
from sdckit.files import write
from sdckit.files.atomic import default_permissions
from sdckit.files.disk_space import without_space
from sdckit.files.release_files import read_masked
from sdckit.files.temporary import remove_stale, temporary_beside
from sdckit.household_numbers import renumbered
from sdckit.microdata import Microdata, Role
from sdckit.occurring_values import only_occurring
from sdckit.privacy import PrivacyBudget, privacy_budget
from sdckit.recipe import Recipe
from sdckit.release import Release
from sdckit.release_table import ReleaseTable
from sdckit.row_order import shuffled
from sdckit.rows import Unknown, origin_of
from sdckit.schema import Schema
from sdckit.undeclared import refuse_undeclared

FORMAT = "sdckit-statement"
VERSION = 1
CHECKSUMS = "SHA256SUMS"


def refuse_unpublishable(release: Release, *, allow_undeclared: bool = False) -> None:
    """Refuse a release with identifiers or columns of its own, with unknown rows, or with draws that can be guessed."""
    still = [name for name in release.original.names(role=Role.IDENTIFIER) if name in release.masked]
    if still:
        raise SchemaError(f"the masked file still has the identifier {still[0]!r}; drop it (`sdckit protect` does)")
    strange = columns_of_its_own(release)
    if strange:
        raise SchemaError(
            f"the masked file has a column {strange[0]!r} that the original lacks, so no measure examined it; drop it"
        )
    if release.guessable_seed:
        raise ParameterError(
            "the draws of this release came from a short seed, which can be guessed: the masking can be undone; mask "
            "the file again without --seed"
        )
    if release.recipe is None:
        raise ParameterError("a release is published with its recipe; give the recipe that the file was masked by")
    if not allow_undeclared:
        refuse_undeclared(release.original.without(_dropped(release)), release.recipe)
    if isinstance(release.rows, Unknown):
        origin_of(release.rows)


def _dropped(release: Release) -> list[str]:
    return [each.name for each in release.original.attributes if each.name not in release.masked]


def refuse_identifying(release: Release) -> None:
    """Refuse a column that is published unmasked and looks like an identifier, where no schema says what it is."""
    for name, reason in identifying_columns(release).items():
        raise SchemaError(
            f"{name!r} may identify the records ({reason}) and no schema says what it is; declare it in a schema "
            '(role = "identifier" leaves it out), or allow it (--allow-undeclared)'
        )


def publish(
    release: Release,
    verdict: Verdict,
    folder: str | Path,
    *,
    rules: list[dict[str, Any]] | None = None,
    data_format: str = "csv",
    shuffle_rows: bool = True,
    allow_undeclared: bool = False,
    more: Mapping[str, Callable[[Path], object]] | None = None,
    write_key: Callable[[Release], object] | None = None,
) -> Release:
    """Publish a release that meets its policy, and return the release as written, to make its key.

    Parameters
    ----------
    verdict: what the policy says of this release; where it is not met, nothing is written
    rules: the rules as they may be published, by default those of the verdict, rounded and without free text
    data_format: the extension of the data file
    shuffle_rows: whether to draw a random order of the rows from the operating system
    allow_undeclared: publish columns that the schema of the original does not name and no step masks
    more: further files by name, each with a function that writes it
    write_key: writes the key of the release as written; it is called before the folder appears, so that an
        interruption never leaves a published file without its key
    """
    refuse_unpublishable(release, allow_undeclared=allow_undeclared)
    if not verdict.met:
        raise SdcError("the policy is not met, so nothing is published")
    assert release.recipe is not None
    final = shuffled(release) if shuffle_rows else replace(release, masked=renumbered(release.masked))
    data = only_occurring(final.masked)
    name = f"data.{data_format.lstrip('.')}"
    with new_folder(folder) as temporary:
        write(data, temporary / name)
        written = read_masked(temporary / name, Schema.of(data))
        if content_digest(written, ordered=True) != content_digest(data, ordered=True):
            raise FileError(
                f"a .{data_format.lstrip('.')} file would change the values or the column names of this release; use "
                "the format of the masked file"
            )
        table = ReleaseTable.of(written)
        write_text(temporary / "schema.toml", Schema.of(data).to_toml())
        steps = published_steps(release.recipe, data)
        write_text(temporary / "recipe.toml", tomli_w.dumps({"release": table.to_dict(), "steps": steps}))
        for title, writer in (more or {}).items():
            writer(temporary / title)
        figures = rules if rules is not None else published_rules(verdict, data)
        budget = privacy_budget(final.recipe, final.original, final.masked)
        columns = [each.name for each in final.masked.attributes]
        content = statement(columns, budget, table, steps, figures, name, shuffle_rows)
        write_text(temporary / "statement.json", json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False))
        write_text(temporary / CHECKSUMS, checksums(temporary))
        as_written = replace(final, masked=written)
        if write_key is not None:
            write_key(as_written)
    return as_written


def published_rules(verdict: Verdict, masked: Microdata) -> list[dict[str, Any]]:
    """The rules of a verdict as they may be published: figures of the whole file, rounded, and no free text.

    Figures by attribute are withheld, as one may be that of a single record.
    """
    public = publishable_gate(verdict, masked, DETAILS - FEW, by_attribute=False)
    return [without_text(rule) for rule in public.to_dict()["rules"]]


def without_text(rule: Mapping[str, Any]) -> dict[str, Any]:
    """A rule without its note and its reason, which are free text."""
    return {key: value for key, value in rule.items() if key not in ("note", "reason")}


def published_steps(recipe: Recipe, masked: Microdata) -> list[dict[str, Any]]:
    """The steps of a recipe without texts that may be original values, such as the categories of a recoding."""
    steps: list[dict[str, Any]] = recipe.to_dict()["steps"]
    withheld = [withheld_parameters(step.masking, masked) for step in recipe.steps]
    return [
        {key: value for key, value in step.items() if key not in names}
        for step, names in zip(steps, withheld, strict=True)
    ]


def statement(
    columns: list[str],
    budget: PrivacyBudget | None,
    table: ReleaseTable,
    steps: list[dict[str, Any]],
    rules: list[dict[str, Any]],
    name: str,
    shuffle_rows: bool,
) -> dict[str, Any]:
    """The machine-readable statement of a release."""
    guarantee = {} if budget is None else {"differential_privacy": budget.to_dict()}
    return {
        "format": FORMAT,
        "version": VERSION,
        "tool": f"sdckit {sdckit.__version__}",
        "date": date.today().isoformat(),
        "data": name,
        "records": table.records,
        "columns": columns,
        "digest": table.digest,
        "rows_shuffled": shuffle_rows,
        "recipe": steps,
        "policy": {"met": True, "rules": rules},
    } | guarantee


def write_text(path: Path, text: str) -> None:
    """Write a text that ends in a line break."""
    path.write_text(text if text.endswith("\n") else f"{text}\n", encoding="utf-8")


def checksums(folder: Path) -> str:
    """One line per file, as `sha256sum --check` reads it."""
    names = sorted(path.name for path in folder.iterdir())
    return "".join(f"{_sha256(folder / name)}  {name}\n" for name in names)


def _sha256(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def new_folder(path: str | Path) -> Iterator[Path]:
    """Give a temporary folder beside the path and, if all goes well, put it in place; else leave nothing."""
    target = Path(path).resolve()
    refuse_existing_folder(target)
    remove_stale(target.parent)
    try:
        with temporary_beside(target, folder=True) as temporary, without_space(path):
            yield temporary
            with suppress(OSError):  # a file system without permissions
                temporary.chmod(default_permissions(0o777))
            os.rename(temporary, target)
    except OSError as problem:
        raise FileError(f"{path} cannot be written: {problem.strerror or problem}") from None


def refuse_existing_folder(path: Path) -> None:
    """Refuse a folder that has files already, or whose parent is not there."""
    if path.is_file() or (path.is_dir() and any(path.iterdir())):
        raise FileError(f"{path} exists already; name a new folder")
    if not path.absolute().parent.is_dir():
        raise FileError(f"there is no folder {str(path.absolute().parent)!r}; create it first")
