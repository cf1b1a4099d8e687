"""Messages: no value of a record in a log, no control character on a terminal, from any verb."""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sdckit.catalogue import find
from sdckit.cli import main
from sdckit.cli.terminal import Terminal, json_text
from sdckit.cli.verb import every_verb
from sdckit.errors import NotApplicableError, SchemaError, message_to_store, private, private_text
from sdckit.formatting import CONTROL, printable

MARK = "Q7731Z"
ESCAPE = "\x1b[2J\x07\x9b1mX\u202e"

BAD = {
    "mixture": ("name,income\n" + "a,1\n" * 5 + f"b,{MARK}\n", ""),
    "category": (f"name,income\na,1\n{MARK},2\n", '[attributes.name]\nkind = "discrete"\ncategories = ["a"]\n'),
    "hierarchy": (f"name,income\na,1\n{MARK},2\n", '[attributes.name]\nhierarchy = { levels = [["a", "b"]] }\n'),
    "intervals": (f"name,income\na,1\n{MARK},2\n", "[attributes.name]\nhierarchy = { intervals = [5] }\n"),
    "order": (f"name,income\na,1\n{MARK},2\n", '[attributes.name]\nkind = "discrete"\n'),
    "kind": (f"name,income\n{MARK},1\n{MARK}b,2\n", '[attributes.income]\nkind = "discrete"\ncategories = [7]\n'),
}


def commands(folder: Path) -> dict[str, list[object]]:
    """A command of each verb that reads data, on the files of this folder."""
    bad, out, recipe = folder / "bad.csv", folder / "out", folder / "recipe.toml"
    policy = ("--policy", folder / "policy.toml")
    schema = ("--schema", folder / "schema.toml") if (folder / "schema.toml").exists() else ()
    two = (bad, bad, *schema)
    pseudonyms = ("--columns", "name", "--key", folder / "pseudonyms.key")
    return {
        "describe": ["describe", bad, *schema],
        "hierarchy": ["hierarchy", bad, "name", "--breaks", "1,2", *schema],
        "protect": ["protect", bad, folder / "out.csv", *schema, "--method", "mdav"],
        "assess": ["assess", *two, "--rows-in-order"],
        "attack": ["attack", *two, "--rows-in-order"],
        "gate": ["gate", bad, "--original", bad, *schema, *policy, "--rows-in-order"],
        "report": ["report", bad, bad, folder / "r.html", *schema, "--rows-in-order"],
        "publish": ["publish", bad, "--original", bad, *schema, *policy, "--recipe", recipe, "--out", out],
        "correct": ["correct", bad, "--recipe", recipe, *schema],
        "receipt": ["receipt", *two, "--record", 0],
        "sweep": ["sweep", bad, *schema],
        "tune": ["tune", bad, *schema, "--max-risk", 0.1],
        "groups": ["groups", bad, folder / "g.csv", "--by", "name", "--group-size", 99],
        "combine": ["combine", bad, bad, *schema, "--rule", "none"],
        # no value of the file is a pseudonym, and the roles name a column that is not there
        "pseudonymise": ["pseudonymise", bad, folder / "p.csv", *pseudonyms, "--reverse"],
        "import-schema": ["import-schema", folder / "roles.json", folder / "s.toml", "--file", bad],
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "policy.toml").write_text('[[rules]]\nmeasure = "il1"\nmax = 1\n', encoding="utf-8")
    (tmp_path / "recipe.toml").write_text('[[steps]]\nmethod = "mdav"\n', encoding="utf-8")
    (tmp_path / "roles.json").write_text('{"keyVars": ["absent"]}', encoding="utf-8")
    (tmp_path / "names.csv").write_text("name\na\nb\n", encoding="utf-8")
    names = (str(tmp_path / "names.csv"), str(tmp_path / "pseudonyms.csv"), "--columns", "name")
    assert main(["pseudonymise", *names, "--key-out", str(tmp_path / "pseudonyms.key"), "--quiet"]) == 0
    return tmp_path


def test_every_verb_that_reads_data_is_tried(folder: Path) -> None:
    no_error_of_values = {
        "check",
        "completion",
        "demo",
        "list",
        "man",
        "reproduce",
        "safe-harbour",
        "sample",
        "show",
        "warm-up",
        "web",
    }
    assert set(every_verb()) - set(commands(folder)) == no_error_of_values


