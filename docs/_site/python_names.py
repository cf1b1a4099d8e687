"""The page of the public names: signatures and docstrings as they are in the code. A hook of mkdocs."""

import inspect
import re
from enum import Enum
from typing import TYPE_CHECKING, Any

import sdckit

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

WIDEST = 100  # characters of a signature on one line
PLAIN = (  # what Python prints in a signature, and how a person would write it
    (r"numpy\.ndarray\[tuple\[.*?\], numpy\.dtype\[(?:numpy\.)?([\w.]+)\]\]", r"NDArray[\1]"),
    (r"<(\w+\.\w+): [^>]*>", r"\1"),
    (r"'([A-Z]\w*(?: \| \w+)*)'", r"\1"),
    (r"<factory>", "…"),
    (r"\b(?:sdckit|collections|numpy|pathlib|typing|polars)(?:\.[a-z_]+)*\.(?=[A-Z])", ""),
)


def page() -> str:
    """Every public name, classes with their methods."""
    lines = ["# Python names", "", "All of these are in `sdckit`, loaded when first used.", ""]
    for name in sdckit.__all__:
        value = getattr(sdckit, name)
        lines += [f"## `{name}`", "", *described(name, value), ""]
        for member, method in vars(value).items() if inspect.isclass(value) else ():
            plain = method.__func__ if isinstance(method, classmethod) else method
            if not member.startswith("_") and inspect.isfunction(plain) and plain.__doc__:
                lines += [f"### `{name}.{member}`", "", *described(f"{name}.{member}", plain), ""]
    return "\n".join(lines)


def described(name: str, value: Any) -> list[str]:
    """Signature and docstring; examples in it are set as code, aligned terms as a list."""
    text = inspect.cleandoc(value.__doc__ or "")
    text = re.sub(r"(?m)^>>>(?:.|\n(?!\n))*", lambda example: f"```pycon\n{example[0]}\n```", text)
    text = re.sub(r"(?m)^(`\w+`) {2,}", r"- \1: ", text)
    if inspect.isclass(value) and issubclass(value, Enum):
        return [text, "", "One of " + ", ".join(f"`{each}`" for each in value.__members__) + "."]
    if inspect.isclass(value) and issubclass(value, Exception):
        return [text]
    return ["```python", signature(name, value), "```", "", text]


def signature(name: str, value: Any) -> str:
    """The signature, one parameter a line where a line is too short for it."""
    signed = inspect.signature(value)
    signed = signed.replace(return_annotation=inspect.Signature.empty) if inspect.isclass(value) else signed
    parameters = [plain(str(each)) for each in signed.parameters.values() if each.name not in ("self", "cls")]
    if keywords := [each.name for each in signed.parameters.values() if each.kind is each.KEYWORD_ONLY]:
        first = next(i for i, text in enumerate(parameters) if re.match(rf"{keywords[0]}\b", text))
        parameters.insert(first, "*")
    result = "" if signed.return_annotation is signed.empty else str(signed).rpartition(" -> ")[2]
    tail = f") -> {plain(result)}" if result else ")"
    line = f"{name}({', '.join(parameters)}{tail}"
    if len(line) <= WIDEST:
        return line
    return f"{name}(\n" + "".join(f"    {each},\n" for each in parameters) + tail


def plain(text: str) -> str:
    """A signature without the names of modules and other noise.

    >>> plain("data: sdckit.microdata.Microdata = <factory>")
    'data: Microdata = …'
    """
    for printed, written in PLAIN:
        text = re.sub(printed, written, text)
    return text


def on_files(files: "Files", *, config: "MkDocsConfig") -> "Files":
    """Called by mkdocs: add the page."""
    from mkdocs.structure.files import File

    files.append(File.generated(config, "reference/python.md", content=page()))
    return files
