"""`sdckit publish`: from the masked file to the folder that is handed over."""

import json
from pathlib import Path

import pytest

from sdckit import read
from sdckit.digest import content_digest

from .conftest import Run

POLICY = '[[rules]]\nmeasure = "il1"\nmax = {}\n'


@pytest.fixture
def masked(run: Run, people: Path, schema: Path) -> Path:
    out = people.with_name("masked.csv")
    outputs = ("--recipe-out", people.with_name("recipe.toml"), "--key-out", people.with_name("masked.key"))
    assert run("protect", people, out, "--schema", schema, "--method", "mdav:group_size=3", *outputs).code == 0
    return out


@pytest.fixture
def attempt(run: Run, people: Path, masked: Path, schema: Path):
    """Publish the masked people under a limit on the loss."""

    def attempt(limit: float, *options: object):
        policy = people.with_name("policy.toml")
        policy.write_text(POLICY.format(limit), encoding="utf-8")
        words = ("--original", people, "--policy", policy, "--recipe", people.with_name("recipe.toml"))
        return run("publish", masked, *words, "--schema", schema, "--out", people.with_name("out"), *options)

    return attempt


def test_a_file_that_meets_the_policy_is_published_with_a_key_of_its_own(
    attempt, run: Run, people: Path, schema: Path
) -> None:
    done = attempt(100, "--key-out", people.with_name("published.key"), "--json")
    assert done.code == 0, done.out + done.err
    folder = people.with_name("out")
    names = ["SHA256SUMS", "data.csv", "recipe.toml", "report-public.html", "schema.toml", "statement.json"]
    assert done.json["published"] and done.json["files"] == names
    assert sorted(path.name for path in folder.iterdir()) == names
    assert not any(b"person 1" in path.read_bytes() for path in folder.iterdir())
    texts = [path.read_text("utf-8") for path in folder.iterdir() if path.suffix != ".html"]
    assert not any('"rows"' in text or "secret" in text or "seed" in text for text in texts)
    two = ("assess", people, folder / "data.csv", "--schema", schema, "--measure", "distance-linkage", "--json")
    with_key = run(*two, "--key", people.with_name("published.key"), "--recipe", folder / "recipe.toml")
    before = run(
        *("assess", people, people.with_name("masked.csv"), "--schema", schema, "--measure", "distance-linkage"),
        *("--key", people.with_name("masked.key"), "--json"),
    )
    assert with_key.json["scores"] == before.json["scores"]


def test_a_rule_on_the_excess_over_a_control_is_checked_before_publishing(
    run: Run, people: Path, masked: Path, schema: Path
) -> None:
    policy, control = people.with_name("policy.toml"), people.with_name("control.csv")
    policy.write_text('[[rules]]\nmeasure = "linkability"\nfigure = "excess"\nmax = 1\n', encoding="utf-8")
    control.write_bytes(people.read_bytes())
    words = ("--original", people, "--policy", policy, "--recipe", people.with_name("recipe.toml"), "--schema", schema)
    without = run("publish", masked, *words, "--out", people.with_name("without"))
    assert without.code == 2 and "--control" in without.err
    done = run("publish", masked, *words, "--out", people.with_name("with"), "--control", control)
    assert done.code == 0, done.out + done.err


def test_a_file_that_does_not_meet_the_policy_is_not_published(attempt, people: Path) -> None:
    done = attempt(0, "--key-out", people.with_name("published.key"))
    assert done.code == 1 and "Nothing was published" in done.out
    assert not people.with_name("out").exists() and not people.with_name("published.key").exists()


def test_the_key_is_not_written_into_the_folder(attempt, people: Path) -> None:
    done = attempt(100, "--key-out", people.with_name("out") / "published.key")
    assert done.code == 2 and "a key is private" in done.err
    assert not people.with_name("out").exists()


def test_a_file_made_with_a_short_seed_is_refused(attempt, run: Run, people: Path, schema: Path) -> None:
    masked = people.with_name("masked.csv")
    attempt(0)  # masks the file
    words = ("--schema", schema, "--method", "mdav", "--seed", 7, "--recipe-out", people.with_name("recipe.toml"))
    assert run("protect", people, masked, *words, "--force").code == 0
    done = attempt(100)
    assert done.code == 2 and "can be guessed" in done.err and not people.with_name("out").exists()


def test_a_column_that_the_original_lacks_is_not_published(attempt, people: Path, masked: Path) -> None:
    recipe = people.with_name("recipe.toml")
    text = recipe.read_text(encoding="utf-8")
    recipe.write_text(text[text.index("[[steps]]") :], encoding="utf-8")
    head, *rows = masked.read_text(encoding="utf-8").splitlines()
    lines = [f"{head},surname", *(f"{row},Name {number}" for number, row in enumerate(rows))]
    masked.write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = attempt(100, "--rows-in-order")
    assert done.code == 2 and "'surname'" in done.err
    assert not people.with_name("out").exists()


def test_the_order_is_kept_on_request(attempt, people: Path) -> None:
    assert attempt(100, "--keep-order", "-q").code == 0
    before, after = read(people.with_name("masked.csv")), read(people.with_name("out") / "data.csv")
    assert content_digest(after, ordered=True) == content_digest(before, ordered=True)
    assert json.loads((people.with_name("out") / "statement.json").read_text())["rows_shuffled"] is False
