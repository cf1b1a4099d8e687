"""The words of an edit that is written as text, each with its position."""

import re
from math import isinf
from typing import NamedTuple

from sdckit.errors import SchemaError

KEYWORDS = frozenset({"if", "then", "and", "or", "not", "in", "within", "true", "false"})
SIGNS = {"=": "==", "≤": "<=", "≥": ">=", "≠": "!=", "<>": "!=", "−": "-", "·": "*", "×": "*", "±": "within"}
MOST = 500  # words of an edit
WORDS = re.compile(
    r"""\s*(?:
      (?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(?![\w.])
    | (?P<name>[^\W\d]\w*(?:\.\w+)*)
    | (?P<column>`(?:[^`]|``)+`)
    | (?P<quoted>"(?:[^"]|"")*"|'(?:[^']|'')*')
    | (?P<sign>==|!=|<>|<=|>=|[-+*/=<>≤≥≠−·×±%(){},])
    )""",
    re.VERBOSE,
)


class Token(NamedTuple):
    """A word: its kind (number, name, column, quoted, sign, keyword or end), its text and its position, from 1."""

    kind: str
    text: str
    position: int

    @property
    def shown(self) -> str:
        """The word as a message quotes it."""
        return "the end" if self.kind == "end" else repr(self.text)


def tokens(text: str) -> list[Token]:
    """The words of a text, the end after the last."""
    found: list[Token] = []
    position = 0
    while text[position:].strip():
        match = WORDS.match(text, position)
        if match is None or match.lastgroup is None:
            start = position + len(text[position:]) - len(text[position:].lstrip())
            raise syntax_error(text, start + 1, _unreadable(text[start:]))
        kind, word = match.lastgroup, match.group(match.lastgroup)
        if kind == "number" and isinf(float(word)):
            raise syntax_error(text, match.start(kind) + 1, f"{word} is too large for a number")
        found.append(_token(kind, word, match.start(match.lastgroup) + 1))
        position = match.end()
        if len(found) > MOST:
            raise syntax_error(text[:60] + "…", position, f"it has more than {MOST} words; write several edits")
    return [*found, Token("end", "", len(text.rstrip()) + 1)]


def column_text(name: str) -> str:
    """The name of a column as an edit has it, in backquotes where it is not a plain word.

    >>> column_text("age"), column_text("net pay"), column_text("in")
    ('age', '`net pay`', '`in`')
    """
    plain = name.isidentifier() and name.casefold() not in KEYWORDS
    return name if plain else f"`{name.replace('`', '``')}`"


class TokenReader:
    """The words of a text, read one after the other."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = tokens(text)
        self.next = 0

    @property
    def word(self) -> Token:
        """The next word."""
        return self.words[self.next]

    def takes(self, *texts: str) -> str:
        """The next word if it is one of these, which is then read; else an empty text."""
        if self.word.kind in ("sign", "keyword") and self.word.text in texts:
            self.next += 1
            return self.words[self.next - 1].text
        return ""

    def expect(self, text: str) -> None:
        """Read this word, or raise an error."""
        if not self.takes(text):
            raise self.error(f"expected {text!r}, not {self.word.shown}")

    def error(self, problem: str, at: Token | None = None) -> SchemaError:
        """The error at a word, by default the next one."""
        return syntax_error(self.text, (at or self.word).position, problem)


def syntax_error(text: str, position: int, problem: str) -> SchemaError:
    """The error for a text that is no edit."""
    return SchemaError(f"the edit {text!r}, position {position}: {problem}")


def _token(kind: str, word: str, position: int) -> Token:
    if kind in ("column", "quoted"):
        return Token(kind, word[1:-1].replace(word[0] * 2, word[0]), position)
    if kind == "name" and word in KEYWORDS:
        return Token("keyword", word, position)
    if kind == "sign":
        word = SIGNS.get(word, word)
        return Token("keyword" if word in KEYWORDS else "sign", word, position)
    return Token(kind, word, position)


def _unreadable(rest: str) -> str:
    if rest[0] in "`\"'":
        return f"the quote {rest[0]} is not closed"
    if rest[0].isdigit():
        word = rest.split()[0]
        return f"{word!r} is neither a number nor a name; write a column of that name in backquotes"
    return f"the character {rest[0]!r} has no meaning in an edit; write a column with such a name in backquotes"
