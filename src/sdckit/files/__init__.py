"""Reading and writing of files in every format of `sdckit.files.formats`, recognised by the extension."""

import inspect
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from sdckit.errors import FileError, NoRecordsError, ParameterError, SchemaError, near_miss
from sdckit.files.atomic import refuse_unwritable
from sdckit.files.ending import ending_of
from sdckit.files.formats import Format, format_of, formats, suffixes, unknown_format
from sdckit.files.library_errors import readable_by_library, writable_by_library
from sdckit.files.lossless import refuse_lossy_format
from sdckit.files.whole_numbers import with_decimals_of_means
from sdckit.household_numbers import renumbered
from sdckit.input_file import readable
from sdckit.memory import refuse_without_memory
from sdckit.microdata import Microdata, Role
from sdckit.occurring_values import only_occurring
from sdckit.schema import Schema

__all__ = ["Written", "formats", "read", "read_schema", "write"]


@dataclass(frozen=True)
class Written:
    """What was written, as a record for the user; it contains nothing that the file itself does not show."""

    path: Path
    records: int
    columns: tuple[str, ...]
    identifiers_dropped: tuple[str, ...] = ()
    formula_cells: int = 0
    formulas_escaped: bool = False
    rows_shuffled: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return asdict(self) | {"path": str(self.path)}


def read(
    path: str | Path, schema: Schema | str | Path | None = None, *, mixtures: bool = False, **options: Any
) -> Microdata:
    """Read a file, in any format that its extension names.

    Parameters
    ----------
    schema
        The kinds and roles of the columns, as a `Schema` or as the path of a TOML file or of a DDI-Codebook (.xml).
        Without it, every numeric column is a key.
    mixtures
        Read a column of numbers with some text in it as text, as in a masked file that mixes levels; by default such a
        column is refused as a mistake.
    options
        Those of the format: CSV has `delimiter`, `decimal`, `encoding` and `missing`, Excel has `sheet`.

    Example
    -------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "people.csv"
    ...     _ = path.write_text("age;income\\n31;2100,5\\n44;3900,0\\n", encoding="utf-8")
    ...     read(path, delimiter=";", decimal=",").matrix(["income"])[:, 0].tolist()
    [2100.5, 3900.0]
    """
    source = _existing(Path(path))
    declared = read_schema(schema) if isinstance(schema, str | Path) else schema or Schema()
    reader = _format(source).read
    known = [name for name in inspect.signature(reader).parameters if name not in ("path", "schema", "mixtures")]
    for name in options:
        if name not in known:
            options_known = near_miss(name, known) or "; there are none"
            raise ParameterError(f"{name!r} is not an option for reading {source.suffix} files{options_known}")
    if mixtures and "mixtures" in inspect.signature(reader).parameters:
        options["mixtures"] = True
    refuse_without_memory(
        _format(source).bytes_needed(source),
        f"reading {path}",
        "read fewer columns or records, or a file of another format",
    )
    try:
        with readable_by_library(path, _format(source).title):
            data: Microdata = reader(source, declared, **options)
    except ImportError as problem:
        raise _needs_library(source, problem) from None
    except OSError as problem:
        raise FileError(f"{path} cannot be read: {problem.strerror or problem}") from None
    except NoRecordsError:
        raise NoRecordsError(f"{path} has no records; give it at least one") from None
    except SchemaError as problem:
        if _format(source).domain is Microdata:
            raise
        raise FileError(f"{path}: {problem}") from None
    data = with_decimals_of_means(data)
    undeclared = declared.undeclared([each.name for each in data.attributes])  # a format may declare more by itself
    return replace(data, form=replace(data.form, undeclared=undeclared))


