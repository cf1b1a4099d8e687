"""CSV files of every usual make are read alike and written as they were."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.errors import FileError, ParameterError, SchemaError
from sdckit.files import read, write
from sdckit.files.csv_dialect import find_delimiter, is_regular
from sdckit.microdata import Kind, Microdata
from sdckit.schema import Declared, Schema


def csv(folder, content, name="file.csv"):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def written_again(folder, path):
    out = folder / f"again{path.suffix}"
    write(read(path), out)
    return out.read_bytes()


# Reading


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_any_common_delimiter_is_detected(tmp_path, delimiter):
    lines = ["age|town|pay", "30|Ely|1.5", "41|Ur|2.5"]
    file = read(csv(tmp_path, "\n".join(lines).replace("|", delimiter)))
    assert [each.name for each in file.attributes] == ["age", "town", "pay"]
    assert file.columns["age"].tolist() == [30, 41]


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252", "latin-1", "utf-32"]
)
def test_any_common_encoding_is_detected_and_used_again(tmp_path, encoding):
    content = "name,x\nJosé Núñez,1\nZoë,2\n".encode(encoding)
    path = csv(tmp_path, content)
    assert read(path).values("name").tolist() == ["José Núñez", "Zoë"]
    assert written_again(tmp_path, path) == content


def test_the_euro_sign_distinguishes_windows_from_latin(tmp_path):
    assert read(csv(tmp_path, "a,b\n5 €,1\n".encode("cp1252"))).values("a").tolist() == ["5 €"]


def test_a_decimal_comma_is_found_where_the_comma_is_free(tmp_path):
    content = b"age;pay\n30;1,50\n41;1000,25\n"
    path = csv(tmp_path, content)
    file = read(path)
    assert file.columns["pay"].tolist() == [1.5, 1000.25]
    assert file.attribute("pay").decimals == 2
    assert written_again(tmp_path, path) == content


def test_a_quoted_decimal_comma_must_be_declared(tmp_path):
    path = csv(tmp_path, 'a,b\n"1,5",2\n"2,5",3\n')
    assert read(path).attribute("a").coded
    assert read(path, decimal=",").columns["a"].tolist() == [1.5, 2.5]


def test_quoted_delimiters_quotes_and_line_ends_are_text(tmp_path):
    content = b'who,n\n"a,b",1\n"two\nlines",2\n"say ""hi""",3\n'
    path = csv(tmp_path, content)
    assert read(path).values("who").tolist() == ["a,b", "two\nlines", 'say "hi"']
    assert written_again(tmp_path, path) == content


def test_a_quote_within_a_word_is_a_letter(tmp_path):
    assert read(csv(tmp_path, 'what,n\n5" nail,1\n6" nail,2\n7" nail,3\n')).values("what")[0] == '5" nail'


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_line_end_is_accepted_and_blank_lines_are_skipped(tmp_path, end):
    file = read(csv(tmp_path, end.join(["", "a,b", "1,2", "", "3,4", "", ""]).encode()))
    assert file.columns["a"].tolist() == [1, 3]


def test_leading_zeros_keep_a_column_text(tmp_path):
    content = b"zip,n\n01234,1\n48201,2\n"
    path = csv(tmp_path, content)
    assert read(path).attribute("zip").categories == ("01234", "48201")
    assert written_again(tmp_path, path) == content


def test_zero_and_fractions_below_one_are_numbers(tmp_path):
    assert read(csv(tmp_path, "x,y\n0,0.5\n-0.5,.5\n")).columns["x"].tolist() == [0, -0.5]


@pytest.mark.parametrize("mark", ["", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "NULL", "null", ".", " NA "])
def test_the_documented_marks_are_missing(tmp_path, mark):
    file = read(csv(tmp_path, f"n,t\n1,a\n{mark},{mark}\n3,c\n"))
    assert file.missing("n") == file.missing("t") == 1
    assert file.attribute("n").integral


def test_other_marks_can_be_listed(tmp_path):
    path = csv(tmp_path, "country,n\nNA,-9\nSE,2\n")
    file = read(path, Schema({"n": Declared(missing=(-9,))}), missing=("",))
    assert file.values("country").tolist() == ["NA", "SE"]
    assert file.missing("n") == 1


