"""No file makes a reader fail in another way than by one line: damaged, cut short, empty, or of another format."""

import os
import random
import resource
import signal
import struct
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path

import pytest

from sdckit import memory
from sdckit.cli import main
from sdckit.datasets import simulate_survey
from sdckit.errors import FileError, SdcError
from sdckit.files import formats, read, write
from sdckit.files.formats import format_of
from sdckit.files.parquet_footer import checked_footer
from sdckit.graph import Graph
from sdckit.microdata import Microdata

WRITTEN = [
    suffix for each in formats() if each.write and each.in_file for suffix in each.suffixes if suffix != ".sas7bdat"
]
READ = [suffix for each in formats() for suffix in each.suffixes]
ODD = (b"\xff\xff\xff\x7f", b"\xff\xff\xff\xff", b"\0\0\0\0", b"\x80\x80\x80\x80")


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """A small file of every format."""
    folder = tmp_path_factory.mktemp("sound")
    data = {Microdata: simulate_survey(20, seed=1), Graph: Graph.from_edges(20, range(19), range(1, 20))}
    for each in formats():
        for suffix in set(each.suffixes) & set(WRITTEN):
            write(data[each.domain], folder / f"file{suffix}")
    return {suffix: (folder / f"file{suffix}").read_bytes() for suffix in WRITTEN}


def damaged(content: bytes, number: int, seed: int) -> Iterator[bytes]:
    """The content with some bytes changed, left out or added, or cut short."""
    rng = random.Random(seed)
    for _ in range(number):
        changed = bytearray(content)
        if rng.random() < 0.2:
            yield bytes(changed[: rng.randrange(len(changed))])
            continue
        for _ in range(rng.choice((1, 1, 2, 8))):
            at = rng.randrange(len(changed))
            at = rng.choice((at, min(at, 300), max(at, len(changed) - 400)))
            choice = rng.randrange(4)
            if choice == 0:
                changed[at] = rng.randrange(256)
            elif choice == 1:
                changed[at : at + 4] = rng.choice(ODD)
            elif choice == 2:
                del changed[at : at + rng.randrange(1, 9)]
            else:
                changed[at:at] = rng.randbytes(rng.randrange(1, 9))
        yield bytes(changed)


def attempt(path: Path) -> None:
    """Read a file that may be damaged: it is read, or refused by one line that a terminal can show."""
    try:
        read(path)
    except SdcError as error:
        message = str(error)
        assert message and message.isprintable(), repr(message)


@pytest.mark.parametrize("suffix", WRITTEN)
def test_a_damaged_file_is_one_line(tmp_path: Path, sound: dict[str, bytes], suffix: str) -> None:
    path = tmp_path / f"file{suffix}"
    for content in (b"", b"\n", sound[suffix][:4], *damaged(sound[suffix], 8, seed=1)):
        path.write_bytes(content)
        attempt(path)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", WRITTEN)
def test_none_of_many_ends_the_process(tmp_path: Path, sound: dict[str, bytes], suffix: str) -> None:
    # A new process has read nothing: a fork of one in which the threads of a reader run would wait for them forever.
    with get_context("spawn").Pool(1) as pool:
        assert pool.apply(ended_by, (tmp_path / f"file{suffix}", sound[suffix])) == []


def ended_by(path: Path, content: bytes) -> list[str]:
    """The damaged contents that end the process which reads them, or raise another error than ours."""
    ended = []
    for number, changed in enumerate(damaged(content, 300, seed=2)):
        path.write_bytes(changed)
        child = os.fork()
        if child == 0:
            resource.setrlimit(
                resource.RLIMIT_CPU, (60, 60)
            )  # seconds of work: a busy machine takes longer on the clock
            signal.alarm(900)
            try:
                attempt(path)
            except BaseException:
                os._exit(3)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status != 0:
            ended.append(f"file {number} ends in {status}")
    return ended


@pytest.mark.parametrize("suffix", READ)
def test_a_file_of_another_format_is_one_line(tmp_path: Path, sound: dict[str, bytes], suffix: str) -> None:
    path = tmp_path / f"file{suffix}"
    for other in {".csv", ".parquet", ".xlsx", ".sav", ".dta", ".xpt"} - {suffix}:
        path.write_bytes(sound[other])
        if format_of(suffix) is format_of(other):
            continue
        with pytest.raises(SdcError):
            read(path)


