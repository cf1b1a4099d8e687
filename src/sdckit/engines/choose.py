"""Choose the engine: memory where the file fits, else DuckDB; Spark where it is asked for."""

from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

from sdckit.engines.engine_name import EngineName
from sdckit.engines.memory_limit import PROCESS, memory_limit
from sdckit.engines.working_folder import memory_of_earlier_run
from sdckit.errors import FileError
from sdckit.files.formats import format_of
from sdckit.files.parquet_footer import checked_footer
from sdckit.memory import gigabytes

MOST_GROWTH = 1.5  # times the share of the free memory that is taken by default
COPIES = 4  # of a file in memory while it is masked or measured, beyond what reading it takes
STREAMED = (".parquet", ".duckdb", ".postgres", ".csv", ".tsv", ".tab", ".txt")  # formats that are read part by part


@dataclass(frozen=True)
class Choice:
    """The engine that was chosen, why, the memory that the run may take, and whether the user set that limit."""

    name: EngineName
    reason: str
    memory: int
    memory_is_set: bool = True

    @property
    def in_memory(self) -> bool:
        """Whether the file is read whole."""
        return self.name is EngineName.MEMORY


def choose(asked: EngineName, memory: str | None, *paths: Path) -> Choice:
    """The engine for some files, by an estimate of the memory that they take."""
    limit, is_set = memory_limit(memory), memory is not None
    folder = next((path for path in paths if path.is_dir()), None)
    if asked is EngineName.MEMORY and folder is not None:
        raise FileError(
            f"{folder} is a folder, and --engine memory reads a file whole; "
            "use --engine duckdb or --engine spark for a folder of Parquet parts, or name a file in it"
        )
    if asked is not EngineName.AUTO:
        return Choice(asked, "as asked for", limit, is_set)
    needed = sum(map(bytes_needed, paths))
    text = f"{gigabytes(needed)} of memory are needed for the whole file and {gigabytes(limit)} are allowed"
    if folder is not None:
        for path in paths:
            if path.is_dir():
                parts_in(path)  # an error where there is none
        return Choice(EngineName.DUCKDB, "a folder of parts is read part by part", limit, is_set)
    fits = needed <= limit
    if fits or find_spec("duckdb") is None or not all(path.suffix.lower() in STREAMED for path in paths):
        return Choice(EngineName.MEMORY, text, limit, is_set)
    return Choice(EngineName.DUCKDB, text, limit, is_set)


def resumed_choice(choice: Choice, target: Path) -> Choice:
    """The choice with the memory of an interrupted run on this target, where no limit was set then or now.

    Free memory changes from run to run, and with it the parts and the plan; a run that goes on needs those it finds.
    """
    earlier = None if choice.memory_is_set else memory_of_earlier_run(target)
    if earlier is None or earlier > MOST_GROWTH * choice.memory:
        return choice
    return replace(choice, memory=earlier)


def parts_in(folder: Path) -> tuple[Path, ...]:
    """The Parquet parts of a folder, in the order of their names."""
    parts = tuple(sorted(folder.glob("*.parquet")))
    if not parts:
        raise FileError(f"{folder} is a folder without Parquet files; give a file, or a folder of Parquet parts")
    return parts


def bytes_needed(path: Path) -> int:
    """The memory that a file takes when it is read and masked whole, estimated from its header."""
    if path.is_dir():
        return sum(map(bytes_needed, path.glob("*.parquet")))
    if not path.is_file():
        return 0
    if path.suffix.lower() == ".parquet":
        return PROCESS + COPIES * 3 * 8 * checked_footer(path).values
    found = format_of(path.suffix)
    return 0 if found is None else found.bytes_needed(path)
