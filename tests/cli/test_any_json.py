"""No traceback, whatever is in a JSON file that is read again: key, receipt, dossier and map, each entry replaced."""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from sdckit import key as keys
from sdckit import receipt as receipts
from sdckit.cli import OWN_FAULT, main

from .conftest import Run
from .test_any_document import DATA, mutations

EXAMPLE = Path(__file__).parents[1] / "reporting" / "dossier_edition_1.json"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A small release with its key and a receipt."""
    tmp_path = tmp_path_factory.mktemp("documents")
    names = ("data.csv", "safe.csv", "safe.key", "receipt.json", "document.json", "out.html", "map.json")
    paths = {name: tmp_path / name for name in names}
    paths["data.csv"].write_text(DATA, encoding="utf-8")
    typed = (str(paths["data.csv"]), str(paths["safe.csv"]))
    assert main(["protect", *typed, "--method", "rounding", "--key-out", str(paths["safe.key"]), "-q"]) == 0
    assert main(["receipt", *typed, "--record", "0", "--out", str(paths["receipt.json"]), "-q"]) == 0
    return paths


def command(kind: str, files: dict[str, Path]) -> tuple[object, ...]:
    document, data, safe = files["document.json"], files["data.csv"], files["safe.csv"]
    return {
        "key": ("assess", data, safe, "--key", document, "--measure", "il1s", "--json"),
        "receipt": ("receipt", safe, "--verify", document, "--json"),
        "dossier": ("report", files["out.html"], "--from", document, "--force", "--json"),
        "map": ("report", data, safe, files["out.html"], "--map", document, "--rows-in-order", "--force"),
    }[kind]


def example(kind: str, files: dict[str, Path]) -> Any:
    if kind == "dossier":
        return json.loads(EXAMPLE.read_text(encoding="utf-8"))
    if kind == "map":
        step = {"method": "rounding", "base": 10}
        point = {"method": "rounding", "steps": [step], "seed": 0, "baseline": False, "scores": {"il1s": 0.5}}
        return {"records": 12, "kinds": {"il1s": "loss"}, "points": [point], "skipped": {"mdav": "no"}}
    return json.loads(files["safe.key" if kind == "key" else "receipt.json"].read_text(encoding="utf-8"))


def signed(kind: str, document: Any) -> Any:
    """With the checksum of the changed content, as one who forges the file would write it."""
    checksum = {"key": keys._checksum, "receipt": receipts._checksum}.get(kind)
    if checksum is None or not isinstance(document, dict):
        return document
    content = {name: value for name, value in document.items() if name != "checksum"}
    return content | {"checksum": checksum(content)}


def damaged(kind: str, files: dict[str, Path], step: int, start: int = 0) -> Iterator[tuple[str, str]]:
    for title, document in mutations(example(kind, files), step, start):
        with suppress(TypeError):  # JSON has no dates
            yield title, json.dumps(signed(kind, document))


def failures(run: Run, kind: str, files: dict[str, Path], texts: Iterator[tuple[str, str]]) -> list[str]:
    found = []
    for title, text in texts:
        files["document.json"].write_text(text, encoding="utf-8")
        done = run(*command(kind, files))
        if done.code == OWN_FAULT or not 0 <= done.code <= 3 or "Traceback" in done.err:
            found.append(f"{title}: {done.err[-200:]}{done.out[-250:]}")
    return found


KINDS = {"key": 47, "receipt": 37, "dossier": 9973}


@pytest.mark.parametrize("kind", KINDS)
def test_an_entry_of_another_type_is_one_line(run: Run, files: dict[str, Path], kind: str) -> None:
    assert not failures(run, kind, files, damaged(kind, files, KINDS[kind]))


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*KINDS, "map"])
def test_nor_does_any_other(run: Run, files: dict[str, Path], kind: str) -> None:
    assert not failures(run, kind, files, damaged(kind, files, 97 if kind == "dossier" else 1, 1))


@pytest.mark.parametrize("kind", ["key", "receipt", "dossier", "map"])
@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "null", "[]", '"text"', "1e999", "9" * 5000, "{}", "\ud800"])
def test_a_text_that_is_none_is_one_line(run: Run, files: dict[str, Path], kind: str, text: str) -> None:
    files["document.json"].write_bytes(text.encode("utf-8", "surrogatepass"))
    done = run(*(part for part in command(kind, files) if part != "--json"))
    assert done.code == 2 and done.err.count("\n") == 1 and done.err.startswith("error: "), done
