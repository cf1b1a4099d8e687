"""What a written recipe says of its masked file is read again, and checked."""

import numpy as np
import pytest

from sdckit.errors import FileError, SchemaError, SdcError
from sdckit.recipe import Recipe
from sdckit.release import protect
from sdckit.release_table import ReleaseTable
from sdckit.testing.files import a_file


@pytest.mark.parametrize("guessable", [False, True])
def test_the_table_of_a_written_recipe_is_read_again(tmp_path, guessable):
    release = protect(a_file(12), "mdav", seed=1)
    table = ReleaseTable.of(release.masked, guessable_seed=guessable)
    path = tmp_path / "recipe.toml"
    path.write_text(table.recipe_toml(release.recipe), encoding="utf-8")
    assert ReleaseTable.from_toml(path) == table
    assert Recipe.from_toml(path) == release.recipe
    path.write_text(release.recipe.to_toml(), encoding="utf-8")
    assert ReleaseTable.from_toml(path) is None


def test_the_rows_in_any_order_are_the_file_described_and_others_are_not():
    release = protect(a_file(12), "mdav", seed=1)
    table = ReleaseTable.of(release.masked)
    table.check(release.original, release.masked.take(np.arange(12)[::-1]))
    with pytest.raises(SdcError):
        table.check(release.original, protect(a_file(12), "additive-noise", seed=2).masked)


def test_each_mistake_has_its_own_message():
    release = protect(a_file(12), "additive-noise", seed=1)
    table = ReleaseTable.of(release.masked)
    assert table.records == 12 and not table.guessable_seed
    with pytest.raises(SchemaError, match="are exchanged"):
        table.check(release.masked, release.original)
    with pytest.raises(SchemaError, match="file of 12 records, and this one has 11"):
        table.check(release.original, release.masked.take(np.arange(11)))
    with pytest.raises(SchemaError, match="edited after masking"):
        table.check(release.original, protect(a_file(12), "additive-noise", seed=2).masked)


@pytest.mark.parametrize("table", [3, {}, {"digest": "x"}, {"digest": 3, "records": 3}, {"digest": "x", "records": ""}])
def test_a_table_of_other_content_is_refused(table):
    with pytest.raises(FileError, match="a digest and records"):
        ReleaseTable.from_dict({"release": table})


def test_a_table_is_written_with_what_says_something():
    assert ReleaseTable("x", 3).to_dict() == {"digest": "x", "records": 3}
    assert ReleaseTable("x", 3, True).to_dict() == {"digest": "x", "records": 3, "guessable_seed": True}
    assert ReleaseTable.from_dict({}) is None
    assert ReleaseTable.from_dict({"release": {"digest": "x", "records": 3, "guessable_seed": 1}}) == ReleaseTable(
        "x", 3
    )
