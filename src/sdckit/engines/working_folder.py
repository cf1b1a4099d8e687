"""Working folder: where a run keeps its parts, beside its target, until it is done.

A run that was interrupted leaves the folder. The same run again (same file, recipe, schema, seed, and the same parts
and plan, which follow from the memory) goes on where it stopped; any other run starts anew. The folder has the
original's values and the secret of the draws, so it is private.
"""

import json
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from sdckit.draws import Secret
from sdckit.errors import FileError

POSIX = os.name == "posix"
if POSIX:
    import fcntl

RUN, SECRET, LOCK, MEMORY = "run.json", "secret", "lock", "memory"


@dataclass(frozen=True)
class WorkingFolder:
    """A folder for the parts of a run, and the secret of its draws.

    `resumed`    whether an earlier run left parts that this one goes on from
    `discarded`  whether it left parts of another run, which are gone
    """

    path: Path
    secret: Secret
    resumed: bool
    discarded: bool = False


def folder_beside(target: Path) -> Path:
    """The working folder of a target."""
    return target.with_name(f".{target.name}.sdckit-parts")


@contextmanager
def working_folder(
    target: Path, run: dict[str, Any], seed: int | None, memory: int | None = None
) -> Iterator[WorkingFolder]:
    """The folder of a run; it is removed when the run is done, and left for the next run otherwise.

    `memory` is the limit of a run for which none was set; the run that goes on takes it (`memory_of_earlier_run`).
    """
    path = folder_beside(target)
    _make(path)
    handle = os.open(path / LOCK, os.O_CREAT | os.O_RDWR, 0o600)
    try:
        _lock(handle, target)
        secret, resumed, discarded = _prepared(path, run, seed)
        if not resumed and memory is not None:
            (path / MEMORY).write_text(str(memory), encoding="utf-8")
        yield WorkingFolder(path, secret, resumed, discarded)
        shutil.rmtree(path)
    finally:
        os.close(handle)


def _make(path: Path) -> None:
    """Make the folder; one that is there is believed only if nobody else can have put a secret or parts into it."""
    try:
        path.mkdir(mode=0o700)
    except FileExistsError:
        found = path.lstat()
        shared = POSIX and (found.st_uid != os.geteuid() or found.st_mode & 0o077)
        if shared or not stat.S_ISDIR(found.st_mode):
            raise FileError(
                f"{path}, where an interrupted run would have left its parts, belongs to somebody else or is open to "
                "others, who could read the original there or forge what this run goes on from; remove it, or write "
                "to a folder of your own"
            ) from None


def _lock(handle: int, target: Path) -> None:
    if not POSIX:
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise FileError(f"another run is writing {target}; wait for it, or name another file") from None


def _prepared(path: Path, run: dict[str, Any], seed: int | None) -> tuple[Secret, bool, bool]:
    """The secret of the run, whether an earlier run with the same settings left its parts, and whether another did."""
    given = None if seed is None else Secret.of(seed)
    earlier = _read(path)
    if earlier is not None and earlier.run == run and earlier.serves(given):
        for unfinished in path.rglob(".*"):
            unfinished.unlink(missing_ok=True)
        return earlier.secret, True, False
    for each in path.iterdir():
        if each.name != LOCK:
            shutil.rmtree(each) if each.is_dir() else each.unlink()
    secret = given or Secret.of()
    content = {"value": secret.value.hex(), "guessable": secret.guessable, "drawn": given is None}
    handle = os.open(path / SECRET, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as out:
        json.dump(content, out)
    (path / RUN).write_text(json.dumps(run), encoding="utf-8")
    return secret, False, earlier is not None


class _Earlier(NamedTuple):
    """What an interrupted run was about, and its secret, with whether it was drawn or follows from a seed."""

    run: Any
    secret: Secret
    drawn: bool

    def serves(self, given: Secret | None) -> bool:
        """Whether a run with this secret, or with one to be drawn, can go on from there."""
        return self.drawn if given is None else self.secret.value == given.value


def _read(path: Path) -> _Earlier | None:
    try:
        run, kept = (json.loads((path / name).read_text(encoding="utf-8")) for name in (RUN, SECRET))
        return _Earlier(run, Secret(bytes.fromhex(kept["value"]), bool(kept["guessable"])), bool(kept["drawn"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def memory_of_earlier_run(target: Path) -> int | None:
    """The memory of an interrupted run for which no limit was set; its parts and plan follow from it."""
    try:
        return int((folder_beside(target) / MEMORY).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def fingerprint(*texts: str) -> str:
    """A short digest of what a run depends on."""
    return blake2b("\0".join(texts).encode(), digest_size=16).hexdigest()


def identity(source: Path) -> list[Any]:
    """What distinguishes a file from a changed one: name, size and time of last change, of each part of a folder."""
    files = sorted(source.glob("*.parquet")) if source.is_dir() else [source]
    return [[str(each.resolve()), each.stat().st_size, each.stat().st_mtime_ns] for each in files]
