"""How a column of text writes its dates is detected from its values, and dates are written again in that form."""

from datetime import date

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit import read, write
from sdckit.date_text import date_form
from sdckit.errors import SchemaError
from sdckit.hierarchies.date import build

FORMS = ["%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%-m/%-d/%Y", "%-d.%-m.%Y", "%d-%m-%Y"]


@pytest.mark.parametrize("form", FORMS)
@given(days=st.lists(st.dates(date(1900, 1, 1), date(2100, 1, 1)), min_size=1, max_size=8))
def test_dates_are_read_back_whatever_form_they_have(form, days):
    days = [date(1987, 12, 31), date(2001, 3, 4), *days]  # one that tells day from month, one without zeros
    texts = pl.Series(days).dt.strftime(form)
    assert date_form(texts) == form
    assert texts.str.strptime(pl.Date, form).to_list() == days


@pytest.mark.parametrize(
    "texts",
    [["01/02/2020", "03/04/2021"], ["13/13/2020"], ["2020-02-30"], ["1/02/2020", "12/31/1999"], ["1.5"], ["01.02"], []],
)
def test_what_is_no_date_or_may_be_two_has_no_form(texts):
    assert date_form(pl.Series(texts, dtype=pl.String)) is None


def test_a_date_that_is_the_same_both_ways_is_a_date():
    assert date_form(pl.Series(["01/01/2020", "02/02/2020"])) is not None


@pytest.mark.parametrize("form", FORMS)
def test_a_csv_file_keeps_the_form_of_its_dates(tmp_path, form):
    days = [date(1980, 6, 30), date(1951, 1, 2), date(2001, 12, 13)]
    content = "born,n\n" + "".join(f"{text},{n}\n" for n, text in enumerate(pl.Series(days).dt.strftime(form)))
    (tmp_path / "file.csv").write_text(content, encoding="utf-8")
    data = read(tmp_path / "file.csv")
    assert not data.attribute("born").coded
    assert data.columns["born"].tolist() == [(day - date(1970, 1, 1)).days for day in days]
    write(data, tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_text(encoding="utf-8") == content


def test_a_hierarchy_recognises_the_form_of_its_dates():
    tree = _tree(["06/30/1980", "01/02/1951"])
    assert tree.ancestors("06/30/1980") == ("06/30/1980", "1980-Q2", "1980", "*")
    assert _tree(["3.4.1999", "31.12.1999"]).ancestors("3.4.1999")[1] == "1999-Q2"


def test_a_hierarchy_of_dates_that_may_be_read_two_ways_asks_which():
    with pytest.raises(SchemaError, match=r"day or with the month.*%m/%d/%Y"):
        _tree(["01/02/2020", "03/04/2021"])


def _tree(values):
    return build(values, {"date": ["quarter", "year"]})
