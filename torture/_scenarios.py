"""The commands that are killed: what each reads and writes, relative to the folder that it runs in."""

from dataclasses import dataclass

from torture._files import LONG_SEED, POLICY, RECIPE, SCHEMA

INPUTS = ("original.csv", "masked.csv", "made.toml", "private.key", SCHEMA, RECIPE, POLICY)
QUICK = ("--measure", "interval-disclosure", "--measure", "il1s")  # workers need not import the compiler


@dataclass(frozen=True)
class Scenario:
    """A command, its outputs (files and folders), and those of them that grow line by line or point by point.

    `private` is the output without which `public` would be lost: it must be there as soon as `public` is.
    """

    name: str
    arguments: tuple[str, ...]
    outputs: tuple[str, ...]
    growing: tuple[str, ...] = ()
    public: str = ""
    private: str = ""
    replaceable: bool = True


SCENARIOS = (
    Scenario(
        "protect",
        (
            *("protect", "original.csv", "safe.csv", "--schema", SCHEMA, "--recipe", RECIPE, "--seed", str(LONG_SEED)),
            *("--recipe-out", "safe.toml", "--key-out", "safe.key", "--shuffle-rows"),
        ),
        ("safe.csv", "safe.toml", "safe.key"),
        public="safe.csv",
        private="safe.key",
    ),
    Scenario(
        "protect to Parquet",
        (
            *("protect", "original.csv", "safe.parquet", "--schema", SCHEMA, "--method", "additive-noise"),
            *("--seed", str(LONG_SEED), "--recipe-out", "safe.toml"),
        ),
        ("safe.parquet", "safe.toml"),
    ),
    Scenario(
        "publish",
        (
            *("publish", "masked.csv", "--original", "original.csv", "--policy", POLICY, "--recipe", "made.toml"),
            *("--schema", SCHEMA, "--key", "private.key", "--out", "out", "--key-out", "out.key", "--keep-order"),
        ),
        ("out", "out.key"),
        public="out",
        private="out.key",
        replaceable=False,
    ),
    Scenario(
        "report",
        (
            *("report", "original.csv", "masked.csv", "report.html", "--schema", SCHEMA, "--recipe", "made.toml"),
            *("--key", "private.key", "--json-out", "dossier.json"),
        ),
        ("report.html", "dossier.json"),
    ),
    Scenario(
        "sweep",
        (
            *("sweep", "original.csv", "--schema", SCHEMA, "--methods", "rounding,additive-noise", "--seeds", "2"),
            *(*QUICK, "--out", "map", "--workers", "2", "--plot", "map.svg"),
        ),
        ("map", "map.svg"),
        growing=("map",),
    ),
    Scenario(
        "tune",
        (
            *("tune", "original.csv", "--schema", SCHEMA, "--max-risk", "1", "--methods", "top-coding,bottom-coding"),
            *("--risk", "distance-linkage", "--loss", "il1s", "--trials", "12", "--seed", "1", "--workers", "1"),
            *("--out", "best.toml", "--trail", "trail.jsonl"),
        ),
        ("best.toml", "trail.jsonl"),
        growing=("trail.jsonl",),
    ),
)
