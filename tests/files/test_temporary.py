"""Temporary files: none is left by an error or a signal, and those of killed processes go at the next run."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sdckit.errors import FileError
from sdckit.files import temporary
from sdckit.files.atomic import replacing
from sdckit.files.temporary import NAME, remove_in_use, remove_stale, temporary_beside

WRITES = """
import signal, sys, time
from pathlib import Path
from sdckit.cli.signals import Terminated, ending_cleanly
from sdckit.files.atomic import replacing
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the shell that runs the tests may ignore it
try:
    with ending_cleanly(), replacing(Path(sys.argv[1]), force=True) as path:
        path.write_text("half")
        print("writing", flush=True)
        {wait}
except Terminated as ended:
    sys.exit(ended.code)
"""
SLEEP = "time.sleep(60)"
BUSY = "import ctypes; ctypes.CDLL(None).sleep(60)"  # compiled code, in which Python handles no signal


@pytest.fixture(autouse=True)
def forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test is a new run, which looks into each folder once."""
    monkeypatch.setattr(temporary, "_searched", set())


def writing(target: Path, wait: str) -> subprocess.Popen[str]:
    """A process in the middle of writing a file."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITES.format(wait=wait), str(target)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stdout.readline() == "writing\n"
    return process


@pytest.mark.parametrize("wait", [SLEEP, pytest.param(BUSY, marks=pytest.mark.slow)])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_the_old_file_and_nothing_else(tmp_path: Path, number: signal.Signals, wait: str) -> None:
    target = tmp_path / "out.csv"
    target.write_text("old", encoding="utf-8")
    process = writing(target, wait)
    assert len([*tmp_path.iterdir()]) == 2
    process.send_signal(number)
    assert process.wait(30) == 128 + number
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]
    assert target.read_text(encoding="utf-8") == "old"


def test_what_a_killed_process_left_goes_at_the_next_run(tmp_path: Path) -> None:
    process = writing(tmp_path / "out.csv", SLEEP)
    process.kill()
    process.wait(30)
    left = [path.name for path in tmp_path.iterdir()]
    assert len(left) == 1 and NAME.fullmatch(left[0])
    with replacing(tmp_path / "another.csv") as path:
        path.write_text("new", encoding="utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["another.csv"]


def test_what_a_living_process_writes_stays(tmp_path: Path) -> None:
    process = writing(tmp_path / "out.csv", SLEEP)
    try:
        with replacing(tmp_path / "another.csv") as path:
            path.write_text("new", encoding="utf-8")
        assert len([*tmp_path.iterdir()]) == 2
    finally:
        process.terminate()
        process.wait(30)


def test_what_another_computer_writes_stays_while_it_is_locked(tmp_path: Path) -> None:
    import fcntl

    name = tmp_path / f".sdckit-00000000-{os.getpid()}-{'0' * 16}.csv"
    with name.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        remove_stale(tmp_path)
        assert name.exists()
    temporary._searched.clear()
    remove_stale(tmp_path)
    assert not name.exists()


@pytest.mark.parametrize(
    "name", [".hidden.csv", ".sdckit", "sdckit-00000000-1-0.csv", ".out.5f0c.csv", ".sdckit-x-1-a"]
)
def test_no_other_file_is_removed(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("of somebody else", encoding="utf-8")
    remove_stale(tmp_path)
    assert (tmp_path / name).exists()


def test_a_stale_folder_goes_with_its_content_and_a_link_alone(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "data.csv").write_text("kept", encoding="utf-8")
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    stale = tmp_path / f".sdckit-{temporary._computer()}-{gone.pid}-{'0' * 16}"
    stale.mkdir()
    (stale / "data.csv").write_text("half", encoding="utf-8")
    link = tmp_path / f".sdckit-{temporary._computer()}-{gone.pid}-{'1' * 16}"
    link.symlink_to(elsewhere)
    remove_stale(tmp_path)
    assert not stale.exists()
    assert (elsewhere / "data.csv").exists()


def test_an_interruption_inside_the_clean_up_is_made_good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(KeyboardInterrupt), temporary_beside(tmp_path / "out.csv"):
        monkeypatch.setattr(temporary, "_remove", _interrupted)
    assert len([*tmp_path.iterdir()]) == 1
    monkeypatch.undo()
    remove_in_use()
    assert not [*tmp_path.iterdir()]


# Run by a process of its own, which ends all that it has started.
ENDED_WHILE_A_WORKER_WRITES = """
import subprocess, sys
from pathlib import Path
from sdckit.cli.signals import clean_up
from sdckit.files.temporary import remove_stale
folder = Path(sys.argv[1])
remove_stale(folder)
writes = "from sdckit.files.temporary import temporary_beside; from pathlib import Path; import time; "
writes += f"made = temporary_beside(Path({str(folder / 'point.json')!r})); made.__enter__(); print(1, flush=True); "
worker = subprocess.Popen([sys.executable, "-c", writes + "time.sleep(600)"], stdout=subprocess.PIPE)
worker.stdout.readline()
assert len([*folder.iterdir()]) == 2, "the worker writes"
clean_up()
assert [each.name for each in folder.iterdir()] == [sys.argv[2]]
"""


@pytest.mark.skipif(sys.platform != "linux", reason="children are found in /proc")
def test_what_a_worker_was_writing_goes_with_it(tmp_path: Path) -> None:
    of_another = f".sdckit-{temporary._computer()}-{os.getpid()}-{'0' * 16}"
    (tmp_path / of_another).touch()
    subprocess.run([sys.executable, "-c", ENDED_WHILE_A_WORKER_WRITES, str(tmp_path), of_another], check=True)


def _interrupted(path: Path) -> None:
    raise KeyboardInterrupt


def test_a_full_disk_is_called_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for problem in (OSError(28, "No space left on device"), RuntimeError("os error 28"), OSError(122, "quota")):
        with pytest.raises(FileError, match=r"the disk is full|the quota is used up"), replacing(tmp_path / "out.csv"):
            raise problem
    assert not [*tmp_path.iterdir()]
    with pytest.raises(RuntimeError, match="another"), replacing(tmp_path / "out.csv"):
        raise RuntimeError("another")
