"""The verbs together."""

from collections.abc import Callable
from typing import Annotated

import typer

from sdckit import __version__
from sdckit.cli.assess import assess
from sdckit.cli.attack import attack
from sdckit.cli.correct import correct
from sdckit.cli.demo import demo
from sdckit.cli.describe import describe
from sdckit.cli.gate import gate
from sdckit.cli.list import list_entries
from sdckit.cli.protect import protect
from sdckit.cli.report import report
from sdckit.cli.reproduce import reproduce
from sdckit.cli.sample import sample
from sdckit.cli.show import show
from sdckit.cli.sweep import sweep
from sdckit.cli.tune import tune

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help: rich would double the time it takes
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"sdckit {__version__}")
        raise typer.Exit()


@app.callback(invoke_without_command=True)
def sdckit(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Protect a file about people or firms, attack the release, and measure what was lost.

    Start with `sdckit demo`, or with your own file: `sdckit describe FILE --schema-out schema.toml`.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


VERBS: dict[str, Callable[..., None]] = {
    "describe": describe,
    "protect": protect,
    "assess": assess,
    "attack": attack,
    "gate": gate,
    "correct": correct,
    "sweep": sweep,
    "tune": tune,
    "report": report,
    "list": list_entries,
    "show": show,
    "sample": sample,
    "reproduce": reproduce,
    "demo": demo,
}
for verb, function in VERBS.items():
    app.command(verb)(function)
