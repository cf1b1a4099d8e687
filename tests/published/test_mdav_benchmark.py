"""The benchmark of MDAV comes out to every printed digit."""

import pytest
from tests.conftest import reference_file

from sdckit.published.comparison import Outcome
from sdckit.published.mdav_benchmark import PRINTED, reproduce


def test_every_printed_digit_is_reproduced() -> None:
    reference_file("data", "CASCrefmicrodata.csv")
    reference_file("data", "EIA.csv")
    done = reproduce()
    assert len(done.cells) == 6 and all(cell.equal for cell in done.cells)
    assert {verdict.outcome for verdict in done.verdicts} == {Outcome.REPRODUCED}


def test_what_is_printed_grows_with_the_groups() -> None:
    for figures in PRINTED.values():
        values = [figures[k].value for k in (3, 5, 10)]
        assert values == sorted(values)


def test_without_the_files_the_error_names_the_cure(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    import sdckit.datasets.reference as reference
    from sdckit.errors import FileError

    monkeypatch.setenv("SDCKIT_DATA", str(tmp_path))
    monkeypatch.setattr(reference, "SOURCE", "file:///nowhere")
    monkeypatch.setitem(__import__("sys").modules, "pooch", None)
    with pytest.raises(FileError, match="SDCKIT_DATA"):
        reproduce(quick=True)
