"""The memory of a command is that of the command, whatever started it."""

import sys

import pytest
from benchmarks._memory_group import run_within

MIB = 2**20


@pytest.fixture
def large_parent() -> bytearray:
    """This process, having used 400 MiB."""
    used = bytearray(400 * MIB)
    used[::4096] = b"1" * len(used[::4096])
    return used


def test_the_peak_is_not_that_of_the_process_that_starts_the_command(large_parent: bytearray) -> None:
    found = run_within(2**30, [sys.executable, "-S", "-c", "pass"])
    assert found.code == 0
    assert MIB < found.peak < 100 * MIB


def test_the_peak_and_the_exit_code_of_a_command_that_takes_memory() -> None:
    found = run_within(2**30, [sys.executable, "-S", "-c", f"used = b'1' * {200 * MIB}; raise SystemExit(3)"])
    assert found.code == 3
    assert 200 * MIB < found.peak < 300 * MIB