@pytest.mark.parametrize("case", BAD)
def test_no_value_of_a_record_is_in_a_message_that_is_stored(
    folder: Path, case: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text, schema = BAD[case]
    (folder / "bad.csv").write_text(text, encoding="utf-8")
    if schema:
        (folder / "schema.toml").write_text(schema, encoding="utf-8")
    for verb, words in commands(folder).items():
        for options in ((), ("--json",)):
            code = main([str(each) for each in (*words, *options)])
            printed = capsys.readouterr()
            assert code == 2, verb
            assert MARK not in printed.out + printed.err, verb
            assert "\ufdd0" not in printed.out + printed.err


def test_a_terminal_shows_the_value(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = SchemaError(f"line 3 has {private(MARK)}{private_text('; and more')}")
    assert str(problem) == "line 3 has [shown on a terminal only][shown on a terminal only]"
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert str(problem) == f"line 3 has {MARK!r}; and more"


@pytest.fixture
def escapes(folder: Path) -> Path:
    """A file with control characters in a column name, a value and a label."""
    rows = "".join(f"{number},{number % 7},t{ESCAPE}{number % 3}\n" for number in range(40))
    path = folder / "bad.csv"
    path.write_text(f"a{ESCAPE}b,n,town\n{rows}", encoding="utf-8")
    return path


def clean(text: str) -> bool:
    return not CONTROL.search(text)


@pytest.mark.parametrize("options", [(), ("--json",), ("--quiet",)])
def test_no_control_character_of_a_file_is_printed(
    escapes: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...]
) -> None:
    describe = ["describe", escapes]
    protect = ["protect", escapes, escapes.with_name("out.csv"), "--method", "rank-swapping", "-f"]
    wrong = [*protect, "--attributes", f"no{ESCAPE}"]
    unknown = ["describe", escapes.with_name(f"no{ESCAPE}.csv")]
    for words in (describe, protect, wrong, unknown, [f"verb{ESCAPE}"]):
        main([str(each) for each in (*words, *options)])
        printed = capsys.readouterr()
        assert printed.out + printed.err or options
        assert clean(printed.out) and clean(printed.err), words


def test_json_keeps_the_names(escapes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["describe", str(escapes), "--json"]) == 0
    names = [each["name"] for each in json.loads(capsys.readouterr().out)["attributes"]]
    assert names[0] == f"a{ESCAPE}b"


@pytest.mark.parametrize("say", [Terminal().warn, Terminal().note, Terminal().line, Terminal(quiet=True).result])
def test_whatever_a_verb_prints_is_cleaned(say: Callable[..., None], capsys: pytest.CaptureFixture[str]) -> None:
    say(f"x{ESCAPE}") if "result" not in say.__name__ else say({}, f"x{ESCAPE}")
    printed = capsys.readouterr()
    assert clean(printed.out + printed.err) and "x" in printed.out + printed.err


def test_a_name_between_colons_is_printed_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    Terminal().say("the column :smile:")
    assert capsys.readouterr().out == "the column :smile:\n"


def test_every_control_character_becomes_visible_and_others_stay() -> None:
    every = "".join(map(chr, range(0x20))) + "".join(map(chr, range(0x7F, 0xA0)))
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", printable(every)) and len(printable(every)) == len(every)
    plain = "Größe (€) – 東京\tx\n"
    assert printable(plain) == plain
    assert json.loads(json_text({"a": every})) == {"a": every}


@pytest.mark.parametrize("case", BAD)
def test_the_terminal_of_the_errors_does_not_open_a_file_that_takes_the_json(
    folder: Path, case: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text, schema = BAD[case]
    (folder / "bad.csv").write_text(text, encoding="utf-8")
    if schema:
        (folder / "schema.toml").write_text(schema, encoding="utf-8")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    for verb, words in commands(folder).items():
        code = main([str(each) for each in (*words, "--json")])
        assert code == 2 and MARK not in capsys.readouterr().out, verb


def test_a_message_that_quotes_another_is_stored_without_its_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)

    def quotes() -> None:
        try:
            raise SchemaError(f"no parent for {private(MARK)}")
        except SchemaError as inner:
            raise NotApplicableError(f"t-closeness: {inner}") from None

    with pytest.raises(NotApplicableError) as caught:
        quotes()
    assert MARK in str(caught.value)
    assert message_to_store(caught.value) == "t-closeness: no parent for [shown on a terminal only]"


def test_no_result_keeps_a_value_that_a_measure_or_a_method_complains_of(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also at a terminal, where messages show it: a file of results is kept and passed on."""

    def complains(*_: object, **__: object) -> None:
        raise NotApplicableError(f"the value {private(MARK)} is not in the hierarchy")

    def refuses(*_: object, **__: object) -> None:
        raise SchemaError(f"the value {private(MARK)} is not in the hierarchy")

    data, policy = folder / "bad.csv", folder / "policy.toml"
    data.write_text("age,pay\n" + "".join(f"{n % 17}.5,{n * 31 % 101}.25\n" for n in range(60)), encoding="utf-8")
    policy.write_text('[[rules]]\nmeasure = "uniqueness"\nmax = 1\noptional = true\n', encoding="utf-8")
    for name in ("uniqueness", "distance-linkage"):
        monkeypatch.setattr(find("risk", name).component, "measure", complains)
    monkeypatch.setattr(find("masking", "rank-swapping").component, "applicable", refuses)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    out, junit, dossier = folder / "map", folder / "junit.xml", folder / "dossier.json"
    two = ("--rows-in-order", "--json")
    for words in (
        ["assess", data, data, *two],
        ["gate", data, "--original", data, "--policy", policy, "--junit", junit, *two],
        ["report", data, data, folder / "r.html", "--json-out", dossier, *two],
        ["sweep", data, "--methods", "rank-swapping,mdav", "--seeds", 1, "--workers", 1, "--out", out, "--json"],
    ):
        main([str(each) for each in words])
        assert MARK not in capsys.readouterr().out, words[0]
    written = [path for path in folder.rglob("*") if path.is_file() and path.name != "names.csv"]
    assert {out / "map.json", junit, dossier, folder / "r.html"} <= set(written)
    assert not [path.name for path in written if MARK in path.read_text("utf-8", errors="replace")]


def test_the_text_of_a_receipt_commands_no_terminal(escapes: Path) -> None:
    made = escapes.with_name("receipt.json")
    assert main(["receipt", str(escapes), str(escapes), "--record", "3", "--out", str(made), "--quiet"]) == 0
    assert clean(made.with_suffix(".txt").read_text("utf-8"))
