"""The options that several verbs share, declared once."""

from pathlib import Path
from typing import Annotated

import typer

from sdckit.cli.outputs import Output
from sdckit.engines.engine_name import EngineName

Json = Annotated[bool, typer.Option("--json", help="Print the result, or the error, as JSON.")]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Print the bare result: no tables, no warnings, no progress.")
]
Force = Annotated[bool, typer.Option("--force", "-f", help="Overwrite a file that already exists.")]
Seed = Annotated[
    int | None,
    typer.Option(
        help="Seed of the draws, to repeat them in examples and tests. A short seed can be guessed and the masking "
        "undone; without a seed, the draws come from a secret of the operating system."
    ),
]
MeasureSeed = Annotated[int | None, typer.Option("--seed", help="Seed of the measures that draw at random.")]
SchemaFile = Annotated[
    Path | None,
    typer.Option(
        "--schema",
        help="TOML file with kinds and roles, or a DDI-Codebook (.xml). Without it, numeric columns are keys "
        "(quasi-identifiers).",
    ),
]
Sheet = Annotated[
    str | None,
    typer.Option("--sheet", metavar="NAME", help="The sheet of an Excel workbook; needed where several have records."),
]
Also = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME:PARAM=VALUE,…",
        help="A risk or loss to measure as well, such as user-analysis-loss:analysis=model.py:fit. Repeatable.",
    ),
]
Check = Annotated[
    bool,
    typer.Option("--check", help="Only list the problems in the documents named here, without reading the data."),
]
Everyone = Annotated[
    bool, typer.Option("--all", help="Attack all records that the intruder knows, instead of 1,000 at most.")
]
IntruderFile = Annotated[
    Path | None,
    typer.Option(
        "--intruder-file",
        metavar="FILE",
        help="A file of the intruder's own to attack with, instead of the original; needs --intruder-map.",
    ),
]
IntruderMapFile = Annotated[
    Path | None,
    typer.Option(
        "--intruder-map",
        metavar="MAP.toml",
        help="How the columns of the intruder's file correspond to the original's: names, units and categories.",
    ),
]
RecipeFile = Annotated[Path | None, typer.Option("--recipe", help="TOML file with the steps of the masking.")]
Original = Annotated[Path, typer.Argument(metavar="ORIGINAL", help="The original file.", show_default=False)]
OriginalFile = Annotated[Path, typer.Option("--original", help="The original file.", show_default=False)]
PolicyFile = Annotated[Path, typer.Option("--policy", help="TOML file with the rules.", show_default=False)]
Masked = Annotated[Path, typer.Argument(metavar="MASKED", help="The masked file.", show_default=False)]
ControlFile = Annotated[
    Path | None,
    typer.Option(
        "--control",
        metavar="FILE",
        help="Control records of the same population that were not masked: what an attack achieves on these does not "
        "come from being in the file.",
    ),
]
KeyFile = Annotated[
    Path | None,
    typer.Option(
        "--key",
        metavar="KEY",
        help="The private key that `protect --key-out` wrote: which row belongs to which record.",
    ),
]
MatchOn = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="Match rows and records on this column, which identifies them in both files."),
]
RowsInOrder = Annotated[
    bool, typer.Option("--rows-in-order", help="Confirm that row i of MASKED belongs to record i of ORIGINAL.")
]
AllowUndeclared = Annotated[
    bool,
    typer.Option(
        "--allow-undeclared",
        help="Release also the columns that the schema does not name and no step masks.",
    ),
]
KeyOut = Annotated[
    Path | None,
    typer.Option(metavar="KEY", help="Write the private key of the release, readable by you alone: never publish it."),
    Output(),
]
AllowCode = Annotated[
    list[Path] | None,
    typer.Option(
        "--allow-code",
        metavar="FILE.py",
        help="A Python file whose functions a policy or recipe may run; without it, none. Repeatable.",
    ),
]
EngineOption = Annotated[
    EngineName,
    typer.Option(
        "--engine",
        help="Where the work is done: in memory, or part by part by DuckDB or Spark. auto works in memory where the "
        "file fits, else with DuckDB.",
    ),
]
MemoryOption = Annotated[
    str | None,
    typer.Option(
        "--memory", metavar="SIZE", help="Memory that the run may use, such as 2GB; by default most of the free memory."
    ),
]
