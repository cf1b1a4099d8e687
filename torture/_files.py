"""The files that the trials start from: a small survey in every format, and documents of every kind that go with it."""

import contextlib
import io
from pathlib import Path

import polars as pl

from sdckit.cli import main
from sdckit.datasets import simulate_survey
from sdckit.files import formats, write
from sdckit.microdata import Microdata
from sdckit.schema import Schema

LONG_SEED = 2**127 + 20_250_101  # a seed of 128 bits: repeatable, and not marked as guessable
SCHEMA, RECIPE, POLICY, MAP = "schema.toml", "recipe.toml", "policy.toml", "intruder_map.toml"
STEPS = '[[steps]]\nmethod = "mdav"\ngroup_size = 3\nattributes = ["income", "expenditure"]\n'
RULES = '[[rules]]\nmeasure = "il1"\nmax = 1000.0\n'
INTRUDER_MAP = 'record = "who"\n\n[columns]\nwho = "name"\nyears = "age"\n\n[columns.spent]\noriginal = "expenditure"\n'
INTRUDER_MAP += 'factor = 1000\noffset = 0\n\n[columns.land]\noriginal = "region"\ncategories = { n = "North" }\n'
GRID = "[grid.mdav]\ngroup_size = [3, 4]\n"


def writable_suffixes() -> list[str]:
    """Every extension of a table that can be written."""
    tables = [each for each in formats() if each.write is not None and each.domain is Microdata]
    return [suffix for each in tables for suffix in each.suffixes if suffix != ".sas7bdat"]


def survey(records: int) -> Microdata:
    """A survey of every kind and role."""
    return simulate_survey(records, seed=1)


def make_folder(folder: Path, records: int) -> None:
    """Write an original with its schema, a recipe, a policy and a grid; then the release that follows from them."""
    folder.mkdir(parents=True, exist_ok=True)
    data = survey(records)
    people = pl.Series("name", [f"{name} {number}" for number, name in enumerate(data.values("name"))])
    data.to_frame("polars").with_columns(people).write_csv(folder / "original.csv")  # `write` would drop the names
    texts = {SCHEMA: Schema.of(data).to_toml(), RECIPE: STEPS, POLICY: RULES, MAP: INTRUDER_MAP, "grid.toml": GRID}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


def make_release(folder: Path) -> None:
    """Mask the original of the folder: masked.csv with the recipe as written, and the private key."""
    paths = ["protect", folder / "original.csv", folder / "masked.csv", "--schema", folder / SCHEMA]
    outputs = [
        "--recipe-out",
        folder / "made.toml",
        "--key-out",
        folder / "private.key",
        "--seed",
        LONG_SEED,
        "--quiet",
    ]
    code = main([str(each) for each in [*paths, "--recipe", folder / RECIPE, *outputs]])
    assert code == 0, "the release that the trials start from could not be made"


def in_every_format(folder: Path, records: int) -> list[Path]:
    """The survey without its names, in every format that can be written."""
    data = survey(records)
    paths = [folder / f"survey{suffix}" for suffix in writable_suffixes()]
    for path in paths:
        write(data, path, force=True)
    return paths


def documents(folder: Path) -> dict[str, Path]:
    """JSON documents that `sdckit` writes about the release of a folder: the dossier and a receipt."""
    original, masked, schema = (str(folder / name) for name in ("original.csv", "masked.csv", SCHEMA))
    made = {name: folder / f"{name}.json" for name in ("dossier", "receipt")}
    report = ["report", original, masked, str(folder / "report.html"), "--schema", schema]
    receipt = ["receipt", original, masked, "--record", "0", "--schema", schema, "--out", str(made["receipt"])]
    with contextlib.redirect_stdout(io.StringIO()):
        main([*report, "--key", str(folder / "private.key"), "--json-out", str(made["dossier"]), "--quiet", "--force"])
        main([*receipt, "--quiet", "--force"])
    return made
