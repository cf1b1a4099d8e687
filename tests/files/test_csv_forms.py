"""CSV files separated by spaces or colons, or with single quotes, are read and written in their form."""

import pytest

from sdckit import read, write

FORMS = {
    "spaces": "age town income\n31 Ely 2100.5\n44 Rye 3900.0\n",
    "aligned with spaces": "age  town   income\n 31  Ely    2100.5\n 44  Rye    3900.0\n",
    "colons": "age:town:income\n31:Ely:2100.5\n44:Rye:3900.0\n",
    "single quotes": "'age','town','income'\n31,'Ely',2100.5\n44,'Rye',3900.0\n",
    "single quotes and semicolons": "age;town;income\n31;'Ely';2100.5\n44;'Rye';3900.0\n",
    "row names of R": '"age" "town" "income"\n"1" 31 "Ely" 2100.5\n"2" 44 "Rye" 3900.0\n',
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_has_the_same_columns(form, tmp_path):
    path = tmp_path / "file.csv"
    path.write_text(FORMS[form], encoding="utf-8")
    data = read(path)
    assert data.matrix(["age", "income"]).tolist() == [[31, 2100.5], [44, 3900.0]]
    assert data.values("town").tolist() == ["Ely", "Rye"]


def test_a_delimiter_between_single_quotes_divides_nothing(tmp_path):
    path = tmp_path / "file.csv"
    path.write_text("'who','age'\n'Lovelace, Ada',31\n'Bo',44\n", encoding="utf-8")
    assert read(path).values("who").tolist() == ["Lovelace, Ada", "Bo"]
    write(read(path), tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text(encoding="utf-8") == "who,age\n'Lovelace, Ada',31\nBo,44\n"


def test_an_apostrophe_is_no_quote(tmp_path):
    path = tmp_path / "file.csv"
    path.write_text("who,age\nO'Hara,31\n'tis,44\nD'Arc',5\n", encoding="utf-8")
    assert read(path).values("who").tolist() == ["O'Hara", "'tis", "D'Arc'"]


def test_missing_cells_between_spaces_are_written_as_na(tmp_path):
    path = tmp_path / "file.txt"
    path.write_text("age income\n31 NA\n44 3\n", encoding="utf-8")
    write(read(path), tmp_path / "out.txt")
    assert (tmp_path / "out.txt").read_text(encoding="utf-8") == "age income\n31 NA\n44 3\n"


@pytest.mark.parametrize("text", ["full name\nAda Lovelace\nBo Derek\n", "time\n12:30\n13:45\n"])
def test_a_column_of_text_with_spaces_or_colons_is_one_column(text, tmp_path):
    path = tmp_path / "file.csv"
    path.write_text(text, encoding="utf-8")
    assert len(read(path).attributes) == 1
