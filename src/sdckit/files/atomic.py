"""Atomic writing: a file appears complete or not at all, and an old one stays until the new one is on disk."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from sdckit.errors import FileError

OWNER_ONLY = 0o600
FOLDER_OF_OWNER = 0o700
EVERYBODY = 0o666


@contextmanager
def replacing(path: str | Path, *, force: bool = False, mode: int | None = None) -> Iterator[Path]:
    """A temporary path in the same folder; what is written there replaces the file if no error occurs.

    Until it is complete, its owner alone can read it. Then it has the permissions `mode`, else those of the file that
    it replaces, else the default ones.
    """
    target = Path(os.path.realpath(path))
    _refuse_unwritable(Path(path), target, force)
    temporary = target.with_name(f".{target.stem}.{uuid4().hex}{target.suffix}")
    try:
        os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY))
        yield temporary
        _to_disk(temporary)
        _move(temporary, target, force, mode)
    except FileExistsError:
        raise FileError(
            f"{path} appeared in the meantime and was not replaced; write with force (--force) to replace it"
        ) from None
    except OSError as problem:
        raise FileError(f"{path} cannot be written: {problem.strerror or problem}") from None
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _refuse_unwritable(path: Path, target: Path, force: bool) -> None:
    if target.is_dir():
        raise FileError(f"{path} is a folder; name a file in it")
    if not target.parent.is_dir():
        raise FileError(f"{path} cannot be written: there is no folder {str(target.parent)!r}; create it first")
    if target.exists() and not force:
        raise FileError(f"{path} exists already; write with force (--force) to replace it")


def _to_disk(path: Path) -> None:
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def default_permissions(mode: int) -> int:
    """The permissions of a new file or folder under the umask of this process."""
    mask = os.umask(0o077)  # it can only be read by setting it: what another thread makes meanwhile is private
    os.umask(mask)
    return mode & ~mask


def _permissions(target: Path, force: bool) -> int:
    if force:
        with suppress(OSError):  # the new file takes the permissions of the old one
            return target.stat().st_mode & 0o7777
    return default_permissions(EVERYBODY)


def _move(temporary: Path, target: Path, force: bool, mode: int | None) -> None:
    with suppress(OSError):  # a file system without permissions
        os.chmod(temporary, _permissions(target, force) if mode is None else mode)
    if force:
        os.replace(temporary, target)
    else:
        try:
            os.link(temporary, target)  # fails if another process was faster, unlike a rename
        except FileExistsError:
            raise
        except OSError:  # a file system without links
            os.replace(temporary, target)
    if os.name == "posix":
        _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
