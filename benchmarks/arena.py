"""The arena: what the informed intruder finds, recipe by recipe, beside every other quick attack without the truth.

Writes docs/project/arena.md. Chains and the first method of each family are masked with `SDCKIT_ARENA_SEEDS` seeds, 5
by default, the other methods and the intruders who know less with one. That takes hours on one core:
`SDCKIT_ARENA_MINUTES` of CPU time end it earlier, and the page tells of the runs made so far, seed by seed.
`SDCKIT_ARENA` names a file that keeps the runs, one line each, so that a run that was stopped goes on from there;
delete the file after a change of an attack or a masking.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from time import process_time
from typing import NamedTuple

import numpy as np
from benchmarks._arena_files import arena_files
from benchmarks._arena_page import ORDINARY, OURS, TOLERANCE, Row, Run, page

from sdckit.catalogue import build, entries
from sdckit.datasets.reference import local_copy
from sdckit.errors import SdcError
from sdckit.files import read
from sdckit.files.release_files import read_masked
from sdckit.intruder import Intruder
from sdckit.measure import Measure
from sdckit.microdata import Microdata, Role
from sdckit.recipe import Recipe
from sdckit.release import Release, protect
from sdckit.schema import Schema

PAGE = Path(__file__).parents[1] / "docs" / "project" / "arena.md"
SEEDS = int(os.environ.get("SDCKIT_ARENA_SEEDS", "5"))
MINUTES = float(os.environ.get("SDCKIT_ARENA_MINUTES", "inf"))

# Chains and stronger settings; every method of the catalogue takes part by itself with its defaults.
CHAINS: tuple[tuple[str, ...], ...] = (
    ("rank-swapping:window=0.3",),
    ("additive-noise:variance_share=1",),
    ("pram:stay=0.6",),
    ("mdav:group_size=10",),
    ("rank-swapping", "additive-noise:variance_share=0.1"),
    ("pram", "mdav"),
    ("pram", "rank-swapping"),
    ("local-suppression", "rank-swapping"),
    ("global-recoding", "local-suppression"),
    ("top-coding", "rounding"),
    ("mdav", "additive-noise:variance_share=0.01"),
    ("simple-sampling", "rank-swapping"),
    ("simple-sampling", "mdav"),
    ("rank-swapping", "simple-sampling"),
    ("global-recoding", "local-suppression", "rank-swapping"),
    ("simple-sampling", "pram", "additive-noise:variance_share=0.1"),
    ("rank-swapping-distribution", "pram", "rounding"),
)

# Intruders who know less, under recipes of every kind of law; each is tried on one file.
LESS_KNOWN: Mapping[str, Intruder] = {
    "values with an error of a tenth": Intruder(noise=0.1),
    "a third of the values missing": Intruder(missing=1 / 3),
    "a third of the records": Intruder(records=1 / 3),
}
UNDER_LESS: tuple[tuple[str, ...], ...] = (
    ("additive-noise:variance_share=0.1",),
    ("rank-swapping",),
    ("mdav",),
    ("z-score-projection",),
    ("rounding:base=100",),
    ("pram", "rank-swapping"),
    ("simple-sampling", "additive-noise:variance_share=0.1"),
)

# What a plain experiment found on the thirteen files masked with seed 7: the largest of its columns, in percent.
THIRTEEN = {
    "rank-swapping-10": 86.5,
    "rank-swapping-30": 52.0,
    "noise-0.1": 74.8,
    "noise-1": 42.0,
    "buckets": 84.4,
    "distribution": 92.2,
    "rank-swapping-10-then-noise-0.1": 67.1,
    "local-suppression-3-and-rank-swapping-10": 86.4,
    "pram-and-mdav-5": 75.3,
    "pram-and-rank-swapping-10": 68.1,
    "mdav-5": 91.2,
    "mdav-10": 83.3,
    "z-score-projection-5": 91.0,
}


def attacks() -> list[Measure]:
    """Every quick attack that an intruder can carry out, with those that try each step of a chain."""
    parts: Sequence[Measure] = build("risk", "worst-case").parts()
    return sorted(
        (each for each in parts if not each.name.startswith(f"{OURS} ")),
        key=lambda each: (each.name != OURS, each.name),
    )


def recipes() -> Iterator[tuple[str, ...]]:
    """Every method of the catalogue with its defaults, then the chains."""
    for entry in entries("masking"):
        yield (entry.name,)
    yield from CHAINS


def with_all_seeds() -> set[tuple[str, ...]]:
    """The recipes that are tried with every seed: the chains, and the first method of each family that runs alone."""
    data = next(iter(arena_files().values()))
    first: dict[str, str] = {}
    for entry in entries("masking"):
        if entry.family not in first and _runs(data, (entry.name,)):
            first[entry.family] = entry.name
    return {*CHAINS, *((name,) for name in first.values())}


def _runs(data: Microdata, recipe: tuple[str, ...]) -> bool:
    try:
        protect(data, list(recipe), seed=100)
    except SdcError:
        return False
    return True


def intruder_of(release: Release) -> Intruder:
    """An intruder who knows what was masked and the categories: an unmasked number would name nearly everybody."""
    assert release.recipe is not None
    masked = set().union(*release.recipe.touched(release.masked))
    keys = release.original.names(role=Role.KEY)
    return Intruder(tuple(name for name in keys if name in masked or release.original.attribute(name).coded))


def attacked(release: Release, intruder: Intruder = Intruder()) -> Run:
    """The release under every attack."""
    found, seconds, crashes = {}, {}, {}
    details: Mapping[str, object] = {}
    for attack in attacks():
        start = process_time()
        try:
            score = attack.measure(release, intruder, seed=1)
        except SdcError:
            continue
        except Exception as crash:  # a defect to report, not the end of the arena
            crashes[attack.name] = repr(crash)
            continue
        seconds[attack.name] = process_time() - start
        assert score.by_record is not None
        found[attack.name] = score.by_record
        if attack.name == OURS:
            wanted = ("expected_found", "calibrated", "laws", "sure_claims", "sure_claims_correct")
            details = {name: score.details[name] for name in wanted}
    return Run(found, seconds, crashes, details)


class Runs:
    """The runs, kept in a file where one is named."""

    def __init__(self) -> None:
        self._path = Path(os.environ["SDCKIT_ARENA"]) if "SDCKIT_ARENA" in os.environ else None
        self._done: dict[str, Run] = {}
        if self._path is not None and self._path.exists():
            self._done = dict(Run.of_line(line) for line in self._path.read_text().splitlines())

    def of(self, key: str, release: Release, intruder: Intruder = Intruder()) -> Run:
        if key not in self._done:
            self._done[key] = attacked(release, intruder)
            if self._path is not None:
                with self._path.open("a") as file:
                    file.write(self._done[key].to_line(key) + "\n")
        return self._done[key]

    def __contains__(self, key: str) -> bool:
        return key in self._done

    def done(self, key: str) -> Run:
        return self._done[key]


class Contest(NamedTuple):
    """A file and its name, a recipe, an intruder who knows less, and the number of seeds."""

    file: str
    data: Microdata
    recipe: tuple[str, ...]
    intruder: Intruder | None
    seeds: int

    @property
    def label(self) -> str:
        return ", then ".join(self.recipe)

    def key(self, number: int) -> str:
        """The name of the run with this seed."""
        return f"{self.file} | {self.label} | {number}"


def contests() -> Iterator[Contest]:
    """Every file with every recipe, and one file with intruders who know less."""
    files = arena_files()
    if not files:
        return
    often = with_all_seeds()
    for name, data in files.items():
        for recipe in recipes():
            yield Contest(name, data, recipe, None, SEEDS if recipe in often else 1)
    for name, data in list(files.items())[:1]:
        for label, intruder in LESS_KNOWN.items():
            for recipe in UNDER_LESS:
                yield Contest(f"{name}, {label}", data, recipe, intruder, 1)


def contest(runs: Runs) -> Iterator[Row]:
    """Every recipe on every file; a recipe that refuses the file is left out."""
    planned = list(contests())
    # Seed by seed, and those with several seeds first, so that an unfinished run has some of each family.
    ordered = sorted(
        ((each, number) for each in planned for number in range(each.seeds)),
        key=lambda one: (one[0].seeds == 1, one[1]),
    )
    for each, number in ordered:
        key = each.key(number)
        if key in runs:
            continue
        if process_time() > 60 * MINUTES:
            break
        try:
            release = protect(each.data, list(each.recipe), seed=100 + number)
        except SdcError:
            continue
        run = runs.of(key, release, each.intruder or intruder_of(release))
        figures = ", ".join(f"{attack} {np.nanmean(values):.3f}" for attack, values in run.found.items())
        print(f"  {key}: {figures} {dict(run.crashes) or ''}", flush=True)
    for each in planned:
        made = [runs.done(key) for number in range(each.seeds) if (key := each.key(number)) in runs]
        if made:
            yield Row(each.file, each.label, made)


def thirteen(runs: Runs) -> list[tuple[str, float, float]]:
    """The masked files of the table: their names, what we find and what was found before, in percent."""
    source = local_copy("adult")
    folder = None if source is None else source.parent / "arena"
    if folder is None or not folder.is_dir():
        return []
    schema = Schema.from_toml(folder / "schema.toml")
    original = read(folder / "original.csv", schema)
    rows = []
    for name, before in THIRTEEN.items():
        masked = read_masked(folder / f"{name}.csv", schema)
        recipe = Recipe.from_toml(folder / f"{name}.toml")
        run = runs.of(f"thirteen | {name} | 0", Release.in_order(original, masked, recipe.resolve(original)))
        rows.append((name, 100 * float(np.nanmean(run.found[OURS])), before))
        print(f"  {name}: {rows[-1][1]:.1f} (before {before})", flush=True)
    return rows


def main() -> None:
    runs = Runs()
    known = thirteen(runs)
    rows = list(contest(runs))
    PAGE.write_text(page(rows, known, [each.name for each in attacks()]), encoding="utf-8")
    beaten = [
        f"{row.file}, {row.recipe}: {attack}: {', '.join(row.beaten_by(attack))}"
        for attack in (OURS, ORDINARY)
        for row in rows
        if row.beaten_by(attack)
    ]
    beaten += [f"{name}: {now:.1f} < {before}" for name, now, before in known if now < before - 100 * TOLERANCE]
    crashed = {
        f"{row.file}, {row.recipe}: {attack}: {why}"
        for row in rows
        for run in row.runs
        for attack, why in run.crashes.items()
    }
    for line in (*beaten, *sorted(crashed)):
        print(f"  beaten or broken: {line}")
    print(f"  {len(rows)} recipes on files, {len(beaten)} beaten, {len(crashed)} crashes")


if __name__ == "__main__":
    main()
