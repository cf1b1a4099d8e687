"""Atomic writing: a file appears complete or not at all, and an old one stays until the new one is on disk."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sdckit.errors import FileError
from sdckit.files.disk_space import without_space
from sdckit.files.temporary import remove_stale, temporary_beside
from sdckit.input_file import refuse_input, special_kind

OWNER_ONLY = 0o600
EVERYBODY = 0o666


@contextmanager
def replacing(path: str | Path, *, force: bool = False, mode: int | None = None) -> Iterator[Path]:
    """A temporary path in the same folder; what is written there replaces the file if no error occurs.

    Until it is complete, its owner alone can read it. Then it has the permissions `mode`, else those of the file that
    it replaces, else the default ones.
    """
    target = Path(os.path.realpath(path))
    refuse_unwritable(path, force=force)
    remove_stale(target.parent)
    try:
        with temporary_beside(target) as temporary, without_space(path):
            yield temporary
            _to_disk(temporary)
            _move(temporary, target, force, mode)
    except FileExistsError:
        raise FileError(
            f"{path} appeared in the meantime and was not replaced; write with force (--force) to replace it"
        ) from None
    except OSError as problem:
        raise FileError(f"{path} cannot be written: {problem.strerror or problem}") from None


def refuse_unwritable(path: str | Path, *, force: bool = False, made: Path | None = None) -> None:
    """Refuse a path that cannot be written, or that was read; the folder `made` will exist by then."""
    try:
        target = Path(os.path.realpath(path))
        special = special_kind(target) or special_kind(path)
        exists = target.exists()
    except (OSError, ValueError) as problem:
        raise FileError(f"{str(path)!r} cannot be written: {getattr(problem, 'strerror', None) or problem}") from None
    if special is not None:
        raise FileError(f"{path} is {special[0]}; {special[1] if 'folder' in special[0] else 'name a file'}")
    if not target.parent.is_dir() and (made is None or target.parent != Path(os.path.realpath(made))):
        raise FileError(f"{path} cannot be written: there is no folder {str(target.parent)!r}; create it first")
    refuse_input(target)
    if exists and not force:
        raise FileError(f"{path} exists already; choose another name, or use force (--force) to replace it")


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
