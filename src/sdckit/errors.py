"""Mistakes that a user can correct; each message names the cure.

SdcError
├── SchemaError        the file and its schema do not fit
│   └── NoRecordsError a file or frame has columns at most
├── ParameterError     a parameter is unknown, of the wrong type or out of range
│   └── AnalysisError  a function of the user's own fails, so no release can be measured by it
├── UnknownNameError   no such method, measure or column; names the near miss
├── FileError          a file cannot be read or must not be written
│   └── DiskFullError  there is no space left to write it
├── MissingPackageError a method needs a package that is not installed
└── NotApplicableError a measure that does not apply to this release; `assess` omits it unless it was named
    └── NotMeasuredError   a measure that applies and cannot be taken here, for want of memory
"""

import re
import sys
from collections.abc import Iterable, Iterator
from typing import TextIO

HIDDEN = "[shown on a terminal only]"
PRIVATE = re.compile("\ufdd0(.*?)\ufdd1", re.DOTALL)  # Unicode noncharacters: no text has them


class SdcError(Exception):
    """A mistake that the user can correct; the message is one line and says how.

    What `private` marks in it is shown where the message goes to a terminal, and hidden where it goes to a log, a pipe
    or a notebook, which are kept and passed on.
    """

    def __str__(self) -> str:
        return shown(super().__str__(), private_too=on_terminal())


def private(value: object) -> str:
    """A value of a record, as an error message names it: in quotes, and shown on a terminal only.

    >>> shown(f"record 3 has {private('Ann')}", private_too=False)
    'record 3 has [shown on a terminal only]'
    >>> shown(f"record 3 has {private('Ann')}", private_too=True)
    "record 3 has 'Ann'"
    """
    return private_text(repr(value))


def private_text(text: str) -> str:
    """A text that may contain values of records, such as the message of another library."""
    return f"\ufdd0{text}\ufdd1" if text else ""


def shown(message: str, *, private_too: bool) -> str:
    """A message with or without what `private` marks in it."""
    return PRIVATE.sub(r"\1" if private_too else HIDDEN, message)


def message_to_store(problem: BaseException) -> str:
    """The message of an error as a result keeps it: without values of records, also on a terminal.

    A message that quotes an earlier one was put together with what the terminal showed of that, so the values that
    earlier errors mark as private are taken out as well.

    >>> message_to_store(SchemaError(f"record 3 has {private('Ann')}"))
    'record 3 has [shown on a terminal only]'
    """
    message = shown(Exception.__str__(problem), private_too=False)
    for earlier in _quoted_errors(problem):
        for value in filter(None, PRIVATE.findall(Exception.__str__(earlier))):
            message = message.replace(value, HIDDEN)
    return message


def _quoted_errors(problem: BaseException) -> Iterator[BaseException]:
    """The errors that were being handled as this one was raised."""
    earlier = problem.__cause__ or problem.__context__
    while earlier is not None:
        yield earlier
        earlier = earlier.__cause__ or earlier.__context__


def message_on(stream: TextIO | None, problem: BaseException) -> str:
    """The message of an error as it is written to a stream: with values of records on a terminal only."""
    return str(problem) if stream is not None and stream.isatty() else message_to_store(problem)


def on_terminal() -> bool:
    """Whether messages go to a terminal: elsewhere they may be stored."""
    return sys.stderr is not None and sys.stderr.isatty()


class SchemaError(SdcError):
    """The file and its schema do not fit."""


class NoRecordsError(SchemaError):
    """A file or frame has columns at most."""


class ParameterError(SdcError):
    """A parameter is unknown, of the wrong type or out of range."""


class AnalysisError(ParameterError):
    """A function of the user's own fails, or returns what cannot be compared, whatever the release."""


class FileError(SdcError):
    """A file cannot be read or must not be written."""


class DiskFullError(FileError):
    """There is no space left to write a file."""


class MissingPackageError(SdcError):
    """A method needs a package that is not installed."""


class NotApplicableError(SdcError):
    """This measure needs something that the release does not have."""


class NotMeasuredError(NotApplicableError):
    """A measure that applies and cannot be taken here, for want of memory: an optional rule is not left out for it."""


class UnknownNameError(SdcError):
    """An unknown name, with the nearest known one."""

    def __init__(self, what: str, name: str, known: Iterable[str]) -> None:
        self.what, self.name, self.known = what, name, tuple(known)
        super().__init__(f"there is no {what} {name!r}{near_miss(name, self.known)}")

    def __reduce__(self) -> tuple[type, tuple[str, str, tuple[str, ...]]]:
        return type(self), (self.what, self.name, self.known)


def near_miss(name: str, known: Iterable[str]) -> str:
    """The end of an error message: the name that was probably meant, or else the names that exist.

    >>> near_miss("rank-swaping", ["mdav", "rank-swapping"])
    "; did you mean 'rank-swapping'?"
    """
    from difflib import get_close_matches

    names = [str(each) for each in known]
    folded = {each.casefold(): each for each in names}
    close = get_close_matches(name.casefold(), folded, n=1, cutoff=0.6)
    if close:
        return f"; did you mean {folded[close[0]]!r}?"
    if not names:
        return ""
    shown = ", ".join(names[:12])
    return f"; there are: {shown}{', …' if len(names) > 12 else ''}"
