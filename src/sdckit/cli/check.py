"""`sdckit check`: list every problem in schemas, recipes, policies and runs, without any data."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from click.exceptions import Exit

from sdckit.cli import USER_ERROR
from sdckit.cli.command import Argument
from sdckit.cli.options import Json, Quiet
from sdckit.cli.terminal import Terminal, count
from sdckit.cli.verb import Verb

if TYPE_CHECKING:
    from sdckit.document_check import Problem

TABLES_OF = {  # what a document must have to be of use where it is named, one of these
    "schema": ("attributes", "edits"),
    "recipe": ("steps",),
    "policy": ("rules",),
    "intruder map": ("record",),
}


def check(
    files: Annotated[
        list[Path],
        Argument(
            metavar="FILE.toml...",
            help="Schemas, recipes, policies, runs and maps of an intruder's file, in any order.",
        ),
    ],
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """List every problem in schemas, recipes, policies and runs.

    Ends with exit code 0 where there is none, and 2 otherwise. No data are read.

    Example: sdckit check schema.toml recipe.toml policy.toml
    """
    check_documents(Terminal(json, quiet), [("", path) for path in files])


def check_documents(
    terminal: Terminal, documents: Sequence[tuple[str, Path | None]], mistakes: Sequence[str] = ()
) -> None:
    """Print the problems of documents, each with what it is named as (`schema`, `recipe`, `policy`, or nothing).

    `mistakes` are those of the command line itself. Ends with exit code 2 where there is any problem.
    """
    found: list[dict[str, Any]] = [
        {"file": "", "table": "", "key": "", "message": message, "cure": ""} for message in mistakes
    ]
    paths = [(kind, path) for kind, path in documents if path is not None]
    for kind, path in paths:
        found += [_as_dict(path, problem) for problem in problems_of(kind, path)]
    for problem in found:
        where = ", ".join(filter(None, (problem["file"], problem["table"], problem["key"])))
        text = "; ".join(filter(None, (problem["message"], problem["cure"])))
        _print_problem(terminal, where, text)
    if not found:
        terminal.say(f"No problems found in {count(len(paths), 'document')}.")
    bare = "\n".join("\t".join(problem.values()) for problem in found) or "no problems found"
    terminal.result({"documents": [str(path) for _, path in paths], "problems": found}, bare)
    if found:
        raise Exit(USER_ERROR)


def problems_of(kind: str, path: Path) -> "list[Problem]":
    """The problems of a document, also that it lacks what it is named for."""
    from sdckit.document_check import ARRAYS, Problem, check_document
    from sdckit.schema import read_toml

    problems = check_document(path)
    needed = TABLES_OF.get(kind, ())
    if problems or not needed or any(table in read_toml(path) for table in needed):
        return problems
    cure = ARRAYS.get(needed[0], "write [attributes.NAME] with kind and role")
    return [Problem("", "", f"the {kind} has no {' and no '.join(needed)}", cure)]


def _as_dict(path: Path, problem: "Problem") -> dict[str, Any]:
    return {
        "file": str(path),
        "table": problem.table,
        "key": problem.key,
        "message": problem.message,
        "cure": problem.cure,
    }


def _print_problem(terminal: Terminal, where: str, text: str) -> None:
    from rich.markup import escape

    terminal.line(f"[bold red]problem[/] {escape(f'{where}: {text}' if where else text)}")


VERB = Verb(check, group="Prepare and mask", order=12)
