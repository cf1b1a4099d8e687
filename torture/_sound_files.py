"""Sound files of each kind, of every document and of every parameter: what the generated commands start from."""

import contextlib
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import polars as pl

from sdckit.cli import main
from sdckit.files import write
from sdckit.graph import Graph
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.testing.graph_files import a_graph

SEED = 2**127 + 31  # of 128 bits: repeatable, and not marked as guessable
RECORDS = 40
NAMES = {"name": "name", "first": "age", "second": "pay", "text": "town"}
KINDS = ("table", "panel", "graph")
QUICK = {"measure": ("il1s", "interval-disclosure"), "seeds": ("1",), "workers": ("1",), "methods": ("rounding",)}
VALUES = {  # by the name of a parameter
    **dict.fromkeys(("file", "source", "original", "control"), ("original",)),
    "target": ("new-target.csv",),
    **{name: (f"new-{name}.toml",) for name in ("schema_out", "recipe_out", "run_out")},
    **{name: (f"new-{name}.xml",) for name in ("junit", "codebook_out")},
    **{name: (f"new-{name}.html",) for name in ("report", "public_out")},
    "key_out": ("new-key_out",),
    "json_out": ("new-json_out.json",),
    "trail": ("new-trail.jsonl",),
    "plot": ("new-plot.svg",),
    "masked": ("masked",),
    "schema": ("schema.toml",),
    "recipe": ("made.toml",),
    "key": ("private.key",),
    "policy": ("policy.toml",),
    "grid": ("grid.toml",),
    "run": ("run.toml",),
    "map": ("swept/map.json",),
    "dossier": ("dossier.json",),
    "intruder_file": ("theirs.csv",),
    "intruder_map": ("map.toml",),
    "also_released": ("masked",),
    "also_recipe": ("made.toml",),
    "allow_code": ("model.py",),
    "out": ("new-out.csv",),
    "max_risk": ("1",),
    "attributes": ("FIRST",),
    "column": ("FIRST",),
    "columns": ("NAME",),
    "intervals": ("5,10",),
    "seed": (str(SEED),),
    "record": ("0",),
    "trials": ("3",),
    "risk": ("interval-disclosure",),
    "loss": ("il1s",),
    "rows_in_order": (),
    **QUICK,
}
OF_VERB = {  # where a name means something else
    ("protect", "recipe"): ("recipe.toml",),
    ("check", "files"): ("schema.toml", "recipe.toml", "policy.toml"),
    ("combine", "files"): ("synthetic-1.csv", "synthetic-2.csv"),
    ("combine", "recipe"): ("synthetic-1.toml",),
    ("receipt", "files"): ("original", "masked"),
    ("receipt", "verify"): ("receipt.json",),
    ("receipt", "out"): ("new-receipt.json",),
    ("report", "files"): ("original", "masked", "new-report.html"),
    ("import-schema", "source"): ("roles.json",),
    ("import-schema", "target"): ("new-schema.toml",),
    ("pseudonymise", "key"): ("pseudonyms.key",),
    ("publish", "out"): ("new-folder",),
    ("sweep", "out"): ("new-folder",),
    ("tune", "out"): ("new-recipe.toml",),
    ("demo", "out"): ("new-folder",),
    ("man", "out"): ("new-folder",),
    ("reproduce", "out"): ("new-folder",),
    ("show", "name"): ("mdav",),
    ("sample", "name"): ("survey",),
    ("completion", "shell"): ("bash",),
    ("tune", "methods"): ("rounding,top-coding",),
}
SETTINGS = {  # so that a verb is quick, or has something to do
    "hierarchy": ("intervals",),
    "protect": ("seed",),
    "sweep": ("methods", "seeds", "workers", "measure"),
    "tune": ("methods", "workers", "trials", "risk", "loss"),
    "assess": ("measure",),
    "publish": ("seed",),
    "receipt": ("record", "out"),
}
STEPS = {
    "table": 'method = "rounding"\nattributes = [{first}]\nbase = 5',
    "panel": 'method = "fuzzy-panel"\nattributes = [{second}]\nunit = {unit}\ntime = {time}\ngroup_size = 2',
    "graph": 'method = "edge-switching"\nshare = 0.2',
}
MEASURES = {"table": "il1s", "panel": "il1s", "graph": "edge-loss"}


@dataclass(frozen=True)
class Sound:
    """A folder with the files of one kind, whose columns have these names."""

    folder: Path
    kind: str = "table"
    names: Mapping[str, str] = field(default_factory=lambda: NAMES)
    mark: str = ""  # at the end of every text
    with_dossier: bool = False  # which takes seconds to make; else it is an empty document

    def settings(self, verb: str) -> Sequence[str]:
        """The parameters that a verb is given besides those that it needs."""
        return SETTINGS.get(verb, ())

    def values(self, verb: str, name: str, instead: str = "") -> list[str]:
        """What is typed for a parameter; a file by its name in the folder."""
        if (verb, instead, name) == ("receipt", "verify", "files"):
            return [self.file("masked")]
        if (verb, instead, name) == ("report", "dossier", "files"):
            return ["new-report.html"]
        found = OF_VERB.get((verb, name), VALUES.get(name))
        if found is None:
            raise KeyError(f"what {name!r} of the verb {verb!r} is, torture/_sound_files.py does not know")
        if (verb, name) == ("protect", "target"):
            return [f"new-target{self.suffix}"]
        texts = {"FIRST": self.names["first"], "NAME": self.names["name"]}
        return [texts.get(each, self.file(each)) for each in found]

    def file(self, name: str) -> str:
        """The file of this name, with the extension of the kind where it has none."""
        return f"{name}{self.suffix}" if name in ("original", "masked") else name

    @property
    def suffix(self) -> str:
        """The extension of the data files."""
        return ".graphml" if self.kind == "graph" else ".csv"