def write(
    data: Any,
    path: str | Path,
    *,
    force: bool = False,
    shuffle_rows: bool = False,
    rng: np.random.Generator | None = None,
    escape_formulas: bool = False,
    before_release: Callable[[Path], None] | None = None,
) -> Written:
    """Write a file, or the masked file of a release, without its identifiers, lineage and unused categories.

    Parameters
    ----------
    force
        Replace an existing file, which is an error otherwise.
    shuffle_rows
        Write the rows in random order, drawn from `rng` or else from the entropy of the operating system, and number
        households anew.
    escape_formulas
        Prefix text that a spreadsheet would run as a formula by an apostrophe; it is counted in any case.
    before_release
        Called with the complete file under a temporary name, before it takes its own: what must exist with it, as its
        private key, is written first.

    Returns
    -------
    What was written: path, number of records, columns, dropped identifiers, and cells that look like formulas.

    Example
    -------
    >>> from tempfile import TemporaryDirectory
    >>> from sdckit.datasets import simulate_survey
    >>> with TemporaryDirectory() as folder:
    ...     written = write(simulate_survey(20, seed=1), Path(folder) / "survey.csv")
    >>> written.records, written.identifiers_dropped
    (20, ('name',))
    """
    file: Microdata = getattr(data, "masked", data)
    identifiers = file.names(role=Role.IDENTIFIER)
    file = file.without(identifiers)
    if not file.releasable:
        raise FileError("nothing is left to write: every column is an identifier")
    if shuffle_rows:
        file = renumbered(file.take((rng or np.random.default_rng()).permutation(len(file))))
    file = only_occurring(file)
    target = Path(path)
    refuse_lost_parts(file, target)
    writer = writer_for(target)
    with _format(target).destination(target, force=force) as temporary:
        try:
            with writable_by_library(path, _format(target).title):
                formulas = writer(file, temporary, escape_formulas) or 0
        except ImportError as problem:
            raise _needs_library(target, problem) from None
        if before_release is not None:
            before_release(temporary)
    names = tuple(attribute.name for attribute in file.attributes)
    return Written(target, len(file), names, identifiers, formulas, escape_formulas and formulas > 0, shuffle_rows)


def read_schema(path: str | Path) -> Schema:
    """The schema in a TOML file, or in a DDI-Codebook, whose name ends in .xml."""
    if Path(path).suffix.lower() != ".xml":
        return Schema.from_toml(path)
    from sdckit.files.codebook import read_codebook

    return read_codebook(path)


def refuse_target(path: Path, *, force: bool = False) -> None:
    """Refuse a masked file that cannot be written, before long work and not after it."""
    found = format_of(path.suffix)
    (refuse_unwritable if found is None else found.refuse_existing)(path, force=force)


def writer_for(path: Path) -> Callable[..., Any]:
    """The function that writes a file of this name; an error where its format is unknown or can only be read."""
    writer = _format(path).write
    if writer is None:
        raise FileError(f"{path.suffix} files can be read but not written; write .csv or .parquet")
    return writer


def refuse_lost_parts(data: Microdata, path: Path) -> None:
    """Refuse a format that cannot hold all of this data set, such as a table for a graph: it has no edges."""
    found = _format(path)
    if issubclass(found.domain, type(data)):
        released = [each for each in data.attributes if each.role is not Role.IDENTIFIER]
        refuse_lossy_format(released, found)
        found.refuse_columns(path, [each.name for each in released])
        return
    fitting = [each.suffixes[0] for each in formats() if each.write and issubclass(each.domain, type(data))]
    kind = type(data).__name__.lower()
    raise FileError(
        f"{path.name}: the format {found.title} has a row for each {data.unit} and no room for the rest of a {kind}, "
        f"which would be lost; write {', '.join(fitting)}"
    )


def _format(path: Path) -> Format:
    """The format of a file."""
    found = format_of(ending_of(path)) or format_of(path.suffix)
    if found is None:
        raise unknown_format(path.name, path.suffix)
    return found


def _needs_library(path: Path, problem: ImportError) -> FileError:
    return FileError(f"{path.suffix} files need {problem.name}; install sdckit[all]")


def _existing(path: Path) -> Path:
    """The path, if it is a file; otherwise an error with the name that was probably meant."""
    try:
        readable(path)
        if path.is_file():
            return path
        if not path.parent.is_dir():
            raise FileError(f"{path} does not exist: there is no folder {str(path.parent)!r}")
        beside = sorted(each.name for each in path.parent.iterdir() if each.name.lower().endswith(suffixes()))
    except OSError as problem:
        raise FileError(f"{path} cannot be reached: {problem.strerror}") from None
    raise FileError(f"{path} does not exist{near_miss(path.name, beside)}")
