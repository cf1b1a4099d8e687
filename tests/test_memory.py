"""The memory that is free: the least of what the system, the control groups and the limits of the process leave."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from sdckit import memory
from sdckit.errors import SdcError

MEGABYTE = 2**20


@pytest.fixture
def groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(memory, "GROUPS", tmp_path / "cgroup")
    monkeypatch.setattr(memory, "OWN_GROUPS", tmp_path / "own")
    (tmp_path / "cgroup" / "memory" / "outer" / "inner").mkdir(parents=True)
    (tmp_path / "cgroup" / "outer" / "inner").mkdir(parents=True)
    return tmp_path


def written(folder: Path, **files: object) -> None:
    for name, content in files.items():
        (folder / name.replace("_", ".", 1)).write_text(f"{content}\n", encoding="ascii")


def test_a_container_has_less_than_the_machine(groups: Path) -> None:
    (groups / "own").write_text("0::/outer/inner\n", encoding="ascii")
    folder = groups / "cgroup" / "outer"
    written(folder / "inner", memory_max="max", memory_current=5 * MEGABYTE)
    assert memory._of_the_group() is None
    written(folder, memory_max=20 * MEGABYTE, memory_current=15 * MEGABYTE)
    assert memory._of_the_group() == memory.free_memory() == 5 * MEGABYTE  # that of the outer group counts too
    written(folder, memory_stat=f"anon 1\ninactive_file {2 * MEGABYTE}")
    assert memory._of_the_group() == 7 * MEGABYTE  # what was read from files can be had back
    written(folder / "inner", memory_max=3 * MEGABYTE, memory_current=5 * MEGABYTE)
    assert memory._of_the_group() == 0


def test_the_older_form_of_control_groups(groups: Path) -> None:
    (groups / "own").write_text("4:cpu:/other\n3:memory,hugetlb:/outer/inner\n", encoding="ascii")
    folder = groups / "cgroup" / "memory" / "outer" / "inner"
    (folder / "memory.limit_in_bytes").write_text(str(9 * MEGABYTE), encoding="ascii")
    (folder / "memory.usage_in_bytes").write_text(str(MEGABYTE), encoding="ascii")
    assert memory._of_the_group() == 8 * MEGABYTE


def test_the_limit_of_the_process_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    limit = pages * resource.getpagesize() + 10 * MEGABYTE
    monkeypatch.setattr(resource, "getrlimit", lambda which: (limit, limit))
    left = memory._of_the_limits()
    assert left is not None and 5 * MEGABYTE < left <= 10 * MEGABYTE


def test_too_little_memory_is_said_with_both_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "free_memory", lambda: 2**30)
    memory.refuse_without_memory(2**30, "reading", "read less")
    with pytest.raises(SdcError, match=r"reading takes about 2.0 GB and 1.0 GB are free; read less"):
        memory.refuse_without_memory(2**31, "reading", "read less")
    monkeypatch.setattr(memory, "free_memory", lambda: None)
    memory.refuse_without_memory(2**60, "reading", "read less")


@pytest.mark.skipif(sys.platform != "linux", reason="only the C library of Linux gives memory back when asked")
def test_memory_that_was_freed_is_given_back() -> None:
    """Pieces of some kilobytes are kept by the C library, as those behind them are still in use."""
    program = """
import numpy as np
from sdckit.memory import give_back
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096
pieces = [np.ones(8_000) for _ in range(3_000)]
last = np.ones(8_000)
del pieces
before = resident()
give_back()
print(before - resident())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert int(done.stdout) > 100 * MEGABYTE
