"""The code blocks of a page, and how each kind of block is run."""

import doctest
import io
import re
import shlex
import textwrap
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sdckit.cli import main

FENCE = re.compile(r"^(?P<indent> *)```(?P<language>\w+)?(?P<rest>[^\n]*)\n(?P<code>.*?)^(?P=indent)```", re.M | re.S)


@dataclass(frozen=True)
class Block:
    """One fenced block; `title` is the file that it shows."""

    language: str
    title: str | None
    code: str
    line: int


def blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a page in order, those under a tab too.

    >>> [(block.language, block.code) for block in blocks("```python\\nx = 1\\n```")]
    [('python', 'x = 1\\n')]
    """
    for found in FENCE.finditer(text):
        title = re.search(r'title="([^"]+)"', found["rest"])
        line = text.count("\n", 0, found.start()) + 2
        code = textwrap.dedent(found["code"])
        yield Block(found["language"] or "", title[1] if title else None, code, line)


def run(text: str, page: str, folder: Path, names: dict[str, Any] | None = None) -> dict[str, Any]:
    """Run a page's blocks one after the other, in a folder that is the current one."""
    space: dict[str, Any] = {"__name__": "page"} | (names or {})
    for block in blocks(text):
        where = f"{page}, line {block.line}"
        if block.title is not None:
            (folder / block.title).write_text(block.code, encoding="utf-8")
        elif block.language == "python":
            exec(compile("\n" * (block.line - 1) + block.code, page, "exec"), space)
        elif block.language == "pycon":
            compare(block, space, where)
        elif block.language == "console":
            for command, shown in commands(block.code):
                said = obey(command, where)
                for line in shown:
                    assert told(line) in told(said), f"{where}: {line!r} is not what it says:\n{said}"
    return space


def compare(block: Block, space: dict[str, Any], where: str) -> None:
    """Run examples and compare what they show."""
    examples = doctest.DocTestParser().get_doctest(block.code, space, where, where, block.line - 1)
    said: list[str] = []
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    result = doctest.DocTestRunner(optionflags=flags).run(examples, out=said.append, clear_globs=False)
    space.update(examples.globs)
    assert result.failed == 0, "".join(said)


def commands(code: str) -> Iterator[tuple[list[str], list[str]]]:
    """Each `$ sdckit …` of a console block with what is shown below it; a backslash at the end joins the next line."""
    for part in re.split(r"^\$ ", code.replace("\\\n", " "), flags=re.M)[1:]:
        command, *shown = part.splitlines()
        words = shlex.split(command, comments=True)
        assert words[0] == "sdckit", f"a console block runs sdckit alone, not {words[0]!r}"
        yield words[1:], [line for line in shown if line.strip(" …")]


def told(text: str) -> str:
    """A text without its line breaks, which depend on the width of the terminal.

    >>> told("one \\n two")
    'one two'
    """
    return " ".join(text.split())


def obey(words: list[str], where: str) -> str:
    """What one command prints, run in this process to save the imports; it must end well."""
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        code = main(words)
    assert code == 0, f"{where}: sdckit {' '.join(words)}\n{said.getvalue()}"
    return said.getvalue()
