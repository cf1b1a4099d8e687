"""The inputs that are mutated, each with the commands that read it. FILE stands for the mutated input."""

from dataclasses import dataclass
from pathlib import Path

from torture._files import MAP, POLICY, RECIPE, SCHEMA, documents, in_every_format, make_folder, make_release

RECORDS = 24
FILE = "FILE"
TWO = ("original.csv", "masked.csv", "--schema", SCHEMA)
ONE_RISK = ("--measure", "il1", "--measure", "distance-linkage")


@dataclass(frozen=True)
class Subject:
    """An input, the kind of document it is (nothing for a data file), and the commands that read it."""

    name: str
    path: Path
    document: str
    commands: tuple[tuple[str, ...], ...]

    @property
    def file_name(self) -> str:
        """Its name as the beginning of the name of a file."""
        return self.name.strip(".").replace(" ", "-")


def subjects(folder: Path) -> list[Subject]:
    """Every format and every kind of document, made in a folder."""
    make_folder(folder, RECORDS)
    make_release(folder)
    (folder / "theirs.csv").write_text("who,years,spent,land\n" + _their_rows(folder), encoding="utf-8")
    (folder / "run.toml").write_text(
        "\n".join((folder / name).read_text(encoding="utf-8") for name in (SCHEMA, RECIPE, POLICY, "grid.toml"))
        + '\n[intruder]\nattributes = ["age"]\nnoise = 0.1\n\n[[measures]]\nmeasure = "il1"\n',
        encoding="utf-8",
    )
    found = []
    for path in in_every_format(folder, RECORDS):
        again = ("protect", FILE, f"again{path.suffix}", "--method", "additive-noise", "--seed", "1", "--force")
        found.append(Subject(path.suffix, path, "", (("describe", FILE, "--schema-out", "guessed.toml", "-f"), again)))
    protect = ("protect", "original.csv", "again.csv", "--seed", "1", "--force")
    attack = ("attack", *TWO, "--key", "private.key", "--no-knows-method", "--intruder-file", "theirs.csv")
    sweep = ("sweep", "original.csv", "--schema", SCHEMA, "--seeds", "1", "--workers", "1", *ONE_RISK)
    gate = ("gate", "masked.csv", "--original", "original.csv", "--key", "private.key")
    toml = {
        "schema": (SCHEMA, (("check", FILE), (*protect, "--schema", FILE, "--method", "additive-noise"))),
        "recipe": (RECIPE, (("check", FILE), (*protect, "--schema", SCHEMA, "--recipe", FILE))),
        "written recipe": ("made.toml", (("assess", *TWO, "--recipe", FILE, *ONE_RISK),)),
        "policy": (POLICY, (("check", FILE), (*gate, "--schema", SCHEMA, "--policy", FILE))),
        "run": ("run.toml", (("check", FILE), (*protect, "--schema", FILE, "--recipe", FILE))),
        "intruder map": (MAP, (("check", FILE), (*attack, "--intruder-map", FILE))),
        "grid": ("grid.toml", ((*sweep, "--grid", FILE),)),
    }
    for name, (file, commands) in toml.items():
        found.append(Subject(name, folder / file, "toml", commands))
    made = documents(folder)
    found.append(Subject("key", folder / "private.key", "json", (("assess", *TWO, "--key", FILE, *ONE_RISK),)))
    found.append(Subject("dossier", made["dossier"], "json", (("report", "--from", FILE, "again.html", "--force"),)))
    found.append(Subject("receipt", made["receipt"], "json", (("receipt", "masked.csv", "--verify", FILE),)))
    return found


def _their_rows(folder: Path) -> str:
    lines = (folder / "original.csv").read_text(encoding="utf-8").splitlines()
    header = lines[0].split(",")
    columns = [header.index(name) for name in ("name", "age", "expenditure", "region")]
    return "".join(",".join(line.split(",")[column] for column in columns) + "\n" for line in lines[1:])
