"""What a killed command may leave: outputs whole or absent, inputs unchanged, nothing else."""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from torture._scenarios import Scenario

Contents = Mapping[str, str]  # a digest for each file, by its path relative to the folder


def contents(folder: Path) -> dict[str, str]:
    """A digest of each file under a folder; a folder without files is listed by its own name."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file():
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
        elif path.is_dir() and not any(path.iterdir()):
            found[name + "/"] = ""
    return found


def of_output(files: Contents, output: str) -> dict[str, str]:
    """The files of one output, which is a file or a folder."""
    return {name: digest for name, digest in files.items() if name == output or name.startswith(f"{output}/")}


def broken_by_the_kill(
    scenario: Scenario, before: Contents, whole: Contents, after: Contents, lines: Mapping[str, bytes], *, cleaned: bool
) -> Iterable[str]:
    """What is wrong after a kill.

    Parameters
    ----------
    before, whole, after: the files before the command, after one that ended by itself, and after the kill
    lines: the bytes of the outputs that grow line by line, by name, and by name with a `*` those of the whole one
    cleaned: whether the signal leaves time to remove temporary files
    """
    for name, digest in before.items():
        if not any(name in of_output(before, output) for output in scenario.outputs) and after.get(name) != digest:
            yield f"the input {name} was changed or removed"
    for output in scenario.outputs:
        left, old, new = of_output(after, output), of_output(before, output), of_output(whole, output)
        if output in lines:
            complete = not lines[output] or lines[output].endswith(b"\n")
            if not complete or not lines[f"{output}*"].startswith(lines[output]):
                yield f"{output} is not the first lines of the whole file"
        elif output in scenario.growing:
            yield from (
                f"{name} is half-written"
                for name, digest in left.items()
                if not _temporary(name) and not name.endswith("/") and new.get(name) != digest
            )
        elif left not in ({}, old, new):
            yield f"{output} is half-written"
    public = of_output(after, scenario.public) if scenario.private else {}
    if public and public == of_output(whole, scenario.public) and not of_output(after, scenario.private):
        yield f"{scenario.public} was written and its {scenario.private} is lost"
    if cleaned:
        yield from (f"the temporary {name} is left" for name in strangers(scenario, before, after))


def strangers(scenario: Scenario, before: Contents, after: Contents) -> list[str]:
    """Files that are neither inputs nor outputs: temporary ones that nobody removed."""
    known = set(before) | {"tmp/"} | {name for output in scenario.outputs for name in of_output(after, output)}
    return [name for name in after if name not in known or _temporary(name)]


def _temporary(name: str) -> bool:
    return any(part.startswith(".") for part in name.split("/"))
