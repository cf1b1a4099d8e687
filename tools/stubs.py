"""The stubs of `sdckit.methods`, `sdckit.risks` and `sdckit.losses`: every class with its parameters, for editors.

A class in a stub derives from the class it describes, so that a type checker knows its methods too.
"""

import json
import types
import typing
from collections.abc import Callable, Iterable
from pathlib import Path
from textwrap import fill
from typing import Any, get_args, get_origin

from sdckit.catalogue import PACKAGE, Entry, entries
from sdckit.parameters import Parameter

FILES = {"masking": PACKAGE / "methods" / "__init__.pyi", "risk": PACKAGE / "risks.pyi", "loss": PACKAGE / "losses.pyi"}
TITLES = {"masking": "Maskings", "risk": "Disclosure risks and attacks", "loss": "Information losses"}
WIDTH = 120


def stubs() -> dict[Path, str]:
    """The text of each stub."""
    return {path: stub(kind, entries(kind)) for kind, path in FILES.items()}


def stub(kind: str, members: Iterable[Entry]) -> str:
    """The stub of one kind."""
    listed = sorted(members, key=lambda entry: entry.component.__name__)
    named: dict[str, set[str]] = {}
    for entry in listed:
        component = entry.component
        named.setdefault(component.__module__, set()).add(f"{component.__name__} as _{component.__name__}")
        for each in (each for declared in entry.parameters for each in classes_in(declared.type)):
            named.setdefault(each.__module__, set()).add(each.__name__)
    imports = {imported(module, sorted(names)) for module, names in named.items()}
    lines = [f'"""{TITLES[kind]}, from the catalogue: written by `make stubs`, not by hand."""', ""]
    standard = [line for line in imports if not line.startswith("from sdckit")]
    lines += [*sorted(standard), *([""] if standard else []), *sorted(imports.difference(standard)), ""]
    for entry in listed:
        lines += class_stub(entry)
    return "\n".join(lines).rstrip() + "\n"


def imported(module: str, names: list[str]) -> str:
    """The line that imports classes of a module, in several where it is too long for one."""
    line = f"from {module} import {', '.join(names)}"
    return (
        line if len(line) <= WIDTH else "\n".join([f"from {module} import (", *(f"    {each}," for each in names), ")"])
    )


def class_stub(entry: Entry) -> list[str]:
    """A class: its docstring, and its parameters with types, defaults and meaning."""
    name = entry.component.__name__
    lines = [f"class {name}(_{name}):", *docstring(entry.description, 4)]
    if not entry.parameters:
        return [*lines, "    def __init__(self) -> None: ...", ""]
    arguments = [f"{each.name}: {annotation(each.type)} = {default(each.default)}" for each in entry.parameters]
    one_line = f"    def __init__(self, *, {', '.join(arguments)}) -> None:"
    if len(one_line) <= WIDTH:
        lines.append(one_line)
    else:
        lines += ["    def __init__(", "        self,", "        *,", *(f"        {each}," for each in arguments)]
        lines.append("    ) -> None:")
    meaning = "\n".join(
        fill(f"{each.name}: {described(each)}", WIDTH - 8 - len('""""""'), subsequent_indent="    ")
        for each in entry.parameters
    )
    return [*lines, *docstring(meaning, 8), ""]


def described(declared: Parameter) -> str:
    """What a parameter means, with its range."""
    return declared.help + (f"; {declared.range}" if declared.range else "")


def docstring(text: str, indent: int) -> list[str]:
    """A docstring at that indentation; a raw one where it has a formula."""
    raw = "r" if "\\" in text else ""
    first, *rest = (text if raw else text.replace('"""', r"\"\"\"")).split("\n")
    space = " " * indent
    if not rest:
        return [f'{space}{raw}"""{first}"""']
    return [f'{space}{raw}"""{first}', *(f"{space}{line}".rstrip() for line in rest), f'{space}"""']


def annotation(wanted: Any) -> str:
    """A type as written in Python; a type that reads text takes it too."""
    if isinstance(wanted, types.UnionType) or get_origin(wanted) is typing.Union:
        return " | ".join(dict.fromkeys(part for each in get_args(wanted) for part in annotation(each).split(" | ")))
    if wanted is type(None):
        return "None"
    if get_origin(wanted) is Callable:
        *takes, gives = get_args(wanted)
        return f"Callable[[{', '.join(map(annotation, takes[0]))}], {annotation(gives)}]"
    if get_origin(wanted) is tuple:
        return f"tuple[{annotation(get_args(wanted)[0])}, ...]"
    return (
        f"{wanted.__name__} | str"
        if hasattr(wanted, "from_text") or hasattr(wanted, "from_arguments")
        else str(wanted.__name__)
    )


def classes_in(wanted: Any) -> Iterable[Any]:
    """The classes that an annotation names and that must be imported."""
    if get_origin(wanted) is Callable:
        takes, gives = get_args(wanted)
        return [Callable, *(each for part in (*takes, gives) for each in classes_in(part))]
    if get_args(wanted):
        return [each for part in get_args(wanted) if part is not Ellipsis for each in classes_in(part)]
    return [] if getattr(wanted, "__module__", "builtins") == "builtins" else [wanted]


def default(value: Any) -> str:
    """A default as written in a stub: dots where it is no plain value."""
    plain = value is None or isinstance(value, bool | int | str) or (isinstance(value, float) and abs(value) < 1e300)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)  # in double quotes, as the formatter writes them
    return repr(value) if plain or value == () else "..."


if __name__ == "__main__":
    for path, text in stubs().items():
        path.write_text(text, encoding="utf-8")
