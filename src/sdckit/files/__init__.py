"""Files in and out: read what is known of a file's form, write a release safely.

The format is told by the extension: CSV and its kin (.csv .tsv .tab .txt), Parquet (.parquet), Excel (.xlsx), SPSS
(.sav .zsav), Stata (.dta) and SAS (.xpt; .sas7bdat is read only). Each format is one module with `read` and `write`.
"""

import inspect
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from sdckit.errors import FileError, ParameterError, SdcError, near_miss
from sdckit.files.atomic import replacing
from sdckit.microdata import Microdata, Role
from sdckit.schema import Schema

FORMATS = {
    ".csv": "csv_format",
    ".tsv": "csv_format",
    ".tab": "csv_format",
    ".txt": "csv_format",
    ".parquet": "parquet_format",
    ".xlsx": "excel_format",
    ".sav": "spss_format",
    ".zsav": "spss_format",
    ".dta": "stata_format",
    ".sas7bdat": "sas_format",
    ".xpt": "sas_format",
}


@dataclass(frozen=True)
class Written:
    """What was written: never more than the release itself."""

    path: Path
    records: int
    columns: tuple[str, ...]
    identifiers_dropped: tuple[str, ...] = ()
    formula_cells: int = 0
    formulas_escaped: bool = False
    rows_shuffled: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The report as plain values."""
        return asdict(self) | {"path": str(self.path)}


def read(
    path: str | Path, schema: Schema | str | Path | None = None, *, mixtures: bool = False, **options: Any
) -> Microdata:
    """Read a file under a schema (or the path of one); options are those of its format.

    CSV takes `delimiter`, `decimal`, `encoding` and `missing`; Excel takes `sheet`. A column of numbers with some text
    in it is refused as a mistake unless `mixtures` are taken as text, as in a masked file that mixes levels.
    """
    place = _existing(Path(path))
    declared = Schema.from_toml(schema) if isinstance(schema, str | Path) else schema or Schema()
    reader = _format(place).read
    known = [name for name in inspect.signature(reader).parameters if name not in ("path", "schema", "mixtures")]
    for name in options:
        if name not in known:
            there_is = near_miss(name, known) or "; it takes none"
            raise ParameterError(f"{name!r} is not an option for reading {place.suffix} files{there_is}")
    if mixtures and "mixtures" in inspect.signature(reader).parameters:
        options["mixtures"] = True
    try:
        data: Microdata = reader(place, declared, **options)
    except SdcError:
        raise
    except OSError as problem:
        raise FileError(f"{path} cannot be read: {problem.strerror or problem}") from None
    return data


def write(
    data: Any,
    path: str | Path,
    *,
    force: bool = False,
    shuffle_rows: bool = False,
    rng: np.random.Generator | None = None,
    escape_formulas: bool = False,
) -> Written:
    """Write a file, or a release's masked file; identifiers, lineage and seeds never leave.

    An existing file is kept unless `force`. Shuffled rows take the operating system's entropy unless `rng` is given.
    Text that a spreadsheet would run as a formula is counted, and with `escape_formulas` led by an apostrophe.
    """
    file: Microdata = getattr(data, "masked", data)
    identifiers = file.names(role=Role.IDENTIFIER)
    file = file.without(identifiers)
    if not file.attributes:
        raise FileError("nothing is left to write: every column is an identifier")
    if shuffle_rows:
        file = file.take((rng or np.random.default_rng()).permutation(len(file)))
    place = Path(path)
    writer = _format(place).write
    with replacing(place, force=force) as temporary:
        formulas = writer(file, temporary, escape_formulas) or 0
    names = tuple(attribute.name for attribute in file.attributes)
    return Written(place, len(file), names, identifiers, formulas, escape_formulas and formulas > 0, shuffle_rows)


def _format(path: Path) -> Any:
    """The module of a file's format."""
    extension = path.suffix.lower()
    if extension not in FORMATS:
        told = f"{path.name!r} ends in {path.suffix!r}" if extension else f"{path.name!r} has no extension"
        raise FileError(f"{told}, which is no known format{near_miss(extension, FORMATS)}")
    try:
        return import_module(f"sdckit.files.{FORMATS[extension]}")
    except ImportError as problem:
        raise FileError(f"{extension} files need {problem.name}; install sdckit[all]") from None


def _existing(path: Path) -> Path:
    """The path, if it is a file that can be read; otherwise what was probably meant."""
    try:
        if path.is_file():
            return path
        if path.is_dir():
            raise FileError(f"{path} is a folder; name a file in it")
        if not path.parent.is_dir():
            raise FileError(f"{path} is not there: there is no folder {str(path.parent)!r}")
        beside = sorted(each.name for each in path.parent.iterdir() if each.suffix.lower() in FORMATS)
    except OSError as problem:
        raise FileError(f"{path} cannot be reached: {problem.strerror}") from None
    raise FileError(f"{path} is not there{near_miss(path.name, beside)}")
