"""The options that several verbs share, declared once."""

from pathlib import Path
from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON, an error too.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print the bare result, no tables and no progress.")]
Force = Annotated[bool, typer.Option("--force", "-f", help="Overwrite a file that is already there.")]
Seed = Annotated[
    int | None, typer.Option(help="Draw the same again. Keep it private: who has it can undo the masking.")
]
SchemaFile = Annotated[
    Path | None,
    typer.Option("--schema", help="TOML file with kinds and roles. Without it, numeric columns are keys."),
]
Also = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME:PARAM=VALUE,…",
        help="A risk or loss to take beside the others, such as user-analysis-loss:analysis=model.py:fit. Repeatable.",
    ),
]
RecipeFile = Annotated[Path | None, typer.Option("--recipe", help="TOML file with the steps of the masking.")]
Original = Annotated[Path, typer.Argument(metavar="ORIGINAL", help="The file as it was.", show_default=False)]
Masked = Annotated[
    Path,
    typer.Argument(metavar="MASKED", help="The protected file; row i belongs to record i of ORIGINAL."),
]