def make(sound: Sound) -> Sound:
    """Write the files: an original with its documents, then what verbs make of these for other verbs."""
    sound.folder.mkdir(parents=True, exist_ok=True)
    names = {key: _toml(name) for key, name in sound.names.items()}
    if sound.kind == "graph":
        write(_graph(sound), sound.folder / "original.graphml")
    else:
        _frame(sound).write_csv(sound.folder / "original.csv")
    documents = {
        "schema.toml": _schema(sound),
        "recipe.toml": f"[[steps]]\n{STEPS[sound.kind].format(**names, unit=_toml('unit'), time=_toml('year'))}\n",
        "policy.toml": f'[[rules]]\nmeasure = "{MEASURES[sound.kind]}"\nmax = 1e30\n',
        "grid.toml": "[grid.rounding]\nbase = [5, 10]\n",
        "map.toml": f'record = "who"\n\n[columns]\nwho = {names["name"]}\nx = {names["first"]}\n',
        "roles.json": f'{{"keyVars": [{names["text"]}], "numVars": [{names["first"]}]}}',
        "model.py": "def fit(frame):\n    return {}\n",
        "names.csv": "name\na\n",
        "dossier.json": "{}",
    }
    for name, text in documents.items():
        (sound.folder / name).write_text(text, encoding="utf-8")
    theirs = pl.DataFrame({"who": [f"P{number}{sound.mark}" for number in range(9)], "x": range(20, 29)})
    theirs.write_csv(sound.folder / "theirs.csv")
    for words in _made(sound):
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as problem:
            code = main([str(each) for each in words])
        if code != 0 and sound.kind == "table":
            raise RuntimeError(f"{words[0]}: {problem.getvalue()}")
    return sound


def _made(sound: Sound) -> list[list[object]]:
    folder, seed = sound.folder, ("--seed", SEED)
    original, masked = folder / sound.file("original"), folder / sound.file("masked")
    schema = ("--schema", folder / "schema.toml")
    outputs = ("--recipe-out", folder / "made.toml", "--key-out", folder / "private.key")
    several = ("--method", "ipso-a", "--attributes", sound.names["second"], "--files", 2)
    numbered = ("--recipe-out", folder / "synthetic.toml")
    run_out = ("--run-out", folder / "run.toml")
    swept = [word for name in SETTINGS["sweep"] for value in VALUES[name] for word in (f"--{name}", value)]
    report = ["report", original, masked, folder / "report.html", *schema, "--key", folder / "private.key"]
    return [
        ["protect", original, masked, *schema, "--recipe", folder / "recipe.toml", *outputs, *run_out, *seed],
        ["protect", original, folder / "synthetic.csv", *schema, *several, *numbered, *seed],
        ["receipt", original, masked, *schema, "--record", 0, "--out", folder / "receipt.json"],
        ["sweep", original, *schema, *swept, "--out", folder / "swept"],
        [
            *("pseudonymise", folder / "names.csv", folder / "names-2.csv"),
            *("--columns", "name", "--key-out", folder / "pseudonyms.key"),
        ],
        *([[*report, "--json-out", folder / "dossier.json", "--force"]] if sound.with_dossier else []),
    ]


def _frame(sound: Sound) -> pl.DataFrame:
    rows = np.arange(RECORDS)
    rng = np.random.default_rng(4)
    columns = {
        sound.names["name"]: [f"P{number}{sound.mark}" for number in rows],
        sound.names["first"]: 20 + rows * 7 % 50,
        sound.names["second"]: np.round(rng.lognormal(7, 0.5, RECORDS), 2),
        sound.names["text"]: [f"T{number % 4}{sound.mark}" for number in rows],
    }
    if sound.kind == "panel":
        columns |= {"unit": rows // 4, "year": 2020 + rows % 4}
    return pl.DataFrame(columns)


def _graph(sound: Sound) -> Graph:
    rows = np.arange(RECORDS)
    first = Attribute(sound.names["first"], Kind.DISCRETE, Role.KEY, integral=True)
    towns = tuple(f"T{number}{sound.mark}" for number in range(4))
    text = Attribute(sound.names["text"], Kind.UNORDERED, Role.KEY, categories=towns)
    nodes = Microdata((first, text), {first.name: 20 + rows * 7 % 50, text.name: rows % 4})
    labels = [f"P{number}{sound.mark}" for number in rows]
    return Graph.from_edges(RECORDS, *a_graph(RECORDS, 3 * RECORDS).edges, attributes=nodes, labels=labels)


def _schema(sound: Sound) -> str:
    roles = {"name": "identifier", "first": "key", "second": "confidential", "text": "key"}
    kept = ("first", "text") if sound.kind == "graph" else tuple(roles)
    declared = {sound.names[key]: roles[key] for key in kept}
    if sound.kind == "panel":
        declared |= {"unit": "other", "year": "other"}
    return "".join(f'[attributes.{_toml(name)}]\nrole = "{role}"\n\n' for name, role in declared.items())


def _toml(text: str) -> str:
    return json.dumps(text, ensure_ascii=True)
