"""The command line as one application: the verb that is asked for, or all of them for the help."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from sdckit import __version__
from sdckit.cli.outputs import with_checked_paths
from sdckit.cli.verb import Verb, every_verb, verb_named

if TYPE_CHECKING:
    from collections.abc import Mapping

WHOLE_LINE = 200  # characters: no first line of a verb is cut short


def app_for(arguments: Sequence[str]) -> typer.Typer:
    """The application with the verb that the arguments name, or with every verb where they name none."""
    name = next((each for each in arguments if not each.startswith("-")), None)
    verb = None if name is None else verb_named(name)
    return _application(every_verb() if name is None or verb is None else {name: verb})


def _application(verbs: "Mapping[str, Verb]") -> typer.Typer:
    class Verbs(TyperGroup):
        """The verbs, listed under the headings that they declare."""

        def format_commands(self, ctx: Any, formatter: Any) -> None:
            for group in dict.fromkeys(verb.group for verb in verbs.values()):
                names = [name for name, verb in verbs.items() if verb.group == group]
                with formatter.section(group):
                    formatter.write_dl([(name, self.commands[name].get_short_help_str(WHOLE_LINE)) for name in names])

    app = typer.Typer(
        cls=Verbs,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,  # plain help: rich would double the time it takes
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    app.callback(invoke_without_command=True)(sdckit)
    for name, verb in verbs.items():
        app.command(name)(with_checked_paths(verb.function))
    return app


def _version(requested: bool) -> None:
    if requested:
        typer.echo(f"sdckit {__version__}")
        raise typer.Exit()


def sdckit(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
    traceback: Annotated[
        bool, typer.Option("--traceback", help="Show the traceback of an internal error of sdckit, to report it.")
    ] = False,
) -> None:
    """Protect a file about people or firms, attack the release, and measure what was lost.

    Start with `sdckit demo`, or with your own file: `sdckit describe FILE --schema-out schema.toml`.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