def test_a_column_with_nothing_in_it_is_numbers(tmp_path):
    file = read(csv(tmp_path, "a,b\n1,\n2,NA\n"))
    assert np.isnan(file.columns["b"]).all() and not file.attribute("b").coded


def test_decimals_are_those_of_the_text_and_written_again(tmp_path):
    content = b"fixed,free,whole,science\n1.50,1,3,1e-3\n2.00,2.25,4,2.5\n"
    path = csv(tmp_path, content)
    file = read(path)
    assert [file.attribute(name).decimals for name in ("fixed", "free", "whole", "science")] == [2, 2, None, None]
    assert file.attribute("whole").integral
    assert written_again(tmp_path, path).splitlines()[:2] == [b"fixed,free,whole,science", b"1.50,1,3,0.001"]


def test_trailing_zeros_stay_as_few_as_they_were(tmp_path):
    content = b"shortest,two,none\n6395.0,1.20,10\n0.35,100.125,0.5\n10.0,3.00,200\n"
    assert written_again(tmp_path, csv(tmp_path, content)) == content


def test_dates_are_times_and_keep_their_format(tmp_path):
    content = b"iso,dotted,stamp,not\n2020-02-29,29.02.2020,2020-02-29T23:59:01,2020-13-01\n1950-01-01,,,x\n"
    path = csv(tmp_path, content)
    file = read(path)
    assert file.columns["iso"][0] == file.columns["dotted"][0] == 18321  # days from 1970 to 29 February 2020
    assert file.attribute("not").coded
    assert written_again(tmp_path, path) == content


def test_whole_numbers_too_long_for_a_machine_are_names(tmp_path):
    content = b"id,big,n\n123456789012345678901234,9007199254740993,1\n5,2,2\n"
    path = csv(tmp_path, content)
    assert read(path).attribute("id").coded and read(path).attribute("big").coded
    assert written_again(tmp_path, path) == content


