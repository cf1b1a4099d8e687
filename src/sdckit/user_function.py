"""A function of the user's own, written as `model.py:fit`: read when it is named, run when it is called.

A name typed on a command line or in a Python call is a request to run that file. A name in a document, such as a
policy, is not: documents come from others. A document can name a function only of a file that the user allows.
"""

import hashlib
import os
import symtable
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, ClassVar, get_args

from sdckit.errors import AnalysisError, FileError, ParameterError, UnknownNameError, private_text
from sdckit.input_file import read_bytes
from sdckit.parameters import Parameter


@dataclass(frozen=True)
class AllowedCode:
    """The Python files whose functions a text may name; None where the user typed the text, which allows any file."""

    files: tuple[Path, ...] | None = ()

    @classmethod
    def naming(cls, files: Iterable[str | Path]) -> "AllowedCode":
        """The files named; one that does not exist is an error, as it is probably misspelt."""
        paths = tuple(map(Path, files))
        for path in paths:
            if not path.is_file():
                raise FileError(f"{path}, whose code is allowed, is not a file; check its name")
        return cls(paths)

    def permits(self, path: Path) -> bool:
        """Whether a function of this file may be named; links to an allowed file are that file."""
        return self.files is None or any(_same_file(path, each) for each in self.files)


NO_CODE = AllowedCode()
TYPED_BY_USER = AllowedCode(None)


def _same_file(one: Path, other: Path) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


@dataclass(frozen=True)
class FunctionInFile:
    """A function in a Python file, with the source of the file, so that a worker process runs what was read here.

    It can import modules from the file's folder. What it prints goes to stderr, so that stdout has the result only.
    """

    in_words: ClassVar[str] = "a file and a function in it, such as model.py:fit"

    path: Path
    name: str
    source: bytes = field(repr=False)
    written: str = field(repr=False, compare=False)

    @classmethod
    def read(cls, text: str, folder: Path | None = None, allowed: AllowedCode = TYPED_BY_USER) -> "FunctionInFile":
        """The function that `FILE.py:NAME` names, with the file relative to a folder; the file is read but not run."""
        file, colon, name = text.rpartition(":")
        if not colon or not file or not name.isidentifier():
            raise ParameterError(f"{text!r} names no function; write the file and the function, such as model.py:fit")
        try:
            path = ((folder or Path()) / file).resolve()
        except (OSError, ValueError, RuntimeError):
            raise ParameterError(
                f"{text!r} names no file; write the file and the function, such as model.py:fit"
            ) from None
        if not allowed.permits(path):
            raise ParameterError(
                f"{text!r} would run the code in {path}, which a document may not do by itself; read that file, then "
                f"allow it by --allow-code {file} (in Python, allow_code=[...])"
            )
        source = read_bytes(path)
        try:
            symbols = symtable.symtable(source, str(path), "exec").get_symbols()  # type: ignore[arg-type]  # bytes are accepted
        except (SyntaxError, ValueError) as problem:
            line = f", line {problem.lineno}" if isinstance(problem, SyntaxError) and problem.lineno else ""
            raise ParameterError(f"{path}{line} is not Python: {getattr(problem, 'msg', problem)}") from None
        bound = {each.get_name(): each for each in symbols if each.is_assigned() or each.is_imported()}
        if name not in bound:
            functions = [each for each, symbol in bound.items() if symbol.is_namespace()]
            raise UnknownNameError(f"function in {path.name} called", name, functions)
        return cls(path, name, source, text)

    @property
    def digest(self) -> str:
        """The SHA-256 of the file, which changes with its content."""
        return hashlib.sha256(self.source).hexdigest()

    def __str__(self) -> str:
        return self.written

    def __repr__(self) -> str:
        return f"FunctionInFile({self.written!r}, sha256={self.digest!r})"

    def __call__(self, *arguments: Any) -> Any:
        with self._importing_from_its_folder():
            return self._loaded()(*arguments)

    def _loaded(self) -> Callable[..., Any]:
        module_name = f"_sdckit_file_{hashlib.sha256(str(self.path).encode() + self.source).hexdigest()[:16]}"
        if module_name not in sys.modules:
            module = ModuleType(module_name)
            module.__file__ = str(self.path)
            sys.modules[module_name] = module  # dataclasses and pickle look their module up by name
            try:
                exec(compile(self.source, str(self.path), "exec"), vars(module))
            except BaseException:
                del sys.modules[module_name]
                raise
        function = getattr(sys.modules[module_name], self.name, None)
        if not callable(function):
            raise AnalysisError(f"{self}: {self.name} is of type {type(function).__name__}, not a function")
        return function  # type: ignore[no-any-return]  # checked just above

    @contextmanager
    def _importing_from_its_folder(self) -> Iterator[None]:
        folder = str(self.path.parent)
        sys.path.append(folder)  # last: a file in the folder must not stand in for an installed module
        try:
            with redirect_stdout(sys.stderr):
                yield
        finally:
            for position in reversed(range(len(sys.path))):
                if sys.path[position] == folder:
                    del sys.path[position]
                    break


def with_functions_from(
    folder: Path | None, declared: Iterable[Parameter], values: Mapping[str, Any], allowed: AllowedCode = NO_CODE
) -> dict[str, Any]:
    """The values of parameters, with each function that a text names read from its file in that folder."""
    functions = {
        name
        for each in declared
        for name in (each.name, each.formerly)
        if each.type is FunctionInFile or FunctionInFile in get_args(each.type)
    }
    return {
        name: FunctionInFile.read(value, folder, allowed) if name in functions and _names_one(value) else value
        for name, value in values.items()
    }


def _names_one(value: Any) -> bool:
    return isinstance(value, str) and value != "none"


def outcome(function: Callable[..., Any], *arguments: Any) -> Any:
    """The result of a user's function; where it fails, an error of one line with the line in the user's code."""
    try:
        return function(*arguments)
    except AnalysisError:
        raise
    except (Exception, SystemExit) as problem:
        text = " ".join(str(problem).split())
        what = f"{type(problem).__name__}{': ' if text else ''}{private_text(text)}"
        raise AnalysisError(f"{title(function)} fails{_failing_line(problem, function)} with {what}") from problem


def title(function: Callable[..., Any]) -> str:
    """A function's name, with its file where it was named by its file."""
    return str(function) if isinstance(function, FunctionInFile) else getattr(function, "__name__", repr(function))


def _failing_line(problem: BaseException, function: Callable[..., Any]) -> str:
    """The last line of the function's own file that was run."""
    code = getattr(function, "__code__", None)
    file = (
        str(function.path) if isinstance(function, FunctionInFile) else isinstance(code, CodeType) and code.co_filename
    )
    line, trace = "", problem.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            line = f" in {Path(file).name}, line {trace.tb_lineno},"
        trace = trace.tb_next
    return line


def content(function: Callable[..., Any] | None) -> str:
    """A function as text that changes with its code, unlike Python's `repr`, which shows its address in memory."""
    if function is None or isinstance(function, FunctionInFile):
        return repr(function)
    import inspect

    import cloudpickle

    digest = hashlib.sha256(cloudpickle.dumps(function))
    with suppress(OSError, TypeError):  # a function typed at a prompt has no file; its pickle contains its code
        digest.update(Path(inspect.getsourcefile(function) or "").read_bytes())
    return f"<{title(function)} sha256={digest.hexdigest()}>"
