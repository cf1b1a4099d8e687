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

FENCE = re.compile(
    r"^(?P<indent> *)(?P<varies><!-- figures vary -->\n\n?(?P=indent))?"
    r"```(?P<language>\w+)?(?P<rest>[^\n]*)\n(?P<code>.*?)^(?P=indent)```",
    re.M | re.S,
)
FIGURE = re.compile(r"\d[\d.,]*")


@dataclass(frozen=True)
class Block:
    """One fenced block; `title` is the file that it shows, `varies` says that its figures differ from run to run."""

    language: str
    title: str | None
    code: str
    line: int
    varies: bool = False


def blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a page in order, those under a tab too.

    >>> [(block.language, block.code) for block in blocks("```python\\nx = 1\\n```")]
    [('python', 'x = 1\\n')]
    """
    for match in FENCE.finditer(text):
        title = re.search(r'title="([^"]+)"', match["rest"])
        line = text.count("\n", 0, match.start("language")) + 2
        code = textwrap.dedent(match["code"])
        yield Block(match["language"] or "", title[1] if title else None, code, line, match["varies"] is not None)


def problems(text: str, page: str, folder: Path) -> list[str]:
    """Run a page's blocks one after the other, in a folder that is the current one; what differs from the page."""
    space: dict[str, Any] = {"__name__": "page"}
    problems: list[str] = []
    for block in blocks(text):
        where = f"{page}, line {block.line}"
        if block.title is not None:
            (folder / block.title).write_text(block.code, encoding="utf-8")
        elif block.language == "python":
            exec(compile("\n" * (block.line - 1) + block.code, page, "exec"), space)
        elif block.language == "pycon":
            problems += wrong_examples(block, space, where)
        elif block.language == "console":
            problems += outdated_output(block, where)
    return problems


def wrong_examples(block: Block, space: dict[str, Any], where: str) -> list[str]:
    """Run examples; those that show something else."""
    examples = doctest.DocTestParser().get_doctest(block.code, space, where, where, block.line - 1)
    messages: list[str] = []
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    doctest.DocTestRunner(verbose=False, optionflags=flags).run(examples, out=messages.append, clear_globs=False)
    space.update(examples.globs)
    return messages


def outdated_output(block: Block, where: str) -> list[str]:
    """Run commands in this process, to save the imports: those that fail, and lines that they do not print."""
    problems = []
    for words, expected in commands(block.code):
        printed = io.StringIO()
        with redirect_stdout(printed), redirect_stderr(printed):
            code = main(words)
        output = printed.getvalue()
        if code != 0:
            problems.append(f"{where}: sdckit {' '.join(words)} has exit code {code}\n{output}")
        problems += [
            f"{where}: {line!r} is not what it prints:\n{output}"
            for line in expected
            if normalised(line, block.varies) not in normalised(output, block.varies)
        ]
    return problems


def commands(code: str) -> Iterator[tuple[list[str], list[str]]]:
    """Each `$ sdckit …` of a console block with the output below it; a backslash at the end joins the next line."""
    for part in re.split(r"^\$ ", code.replace("\\\n", " "), flags=re.M)[1:]:
        command, *output = part.splitlines()
        words = shlex.split(command, comments=True)
        assert words[0] == "sdckit", f"a console block runs sdckit alone, not {words[0]!r}"
        yield words[1:], [line for line in output if line.strip(" …")]


def normalised(text: str, varies: bool = False) -> str:
    """A text without its line breaks, which depend on the width of the terminal, and without figures that vary.

    >>> normalised("one \\n two"), normalised("5.4% of 1,000", varies=True)
    ('one two', '#% of #')
    """
    words = " ".join(text.split())
    return FIGURE.sub("#", words) if varies else words
