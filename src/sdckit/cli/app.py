"""The command line as one application, which imports the verb that is asked for, or all of them for the help."""

import click

from sdckit import __version__
from sdckit.cli.command import command
from sdckit.cli.outputs import with_checked_paths
from sdckit.cli.verb import every_verb, verb_named
from sdckit.errors import UnknownNameError

WHOLE_LINE = 200  # characters: no first line of a verb is cut short


class Verbs(click.Group):
    """The verbs, listed under the headings that they declare."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all verbs, in the order of the help."""
        return [*every_verb()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The verb of that name; None where there is none."""
        verb = verb_named(cmd_name)
        return None if verb is None else command(cmd_name, verb.function, with_checked_paths(verb.function))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The verb that is typed, and its arguments."""
        if verb_named(args[0]) is None and not ctx.resilient_parsing:
            raise UnknownNameError("verb", args[0], every_verb())
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the verbs with their first lines."""
        verbs = every_verb()
        for group in dict.fromkeys(verb.group for verb in verbs.values()):
            members = [command(name, verb.function) for name, verb in verbs.items() if verb.group == group]
            with formatter.section(group):
                formatter.write_dl([(each.name or "", each.get_short_help_str(WHOLE_LINE)) for each in members])


def _version(context: click.Context, parameter: click.Parameter, requested: bool) -> None:
    if requested:
        print(f"sdckit {__version__}")
        context.exit()


@click.group(
    cls=Verbs,
    invoke_without_command=True,
    subcommand_metavar="VERB [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Print the version."
)
@click.option(
    "--traceback",
    is_flag=True,
    expose_value=False,
    help="Show the traceback of an internal error of sdckit, to report it.",
)
@click.pass_context
def app(context: click.Context) -> None:
    """Protect a file about people or firms, attack the release, and measure what was lost.

    Start with `sdckit demo`, or with your own file: `sdckit describe FILE --schema-out schema.toml`.
    """
    if context.invoked_subcommand is None:
        print(context.get_help())
