"""Store: what survives the server, in SQLite readable by its owner alone; never a value of a record.

A file is a path with the digest of its bytes. A node of its history is a run (schema, recipe, intruder and policy as
TOML) and the node it was made from: undo goes to the parent, and every change is a child, so nothing is ever lost.
The secret of the draws is in a file of its own; a node refers to it. Results are figures by the fingerprint of what
they were computed from.
"""

import hashlib
import json
import os
import secrets
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sdckit.errors import FileError

OWNER_ONLY, OWNER_FOLDER = 0o600, 0o700
TABLES = """
CREATE TABLE IF NOT EXISTS files (
    id TEXT PRIMARY KEY, path TEXT NOT NULL, digest TEXT NOT NULL, name TEXT NOT NULL,
    current INTEGER, opened TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS nodes (
    id INTEGER PRIMARY KEY AUTOINCREMENT, file TEXT NOT NULL REFERENCES files(id), parent INTEGER,
    label TEXT NOT NULL, run TEXT NOT NULL, made TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS results (
    fingerprint TEXT NOT NULL, name TEXT NOT NULL, figures TEXT NOT NULL, PRIMARY KEY (fingerprint, name)
);
"""


@dataclass(frozen=True)
class StoredFile:
    """A file that was opened: where it is, the digest of its bytes, and the node that was looked at last."""

    id: str
    path: Path
    digest: str
    name: str
    current: int | None
    opened: str


@dataclass(frozen=True)
class Node:
    """One state of the work on a file: its run as TOML, what was changed, and the node before."""

    id: int
    file: str
    parent: int | None
    label: str
    run: str
    made: str


class Store:
    """The state folder: the database, the secrets of the draws, and what long work leaves to go on from."""

    def __init__(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=OWNER_FOLDER)
            folder.chmod(OWNER_FOLDER)
        except OSError as problem:
            raise FileError(
                f"the folder {folder} for the state of the web app cannot be made: {problem.strerror}; "
                "name another by --state"
            ) from None
        self.folder = folder
        path = folder / "state.sqlite"
        path.touch(mode=OWNER_ONLY)
        path.chmod(OWNER_ONLY)
        self._lock = threading.RLock()
        self._database = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._database.row_factory = sqlite3.Row
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.executescript(TABLES)
        for side in folder.glob("state.sqlite*"):
            side.chmod(OWNER_ONLY)

    def close(self) -> None:
        """Close the database."""
        with self._lock:
            self._database.close()

    def file_at(self, path: Path, name: str | None = None) -> StoredFile:
        """The entry of a file with its present content, made where there is none."""
        digest = digest_of(path)
        identity = hashlib.blake2b(f"{path}\0{digest}".encode(), digest_size=8).hexdigest()
        with self._writing() as database:
            database.execute(
                "INSERT INTO files VALUES (?, ?, ?, ?, NULL, ?) ON CONFLICT(id) DO UPDATE SET opened = excluded.opened",
                (identity, str(path), digest, name or path.name, _now()),
            )
        if not self.seed_path(identity).exists():
            self._write_seed(self.seed_path(identity))
        return self.file(identity)

    def file(self, identity: str) -> StoredFile:
        """The entry of a file."""
        row = self._one("SELECT * FROM files WHERE id = ?", identity)
        if row is None:
            raise FileError("this file is not known here any more; open it again")
        return StoredFile(row["id"], Path(row["path"]), row["digest"], row["name"], row["current"], row["opened"])

    def recent(self, limit: int = 8) -> list[StoredFile]:
        """The files opened last that are still where they were."""
        rows = self._all("SELECT id FROM files WHERE current IS NOT NULL ORDER BY opened DESC LIMIT 40")
        files = [self.file(row["id"]) for row in rows]
        return [each for each in files if each.path.is_file()][:limit]

    def add(self, file: str, parent: int | None, label: str, run: str) -> Node:
        """A new node, which becomes the current one of its file."""
        with self._writing() as database:
            cursor = database.execute(
                "INSERT INTO nodes (file, parent, label, run, made) VALUES (?, ?, ?, ?, ?)",
                (file, parent, label, run, _now()),
            )
            number = int(cursor.lastrowid or 0)
            database.execute("UPDATE files SET current = ? WHERE id = ?", (number, file))
        return self.node(number)

    def visit(self, node: Node) -> None:
        """Remember the node that is looked at."""
        with self._writing() as database:
            database.execute("UPDATE files SET current = ? WHERE id = ?", (node.id, node.file))

    def node(self, number: int) -> Node:
        """A node by its number."""
        row = self._one("SELECT * FROM nodes WHERE id = ?", number)
        if row is None:
            raise FileError(f"there is no step {number} in the history; go back to the start page")
        return Node(row["id"], row["file"], row["parent"], row["label"], row["run"], row["made"])

    def nodes(self, file: str) -> list[Node]:
        """The whole history of a file, parents before children."""
        rows = self._all("SELECT id FROM nodes WHERE file = ? ORDER BY id", file)
        return [self.node(row["id"]) for row in rows]

    def keep(self, fingerprint: str, name: str, figures: Any) -> None:
        """Keep figures for the next time they are asked for."""
        with self._writing() as database:
            database.execute(
                "INSERT OR REPLACE INTO results VALUES (?, ?, ?)", (fingerprint, name, json.dumps(figures))
            )

    def kept(self, fingerprint: str, name: str) -> Any | None:
        """The figures that were kept; None where there are none."""
        row = self._one("SELECT figures FROM results WHERE fingerprint = ? AND name = ?", fingerprint, name)
        return None if row is None else json.loads(row["figures"])

    def seed_path(self, file: str) -> Path:
        """The file with the secret of the draws, as a whole number; the command line takes it as a seed."""
        return self.folder / "keys" / f"{file}.seed"

    def seed(self, file: str) -> int:
        """The secret of the draws of a file, 128 bits long."""
        return int(self.seed_path(file).read_text(encoding="ascii"))

    def folder_for(self, name: str) -> Path:
        """A folder of its own for long work to go on from."""
        folder = self.folder / name
        folder.mkdir(parents=True, exist_ok=True, mode=OWNER_FOLDER)
        return folder

    def _write_seed(self, path: Path) -> None:
        path.parent.mkdir(exist_ok=True, mode=OWNER_FOLDER)
        seed = secrets.randbits(127) + 2**127  # the first bit is set: no shorter number is as hard to guess
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY), "w", encoding="ascii") as file:
            file.write(f"{seed}\n")

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield self._database
            except BaseException:
                self._database.execute("ROLLBACK")
                raise
            self._database.execute("COMMIT")

    def _one(self, query: str, *values: Any) -> sqlite3.Row | None:
        return next(iter(self._all(query, *values)), None)

    def _all(self, query: str, *values: Any) -> Sequence[sqlite3.Row]:
        with self._lock:
            rows: list[sqlite3.Row] = self._database.execute(query, values).fetchall()
        return rows


def digest_of(path: Path) -> str:
    """The digest of a file's bytes."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
    except OSError as problem:
        raise FileError(f"{path} cannot be read: {problem.strerror or problem}") from None


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
