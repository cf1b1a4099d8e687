"""The options that several verbs share, declared once."""

from pathlib import Path
from typing import Annotated

from sdckit.cli.command import Argument, Option
from sdckit.cli.outputs import Output
from sdckit.engines.engine_name import EngineName

Json = Annotated[bool, Option("--json", help="Print the result, or the error, as JSON.")]
Quiet = Annotated[bool, Option("--quiet", "-q", help="Print the bare result: no tables, no warnings, no progress.")]
Force = Annotated[bool, Option("--force", "-f", help="Overwrite a file that already exists.")]
Seed = Annotated[
    int | None,
    Option(
        help="Seed of the draws, to repeat them in examples and tests. A short seed can be guessed and the masking "
        "undone; without a seed, the draws come from a secret of the operating system."
    ),
]
MeasureSeed = Annotated[int | None, Option("--seed", help="Seed of the measures that draw at random.")]
SchemaFile = Annotated[
    Path | None,
    Option(
        "--schema",
        help="TOML file with kinds and roles, or a DDI-Codebook (.xml). Without it, numeric columns are keys "
        "(quasi-identifiers).",
    ),
]
Sheet = Annotated[
    str | None,
    Option("--sheet", metavar="NAME", help="The sheet of an Excel workbook; needed where several have records."),
]
Also = Annotated[
    list[str] | None,
    Option(
        metavar="NAME:PARAM=VALUE,…",
        help="A risk or loss to measure as well, such as user-analysis-loss:analysis=model.py:fit. Repeatable.",
    ),
]
Check = Annotated[
    bool,
    Option("--check", help="Only list the problems in the documents named here, without reading the data."),
]
Everyone = Annotated[
    bool, Option("--all", help="Attack all records that the intruder knows, instead of 1,000 at most.")
]
IntruderFile = Annotated[
    Path | None,
    Option(
        "--intruder-file",
        metavar="FILE",
        help="A file of the intruder's own to attack with, instead of the original; needs --intruder-map.",
    ),
]
IntruderMapFile = Annotated[
    Path | None,
    Option(
        "--intruder-map",
        metavar="MAP.toml",
        help="How the columns of the intruder's file correspond to the original's: names, units and categories.",
    ),
]
RecipeFile = Annotated[Path | None, Option("--recipe", help="TOML file with the steps of the masking.")]
Original = Annotated[Path, Argument(metavar="ORIGINAL", help="The original file.")]
OriginalFile = Annotated[Path, Option("--original", help="The original file.")]
PolicyFile = Annotated[Path, Option("--policy", help="TOML file with the rules.")]
Masked = Annotated[Path, Argument(metavar="MASKED", help="The masked file.")]
ControlFile = Annotated[
    Path | None,
    Option(
        "--control",
        metavar="FILE",
        help="Control records of the same population that were not masked: what an attack achieves on these does not "
        "come from being in the file.",
    ),
]
KeyFile = Annotated[
    Path | None,
    Option(
        "--key",
        metavar="KEY",
        help="The private key that `protect --key-out` wrote: which row belongs to which record.",
    ),
]
MatchOn = Annotated[
    str | None,
    Option(metavar="COLUMN", help="Match rows and records on this column, which identifies them in both files."),
]
RowsInOrder = Annotated[
    bool, Option("--rows-in-order", help="Confirm that row i of MASKED belongs to record i of ORIGINAL.")
]
AllowUndeclared = Annotated[
    bool,
    Option(
        "--allow-undeclared",
        help="Release also the columns that the schema does not name and no step masks.",
    ),
]
KeyOut = Annotated[
    Path | None,
    Option(metavar="KEY", help="Write the private key of the release, readable by you alone: never publish it."),
    Output(),
]
AllowCode = Annotated[
    list[Path] | None,
    Option(
        "--allow-code",
        metavar="FILE.py",
        help="A Python file whose functions a policy or recipe may run; without it, none. Repeatable.",
    ),
]
EngineOption = Annotated[
    EngineName,
    Option(
        "--engine",
        help="Where the work is done: in memory, or part by part by DuckDB or Spark. auto works in memory where the "
        "file fits, else with DuckDB.",
    ),
]
MemoryOption = Annotated[
    str | None,
    Option(
        "--memory", metavar="SIZE", help="Memory that the run may use, such as 2GB; by default most of the free memory."
    ),
]
