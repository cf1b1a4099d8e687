"""`sdckit man`: the manual pages, made from the texts of the help."""

import re
from pathlib import Path
from typing import Annotated

import click

import sdckit.cli
from sdckit import __version__
from sdckit.cli.command import Argument, Option, command
from sdckit.cli.inputs import refuse_to_overwrite, write_text
from sdckit.cli.options import Force, Json, Quiet
from sdckit.cli.outputs import Output
from sdckit.cli.terminal import Terminal, count
from sdckit.cli.verb import Verb, every_verb
from sdckit.errors import UnknownNameError

SECTION = 1  # of the manual: programs
EXAMPLE = "Example: "


def _pages_in(folder: Path) -> list[Path]:
    return [folder / f"{each}.{SECTION}" for each in ["sdckit", *(f"sdckit-{name}" for name in every_verb())]]


def man(
    verb: Annotated[str, Argument(metavar="[VERB]", help="The verb to describe; without it, sdckit.")] = "",
    out: Annotated[
        Path | None,
        Option(metavar="DIR", help="Write all pages into this folder, such as ~/.local/share/man/man1."),
        Output(files=_pages_in),
    ] = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Print a manual page, or write them all.

    The pages have the texts of `--help`. A page is printed in the format of man.

    Example: sdckit man protect | man -l -
    """
    terminal, pages = Terminal(json, quiet), manual()
    if out is None:
        name = f"sdckit-{verb}" if verb else "sdckit"
        if name not in pages:
            raise UnknownNameError("verb", verb, [each.removeprefix("sdckit-") for each in pages])
        if terminal.chatty:
            print(pages[name])
        terminal.result({"name": name, "page": pages[name]}, pages[name])
        return
    out.mkdir(parents=True, exist_ok=True)
    targets = {name: out / f"{name}.{SECTION}" for name in pages}
    for target in targets.values():
        refuse_to_overwrite(target, force)
    for name, target in targets.items():
        write_text(target, pages[name] + "\n", force=force)
    if terminal.chatty:
        from rich.markup import escape

        terminal.line(f"{count(len(pages), 'manual page')} written to [bold]{escape(str(out))}[/]")
    terminal.result({"path": str(out), "pages": [str(each) for each in targets.values()]})


def manual() -> dict[str, str]:
    """Every manual page by its name, `sdckit` first."""
    from sdckit.cli.app import app

    verbs = every_verb()
    root = app.make_context("sdckit", [], resilient_parsing=True)
    contexts = {name: click.Context(command(name, verb.function), root, name) for name, verb in verbs.items()}
    overview = ["SH VERBS"]
    for heading in dict.fromkeys(verb.group for verb in verbs.values()):
        overview.append(f"SS {_text(heading)}")
        for name in (name for name, verb in verbs.items() if verb.group == heading):
            overview += ["TP", f"B sdckit\\-{_text(name)}", _body(_paragraphs(contexts[name].command)[0])]
    pages = {"sdckit": _page("sdckit", root, overview, [f"sdckit-{name}" for name in verbs])}
    return pages | {f"sdckit-{name}": _page(f"sdckit-{name}", each, [], ["sdckit"]) for name, each in contexts.items()}


def _page(name: str, context: click.Context, overview: list[str], beside: list[str]) -> str:
    """One page: each line begins with a request of man, or is text."""
    first, *others = _paragraphs(context.command)
    usage = " ".join(context.command.collect_usage_pieces(context))
    examples = [each.removeprefix(EXAMPLE) for each in others if each.startswith(EXAMPLE)]
    lines = [
        f'TH "{name.upper()}" "{SECTION}" "" "sdckit {__version__}" "sdckit manual"',
        "SH NAME",
        _body(f"{name} - {first.rstrip('.')}"),
        "SH SYNOPSIS",
        f"B {_text(context.command_path)}",
        _body(usage),
        "SH DESCRIPTION",
        _body(first),
    ]
    for each in others:
        lines += [] if each.startswith(EXAMPLE) else ["PP", _body(each)]
    lines += _described("ARGUMENTS", click.Argument, context) + _described("OPTIONS", click.Option, context) + overview
    for example in examples:
        lines += ["SH EXAMPLE", "nf", _body(example), "fi"]
    lines += ["SH EXIT STATUS", _body(_exit_codes()), "SH SEE ALSO"]
    lines += [_body(", ".join(f"{each}({SECTION})" for each in beside))]
    return "\n".join(line[1:] if line.startswith("\0") else f".{line}" for line in lines)


def _described(title: str, kind: type[click.Parameter], context: click.Context) -> list[str]:
    parameters = [each for each in context.command.get_params(context) if isinstance(each, kind)]
    records = [record for each in parameters if (record := each.get_help_record(context)) is not None]
    lines = [f"SH {title}"] if records else []
    for names, text in records:
        lines += ["TP", f"B {_text(names)}", _body(text)]
    return lines


def _paragraphs(command: click.Command) -> list[str]:
    return [" ".join(each.split()) for each in re.split(r"\n\s*\n", command.help or "") if each.strip()]


def _exit_codes() -> str:
    """The paragraph on exit codes, written once where they are defined."""
    found = next(each for each in (sdckit.cli.__doc__ or "").split("\n\n") if each.startswith("Exit codes:"))
    return " ".join(found.removeprefix("Exit codes:").split())


def _body(text: str) -> str:
    """A line of text, marked as such; man would read one that begins with a full stop as a request."""
    return "\0" + (f"\\&{_text(text)}" if text.startswith((".", "'")) else _text(text))


def _text(text: str) -> str:
    """Text as man reads it: a hyphen that can be copied, and no backslash of its own."""
    return text.replace("\\", "\\e").replace("-", "\\-")


VERB = Verb(man, group="Look things up and try them out", order=59)
