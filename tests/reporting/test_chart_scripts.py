"""The scripts of the charts: kept for the next run, and put together again where what was kept is not whole."""

import stat
from importlib.metadata import version
from pathlib import Path

import pytest

from sdckit.reporting.chart_scripts import javascript_bundle, kept_at

vl_convert = pytest.importorskip("vl_convert")


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Each time the scripts are put together; here they are one line."""
    made: list[str] = []

    def bundle(entry: str) -> str:
        made.append(entry)
        return "draw('ä');\nend"

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(vl_convert, "javascript_bundle", bundle)
    return made


def test_they_are_put_together_once(calls: list[str]) -> None:
    first, second = javascript_bundle.__wrapped__(), javascript_bundle.__wrapped__()
    assert first == second == "draw('ä');\nend"
    assert len(calls) == 1
    assert stat.S_IMODE(kept_at(version("vl-convert-python")).stat().st_mode) == 0o600


@pytest.mark.parametrize("damaged", [b"", b"// 0\ndraw();", b"\xff\xfe", b"draw('x');"])
def test_a_damaged_file_is_replaced(calls: list[str], damaged: bytes) -> None:
    javascript_bundle.__wrapped__()
    path = kept_at(version("vl-convert-python"))
    path.write_bytes(damaged)
    assert javascript_bundle.__wrapped__() == "draw('ä');\nend"
    javascript_bundle.__wrapped__()
    assert len(calls) == 2


def test_a_cache_that_cannot_be_written_does_no_harm(
    calls: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert javascript_bundle.__wrapped__() == "draw('ä');\nend"