def test_declared_categories_of_whole_numbers_are_the_numbers(tmp_path):
    path = csv(tmp_path, "sex,grade\n1,1.0\n2,2.0\n")
    schema = Schema({name: Declared(kind=Kind.UNORDERED) for name in ("sex", "grade")})
    file = read(path, schema)
    assert file.attribute("sex").categories == (1, 2)
    write(file, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes() == path.read_bytes()


def test_one_column_keeps_its_missing_records(tmp_path):
    file = read(csv(tmp_path, "x\n1\n\n3\n"))
    assert len(file) == 3
    write(file, tmp_path / "out.csv")
    assert len(read(tmp_path / "out.csv")) == 3


def test_a_column_without_a_name_is_named_by_its_number(tmp_path):
    assert [each.name for each in read(csv(tmp_path, ',x\na,1\nb,"2"\n')).attributes] == ["column 1", "x"]


cell = st.text(st.characters(codec="utf-8", exclude_characters="\r\0"), max_size=5)


@given(st.lists(st.tuples(cell, cell), min_size=1, max_size=6), st.sampled_from(";,\t|"))
def test_any_text_is_written_and_read_unchanged(tmp_path_factory, rows, delimiter):
    folder = tmp_path_factory.mktemp("any")
    frame = pl.DataFrame({"one": ["x" + a for a, _ in rows], "two": ["y" + b for _, b in rows]})
    path = folder / "any.csv"
    frame.write_csv(path, separator=delimiter)
    file = read(path, delimiter=delimiter)
    assert file.values("one").tolist() == frame["one"].to_list()
    assert file.values("two").tolist() == frame["two"].to_list()


@given(st.lists(st.decimals(-(10**6), 10**6, places=3, allow_nan=False), min_size=2, max_size=9))
def test_decimal_text_is_written_and_read_unchanged(tmp_path_factory, numbers):
    folder = tmp_path_factory.mktemp("decimals")
    texts = [str(number + 0) for number in numbers]
    content = "\n".join(["x,y", *(f"{text},1" for text in texts)]) + "\n"
    path = csv(folder, content)
    assert written_again(folder, path).decode() == content.replace("-0.000", "0.000")


def test_group_means_of_all_digits_are_written_as_they_were_read(tmp_path):
    means = [7631125.866666666, 0.1234567891]  # to round the first to ten decimals changes its last bit
    before = read(csv(tmp_path, "\n".join(["mean,n", *(f"{mean},1" for mean in means)]) + "\n"))
    write(before, tmp_path / "again.csv")
    assert np.array_equal(before.columns["mean"], means)
    assert np.array_equal(read(tmp_path / "again.csv").columns["mean"], means)


def test_a_masked_column_is_written_with_the_decimals_of_the_original(tmp_path):
    file = read(csv(tmp_path, "x,y\n1.50,a\n2.00,b\n"))
    write(file.with_columns({"x": np.array([1.005, 7.0])}), tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == "x,y\n1.00,a\n7.00,b\n"


def test_letters_that_the_old_encoding_lacks_make_it_utf8(tmp_path):
    file = read(csv(tmp_path, "a,b\né,1\n".encode("cp1252")))
    from dataclasses import replace

    other = file.with_columns({}, [replace(file.attribute("a"), categories=("Ω",))])
    write(other, tmp_path / "out.csv")
    assert read(tmp_path / "out.csv").values("a").tolist() == ["Ω"]


def test_the_extension_decides_where_it_names_a_delimiter(tmp_path):
    file = read(csv(tmp_path, "a;b\n1;2\n"))
    write(file, tmp_path / "out.tsv")
    assert (tmp_path / "out.tsv").read_text() == "a\tb\n1\t2\n"
    write(read(tmp_path / "out.tsv"), tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == "a,b\n1,2\n"


# Formulas


def test_text_that_a_spreadsheet_would_run_is_counted_and_escaped_on_request(tmp_path):
    cells = ["=1+1", "+49 30", "-x", "@sum", "\tx", "plain", "-5", "+1.5"]
    file = Microdata.from_frame(pl.DataFrame({"text": cells, "=head": [-1.0] * 8}))
    written = write(file, tmp_path / "as_is.csv")
    assert written.formula_cells == 6 and not written.formulas_escaped
    written = write(file, tmp_path / "safe.csv", escape_formulas=True)
    assert written.formula_cells == 6 and written.formulas_escaped
    lines = (tmp_path / "safe.csv").read_text().splitlines()
    assert lines[0] == "text,'=head"
    assert [line.split(",")[0] for line in lines[1:]] == ["'=1+1", "'+49 30", "'-x", "'@sum", "'\tx", *cells[5:]]


# What is refused


@pytest.mark.parametrize(
    ("content", "error", "words"),
    [
        (b"", FileError, "is empty"),
        (b" \n \n", FileError, "is empty"),
        (b"a,b\n", SchemaError, "has a header but no records"),
        (b"a,b", SchemaError, "has a header but no records"),
        (b"a,a\n1,2\n", SchemaError, "'a' appears twice"),
        (b"a,b\n1,2\n3\n", FileError, "line 3 has 1 fields where the header has 2"),
        (b"a,b\n1,2\n3,4,5\n", FileError, "line 3 has 3 fields where the header has 2"),
        (b'a,b\n"x\ny",2\n3,4,5\n', FileError, "line 4 has 3 fields"),
        (b'a,b\n1,2\n3,"x\n', FileError, "check its quotes"),
        (b"a,b\n\x00\x01\x02,\x00\n", FileError, "is not a text file"),
        ("x,y\n" + "1,1\n" * 30 + "abc,1\n", SchemaError, r"line 32 has .*unordered.*under missing"),
    ],
)
def test_a_bad_file_is_refused_in_one_line_with_its_cure(tmp_path, content, error, words):
    with pytest.raises(error, match=words) as caught:
        read(csv(tmp_path, content))
    assert "\n" not in str(caught.value)


def test_stray_text_may_be_declared_missing_or_the_column_unordered(tmp_path):
    path = csv(tmp_path, "x,y\n" + "1,1\n" * 30 + "abc,1\n")
    assert read(path, Schema({"x": Declared(missing=("abc",))})).missing("x") == 1
    assert read(path, Schema({"x": Declared(kind=Kind.UNORDERED)})).attribute("x").categories == ("1", "abc")


def test_a_column_with_more_texts_than_numbers_is_text(tmp_path):
    assert read(csv(tmp_path, "x,y\n1,1\nabc,1\ndef,1\n")).attribute("x").categories == ("1", "abc", "def")


def test_stray_text_among_decimal_commas_is_noticed_whatever_points_it_has(tmp_path):
    with pytest.raises(SchemaError, match=r"column 'cost' mixes numbers and text \(line 3"):
        read(csv(tmp_path, "cost;sex\n1,5;f\nk.A.;m\n2,25;f\n3,75;m\n"))
    path = csv(tmp_path, "cost;sex\n1,5;f\nk.A.;m\n2,25;f\n3,75;m\n")
    declared = read(path, Schema({"cost": Declared(missing=("k.A.",))}))
    assert declared.values("cost")[0] == 1.5 and declared.missing("cost") == 1


@pytest.mark.parametrize(
    "cells",
    [
        ("1.234,56", "999,10", "1.000.000,00"),
        ("1,234.56", "999.10", "12,000.00"),
        ("1 234,56", "999,10", "12 000,00"),
        ("1’234.56", "999.10", "12’000.00"),
    ],
)
def test_thousands_separators_are_refused_instead_of_read_as_names(tmp_path, cells):
    content = "cost;sex\n" + "".join(f"{cell};f\n" for cell in cells)
    with pytest.raises(SchemaError, match=r"column 'cost' has numbers with thousands separators \(line 2"):
        read(csv(tmp_path, content), delimiter=";")
    assert len(read(csv(tmp_path, content), Schema({"cost": Declared(kind=Kind.UNORDERED)}), delimiter=";")) == 3


@pytest.mark.parametrize("cells", [("1.234", "2.345"), ("12.345.678", "9.876.543"), ("192.168.100.1", "10.0.0.1")])
def test_points_without_a_decimal_mark_are_no_thousands(tmp_path, cells):
    assert len(read(csv(tmp_path, "x;y\n" + "".join(f"{cell};f\n" for cell in cells)))) == 2


def test_a_masked_file_may_mix_levels(tmp_path):
    path = csv(tmp_path, "x,y\n1,1\n2,1\n[3; 5),1\n")
    with pytest.raises(SchemaError, match="mixes numbers and text"):
        read(path)
    assert read(path, mixtures=True).attribute("x").categories == ("1", "2", "[3; 5)")


def test_a_wrong_encoding_is_refused_with_the_line(tmp_path):
    path = csv(tmp_path, "a,b\nx,1\né,2\n".encode("cp1252"))
    with pytest.raises(FileError, match=r"not utf-8 text \(line 3\)"):
        read(path, encoding="utf-8")
    with pytest.raises(FileError, match="there is no encoding 'klingon'"):
        read(path, encoding="klingon")


def test_an_unknown_option_is_refused_with_the_near_miss(tmp_path):
    with pytest.raises(ParameterError, match="did you mean 'delimiter'"):
        read(csv(tmp_path, "a\n1\n"), delimeter=";")


@pytest.mark.parametrize("option", [{"delimiter": "::"}, {"delimiter": '"'}, {"delimiter": "§"}, {"decimal": "'"}])
def test_a_mark_that_cannot_be_is_refused(tmp_path, option):
    with pytest.raises(FileError, match=r"such as|is '\.' or ','"):
        read(csv(tmp_path, "a,b\n1,2\n"), **option)


# Parts


def test_the_delimiter_by_hand():
    assert find_delimiter("a;b\n1,5;2\n") == ";"
    assert find_delimiter("name, first;age\nx, y;3\n") == ";"
    assert find_delimiter("id,note\n1,a;b\n") == ","
    assert find_delimiter("alone\n1\n") == ","


def test_regular_means_as_many_fields_on_every_line():
    assert is_regular(b"a,b\n1,2", ",", 2)
    assert is_regular(b'a,b\n"x,\ny",2', ",", 2)
    assert not is_regular(b"a,b\n1", ",", 2)
    assert not is_regular(b'a,b\n"1,2', ",", 2)
    assert is_regular(b"a,b\n" + b'"x",2\n' * 200 + b"1,2", ",", 2)  # more quotes than a byte counts
