"""File formats: each module of this folder is one, and is recognised by the extension of a file's name.

A format declares

`TITLE`      its name for a person
`SUFFIXES`   the extensions, in lower case and with their point
`read`       `read(path, schema, **options)` returns a `Microdata`; its keyword arguments are the format's options
`write`      `write(data, path, escape_formulas)` writes one, and may return the number of cells that a spreadsheet
             would run as formulas; left out where a format can only be read

`DOMAIN`        the kind of data set that files of it hold; left out, it is `Microdata`
`bytes_needed`  `bytes_needed(path)` estimates the memory that reading takes; left out, it is a multiple of the file
`same_name`     `same_name(name)` is equal for names of columns that it takes for the same; left out, no two are
`destination`   `destination(path, force=…)` is a context with the path to write to, which takes that name when it ends
                without an error; left out, it is a file beside the other, which it replaces
`refuse_existing`  `refuse_existing(path, force=…)` refuses before any work what `destination` would refuse
`refuse_columns`  `refuse_columns(path, names)` refuses names of columns that this file cannot have; left out, none
`loses`         `loses(text)` is whether a text would be cut short or make the file unreadable; left out, none does
`codes`         `codes(data)` are the codes of missing values that it writes, by column; left out, it writes none

and imports the library that it needs inside these functions, so that other formats work without it. Another package
adds a format through the entry-point group `sdckit.formats`, each entry naming such a module.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from sdckit.errors import FileError, near_miss
from sdckit.files.atomic import refuse_unwritable, replacing
from sdckit.microdata import Microdata
from sdckit.plugins import discover, own_modules

GROUP = "sdckit.formats"
TIMES_SIZE = 8  # memory for reading, as a multiple of the size of a file of text or of uncompressed values


@dataclass(frozen=True)
class Format:
    """A file format: how files of it are recognised, read and written."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    read: Callable[..., Any]
    write: Callable[..., Any] | None
    bytes_needed: Callable[[Path], int]
    domain: type = Microdata
    same_name: Callable[[str], str] = str
    loses: Callable[[str], bool] = lambda text: False
    destination: Callable[..., AbstractContextManager[Path]] = replacing
    refuse_existing: Callable[..., object] = refuse_unwritable
    codes: Callable[[Any], Mapping[str, Any]] = lambda data: {}
    refuse_columns: Callable[[Path, Sequence[str]], object] = lambda path, names: None

    @property
    def in_file(self) -> bool:
        """Whether the data is in the file itself, not in a table that it names."""
        return self.destination is replacing


def formats() -> tuple[Format, ...]:
    """Every format: those of this folder by name, then those of other packages."""
    return _discovered()[0]


def format_of(suffix: str) -> Format | None:
    """The format of files with this extension; no other is imported where a module has the extension as its name."""
    for module in own_modules(__name__, first=suffix.lower().removeprefix(".")):
        if suffix.lower() in getattr(module, "SUFFIXES", ()):
            return _format(module)
    return next((each for each in formats() if suffix.lower() in each.suffixes), None)


def suffixes() -> tuple[str, ...]:
    """Every extension that some format declares."""
    return tuple(suffix for each in formats() for suffix in each.suffixes)


def unknown_format(name: str, suffix: str) -> FileError:
    """The error for a file whose extension no format declares, with the near miss and the formats that failed."""
    problem = f"{name!r} ends in {suffix!r}" if suffix else f"{name!r} has no extension"
    failures = "".join(f"; {module} could not be imported ({why})" for module, why in _discovered()[1])
    return FileError(f"{problem}, which is not a known format{near_miss(suffix.lower(), suffixes())}{failures}")


def _by_size(path: Path) -> int:
    return TIMES_SIZE * path.stat().st_size


@lru_cache(maxsize=1)
def _discovered() -> tuple[tuple[Format, ...], tuple[tuple[str, str], ...]]:
    plugins = discover(__name__, GROUP)
    found = (_format(module) for module in plugins.modules if hasattr(module, "SUFFIXES"))
    return tuple(found), tuple(plugins.failures.items())


@lru_cache
def _format(module: ModuleType) -> Format:
    return Format(
        module.__name__.rpartition(".")[2],
        module.TITLE,
        tuple(module.SUFFIXES),
        module.read,
        getattr(module, "write", None),
        getattr(module, "bytes_needed", _by_size),
        getattr(module, "DOMAIN", Microdata),
        getattr(module, "same_name", str),
        getattr(module, "loses", lambda text: False),
        getattr(module, "destination", replacing),
        getattr(module, "refuse_existing", refuse_unwritable),
        getattr(module, "codes", lambda data: {}),
        getattr(module, "refuse_columns", lambda path, names: None),
    )