@pytest.mark.parametrize("suffix", READ)
def test_a_pipe_a_folder_and_a_device_are_named_as_such(
    tmp_path: Path, suffix: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pipe, folder, device = (tmp_path / f"{name}{suffix}" for name in ("pipe", "folder", "device"))
    os.mkfifo(pipe)
    folder.mkdir()
    device.symlink_to("/dev/zero")
    for path, words in ((pipe, "is a pipe"), (folder, "is a folder"), (device, "is a device")):
        assert main(["describe", str(path)]) == 2
        assert words in capsys.readouterr().err


@pytest.mark.parametrize("suffix", WRITTEN)
def test_a_file_that_cannot_be_written_whole_is_not_written(tmp_path: Path, suffix: str) -> None:
    data = simulate_survey(3000, seed=1)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, hard))  # a disk that is full after so many bytes
    try:
        with pytest.raises(FileError):
            write(data, tmp_path / f"file{suffix}")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("suffix", WRITTEN)
def test_too_little_memory_is_said_before_reading(
    tmp_path: Path, sound: dict[str, bytes], suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"file{suffix}"
    path.write_bytes(sound[suffix])
    monkeypatch.setattr(memory, "free_memory", lambda: 10)
    with pytest.raises(SdcError, match=r"reading .* takes about .* are free"):
        read(path)


def footer(elements: list[bytes], rows: int = 1) -> bytes:
    """A Parquet file without data, whose schema has these elements."""
    meta = b"\x15\x02" + b"\x19" + b"\xfc" + varint(len(elements)) + b"".join(elements)
    meta += b"\x16" + varint(2 * rows) + b"\x19\x0c" + b"\x00"
    return b"PAR1" + meta + struct.pack("<I", len(meta)) + b"PAR1"


def varint(number: int) -> bytes:
    parts = b""
    while number > 127:
        parts += bytes([number & 127 | 128])
        number >>= 7
    return parts + bytes([number])


ROOT, GROUP, LEAF = b"\x48\x01g\x15\x02\x00", b"\x35\x02\x18\x01g\x15\x02\x00", b"\x15\x02\x25\x02\x18\x01x\x00"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (footer([ROOT, *[GROUP] * 100_000, LEAF]), "nested too deeply"),  # ends the process of the reader
        (footer([ROOT, LEAF], rows=5), "do not add up"),
        (footer([ROOT]), "not a tree"),
        (footer([ROOT, LEAF, LEAF]), "not a tree"),
        (footer([b"\x48\x01g\x15" + varint(2**32 - 2) + b"\x00", LEAF]), "not a tree"),
        (footer([]), "not a tree"),
        (b"PAR1" + b"\x19\xfc" + varint(2**31) + b"\x00" * 4 + struct.pack("<I", 11) + b"PAR1", "ends too early"),
        (b"PAR1" + b"\x1c" * 500 + struct.pack("<I", 500) + b"PAR1", "nested too deeply"),
        (b"PAR1" + b"\x19" * 500 + struct.pack("<I", 500) + b"PAR1", "nested too deeply"),
        (b"PAR1" + b"\x00" * 8 + struct.pack("<I", 2**32 - 1) + b"PAR1", "no footer"),
        (b"PAR1" + b"\x00" + struct.pack("<I", 1) + b"PAR1", "missing"),
        (b"PARE" + b"\x00" * 8 + struct.pack("<I", 8) + b"PARE", "encrypted"),
        (b"not at all a Parquet file", "not a Parquet file"),
    ],
)
def test_a_forged_footer_is_refused_before_a_library_reads_it(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "forged.parquet"
    path.write_bytes(content)
    with pytest.raises(FileError, match=reason):
        read(path)


def test_a_sound_footer_says_how_large_its_columns_are(tmp_path: Path, sound: dict[str, bytes]) -> None:
    import pyarrow.parquet

    path = tmp_path / "sound.parquet"
    path.write_bytes(sound[".parquet"])
    groups = pyarrow.parquet.read_metadata(path)
    columns = [groups.row_group(0).column(number) for number in range(groups.num_columns)]
    size = checked_footer(path)
    assert size.bytes == sum(column.total_uncompressed_size for column in columns)
    assert size.values == groups.num_rows * groups.num_columns
