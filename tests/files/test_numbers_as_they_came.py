"""Numbers and dates leave as they came: no digits of single precision, no midnight, no further decimals."""

import datetime

import polars as pl
import pyreadstat
import pytest

from sdckit import protect, read, write

DAYS = [datetime.datetime(2020, 1, 1), datetime.datetime(2021, 5, 6), None, datetime.datetime(1999, 12, 31)]
TABLE = pl.DataFrame({"who": ["a", "b", "c", "d"], "x": [46.67, 246.9, 1000.0, 3.5], "day": DAYS})
EXPECTED = "who,x,day\na,46.67,2020-01-01\nb,246.9,2021-05-06\nc,1000,\nd,3.5,1999-12-31\n"


def stored(path):
    """The table in a format; of Stata with single precision."""
    if path.suffix == ".sav":
        pyreadstat.write_sav(TABLE, path)
    elif path.suffix == ".dta":
        frame = TABLE.to_pandas()
        frame.assign(x=frame["x"].astype("float32")).to_stata(path, write_index=False)
    else:
        TABLE.write_excel(path)
    return path


@pytest.mark.parametrize("suffix", [".sav", ".dta", ".xlsx"])
def test_a_file_of_another_format_becomes_the_csv_that_a_person_would_write(suffix, tmp_path):
    write(read(stored(tmp_path / f"file{suffix}")), tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text(encoding="utf-8") == EXPECTED


@pytest.mark.parametrize("suffix", [".sav", ".dta", ".xlsx"])
def test_masked_numbers_have_the_decimals_of_the_original(suffix, tmp_path):
    release = protect(read(stored(tmp_path / f"file{suffix}")), "mdav:group_size=2", ["x"], seed=1)
    assert sorted(set(release.masked.columns["x"].round(10))) == pytest.approx([25.08, 623.45], abs=0.006)
    assert all(abs(100 * value - round(100 * value)) < 1e-6 for value in release.masked.columns["x"])


@pytest.mark.parametrize("cell", ["2020-01-01 10:30:00", "2020-01-01T10:30:00.250", "2020-01-01 00:00:00.000000"])
def test_times_of_a_csv_file_keep_their_form(cell, tmp_path):
    (tmp_path / "file.csv").write_text(f"t,n\n{cell},1\n{cell},2\n", encoding="utf-8")
    data = read(tmp_path / "file.csv")
    assert not data.attribute("t").coded
    write(data, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text(encoding="utf-8") == f"t,n\n{cell},1\n{cell},2\n"
