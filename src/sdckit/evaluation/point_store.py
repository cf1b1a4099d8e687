"""Points on disk, from which a sweep continues: only what this user's own sweep wrote is believed.

A point is a file whose name is a digest of all that it depends on. It carries an authentication code (HMAC-SHA-256)
over that digest and its own content, made with a secret of the user. A point that was edited, copied under another
name, or written by somebody else, even by somebody who has the data, has no valid code and is computed again. The
secret is in the user's state folder, readable by its owner alone; where it cannot be kept, no point is believed later.
"""

import hashlib
import hmac
import json
import os
import secrets
import stat
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sdckit.files.atomic import replacing

SECRET_BYTES = 32
OWNER_ONLY = 0o600


@dataclass(frozen=True)
class PointStore:
    """The folder of the points, and the secret with which they are authenticated."""

    folder: Path
    secret: bytes = field(repr=False)

    @classmethod
    def at(cls, folder: Path) -> "PointStore":
        """The store in a folder, with the secret of this user."""
        return cls(folder, user_secret())

    def path(self, title: str, subject: str) -> Path:
        """The file of the point on a subject, which is the text of all that it depends on."""
        name = "".join(letter if letter.isalnum() else "-" for letter in title)
        return self.folder / f"{name[:60]}-{hashlib.sha256(subject.encode()).hexdigest()[:20]}.json"

    def write(self, title: str, subject: str, content: Any) -> None:
        """Write a point with its authentication code."""
        text = json.dumps(content, default=str)
        document = json.dumps({"content": text, "code": self._code(subject, text)})
        with replacing(self.path(title, subject), force=True, mode=OWNER_ONLY) as temporary:
            temporary.write_text(document, encoding="utf-8")

    def read(self, title: str, subject: str) -> Any:
        """The content of a point; None where there is none, or where its code is not the one of this content."""
        try:
            document = json.loads(self.path(title, subject).read_bytes())
            text, code = document["content"], document["code"]
            if not hmac.compare_digest(self._code(subject, text), code):
                return None
            return json.loads(text)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None

    def _code(self, subject: str, text: str) -> str:
        parts = (subject.encode(), text.encode())
        message = b"".join(len(part).to_bytes(8, "big") + part for part in parts)
        return hmac.new(self.secret, message, hashlib.sha256).hexdigest()


def user_secret() -> bytes:
    """The secret of this user, drawn when it is first needed; a new one where it cannot be kept, or others read it."""
    path = _state_folder() / "points.secret"
    found = _private_content(path)
    if found is not None:
        return found
    drawn = secrets.token_bytes(SECRET_BYTES)
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        temporary = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
        try:
            with os.fdopen(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY), "wb") as handle:
                handle.write(drawn)
            if path.exists():
                os.replace(temporary, path)  # others could read or write it
            else:
                with suppress(FileExistsError):
                    os.link(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
        return _private_content(path) or drawn  # another process may have been faster
    return drawn


def _private_content(path: Path) -> bytes | None:
    """The content of a file that its owner alone, this user, can read and write."""
    with suppress(OSError):
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        with os.fdopen(handle, "rb") as file:
            status = os.fstat(handle)
            if os.name == "posix" and (status.st_uid != os.geteuid() or stat.S_IMODE(status.st_mode) & 0o077):
                return None
            content = file.read(SECRET_BYTES + 1)
            return content if len(content) == SECRET_BYTES else None
    return None


def _state_folder() -> Path:
    base = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    return Path(base) / "sdckit"
