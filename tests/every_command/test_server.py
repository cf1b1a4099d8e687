"""The server of the web app: damaged files are refused in one line, and a signal ends it and leaves nothing open."""

import re
import signal
import subprocess
import sys
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.request import HTTPCookieProcessor, build_opener

import pytest
from torture._every_command import SERVER, Command
from torture._sound_files import KINDS, Sound, make

from sdckit.cli import USER_ERROR
from tests.every_command.finished import contents, run
from tests.every_command.test_damaged import DAMAGES

pytest.importorskip("uvicorn", reason="the web app is not installed")


def opening(file: Path, state: Path) -> Command:
    """The command that opens a file in the app."""
    words = (SERVER, str(file), "--state", str(state), "--no-browser")
    return Command(SERVER, words, {"file": file}, {"state": state})


def open_to_others(folder: Path) -> list[str]:
    return [path.name for path in (folder, *folder.rglob("*")) if path.stat().st_mode & 0o077]


@pytest.mark.parametrize("damage", [each for each in DAMAGES if each != "another document"])  # it is a CSV file
def test_a_damaged_file_is_refused(tmp_path: Path, damage: str) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    file, state = folder / "damaged.csv", tmp_path / "state"
    file.write_bytes(DAMAGES[damage])
    done = run(opening(file, state), folder)
    assert done.code == USER_ERROR and not list(done.faults())


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_signal_ends_it_and_its_state_is_private(tmp_path: Path, kind: str) -> None:
    sound, state = make(Sound(tmp_path / "files", kind)), tmp_path / "state"
    before = contents(sound.folder)
    words = [sys.executable, "-m", "sdckit", *opening(sound.folder / sound.values(SERVER, "file")[0], state).words]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None and server.stderr is not None
        try:
            address = re.search(r"http\S+", server.stdout.readline())
            assert address is not None, server.stderr.read()
            browser = build_opener(HTTPCookieProcessor(CookieJar()))
            with browser.open(address.group()) as page:
                assert page.status == 200 and b"Traceback" not in page.read()
            assert not open_to_others(state)
        finally:
            server.send_signal(signal.SIGTERM)
        assert server.wait() == 128 + signal.SIGTERM and "Traceback" not in server.stderr.read()
    assert contents(sound.folder) == before and not open_to_others(state)
    assert not [path.name for path in state.iterdir() if path.name.endswith(("-wal", "-shm"))]
    assert not list((state / "uploads").iterdir())
