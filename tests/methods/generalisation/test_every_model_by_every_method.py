"""Every model by every method on generated files: the promise is counted anew, in plain Python, on the written values.

The files have holes in keys and confidential values, ties, weights, a numeric key, single records and research subsets;
models are combined, with different ones for different attributes. A refusal must be right, too: the whole file in one
class does not satisfy the models either.
"""

import csv
from collections import Counter, defaultdict
from math import exp, log
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.methods.categories import ZIPS

from sdckit.errors import SchemaError
from sdckit.files import write
from sdckit.hierarchy import ROOT, Hierarchy
from sdckit.methods.generalisation.anonymity_models import DEFINITIONS
from sdckit.microdata import Microdata
from sdckit.release import protect

METHODS = ("optimal-generalisation", "local-generalisation", "mondrian-strict", "mondrian-relaxed")
KEYS = ("zip", "age", "sex")
ILLNESSES = {"angina": "heart", "asthma": "lung", "cancer": "cell", "flu": "lung"}
TREES = {
    "zip": Hierarchy.by_prefix(ZIPS, steps=(2, 4)),
    "age": Hierarchy.by_intervals([1, 9, 20, 33], [16, 32]),
    "illness": Hierarchy.by_levels(list(ILLNESSES.items())),
}
Row = dict[str, str]


def shares(values: list[str], possible: list[str]) -> list[float]:
    counts = Counter(values)
    return [counts[value] / len(values) for value in possible]


def distances(values: list[str], everything: list[str]) -> dict[str, float]:
    """The three distances of t-closeness, each by its definition."""
    by_size = sorted(set(everything), key=lambda text: float(text) if text[0].isdigit() else 0.0)
    surplus = dict(zip(by_size, np.subtract(shares(values, by_size), shares(everything, by_size)), strict=True))
    organs: dict[str, list[float]] = defaultdict(list)
    for value, more in surplus.items():
        organs[ILLNESSES.get(value, value)].append(more)
    within = [min(sum(x for x in each if x > 0), -sum(x for x in each if x < 0)) for each in organs.values()]
    between = sum(abs(sum(each)) for each in organs.values()) / 2
    return {
        "equal": sum(map(abs, surplus.values())) / 2,
        "ordered": float(np.abs(np.cumsum(list(surplus.values()))).sum()) / max(len(by_size) - 1, 1),
        "hierarchical": sum(within) / 2 + between,
    }


def gains(values: list[str], everything: list[str]) -> list[tuple[float, float]]:
    possible = sorted(set(everything))
    return list(zip(shares(values, possible), shares(everything, possible), strict=True))


CONFIDENTIAL = {
    "distinct-l-diversity(2+{})": lambda own, every: len(set(own)) >= 2,
    "entropy-l-diversity(1.7+{})": lambda own, every: (
        exp(-sum(p * log(p) for p in shares(own, list(set(own))))) >= 1.7 - 1e-6
    ),
    "recursive-l-diversity(3+2+{})": lambda own, every: (
        Counter(own).most_common()[0][1] < 3 * sum(n for _, n in Counter(own).most_common()[1:])
    ),
    "equal-t-closeness(0.4+{})": lambda own, every: distances(own, every)["equal"] <= 0.4 + 1e-9,
    "ordered-t-closeness(0.3+income)": lambda own, every: distances(own, every)["ordered"] <= 0.3 + 1e-9,
    "t-closeness(0.3+income)": lambda own, every: distances(own, every)["ordered"] <= 0.3 + 1e-9,
    "t-closeness(0.3+illness)": lambda own, every: distances(own, every)["hierarchical"] <= 0.3 + 1e-9,
    "hierarchical-t-closeness(0.25+illness)": lambda own, every: distances(own, every)["hierarchical"] <= 0.25 + 1e-9,
    "alpha-k-anonymity(0.7+3+{})": lambda own, every: max(Counter(own).values()) <= 0.7 * len(own) + 1e-9,
    "beta-likeness(1.5+{})": lambda own, every: all(p <= 2.5 * q + 1e-6 for p, q in gains(own, every)),
    "enhanced-beta-likeness(1.5+{})": lambda own, every: all(
        p <= (1 + min(1.5, -log(q))) * q + 1e-6 for p, q in gains(own, every)
    ),
    "delta-disclosure(1.6+{})": lambda own, every: all(
        p > 0 and abs(log(p / q)) <= 1.6 + 1e-6 for p, q in gains(own, every)
    ),
}
OF_RECORDS = {"k-anonymity(4)": 4, "no-attack(30+9)": 4, "alpha-k-anonymity": 3}
OF_PEOPLE = ("k-map(12)", "delta-presence(0+0.7)")
OF_FILE = {"average-risk(0.25)": 0.25, "population-uniqueness(0+5000)": 0.0}


def register(rng: np.random.Generator) -> pl.DataFrame:
    """A file of few or many records; some columns have holes, some values are frequent, weights are uneven."""
    records = int(rng.choice([1, 2, 7, 30, 80]))
    holes = float(rng.choice([0.0, 0.0, 0.15]))

    def column(values: tuple[object, ...], skew: float) -> list[object]:
        p = np.exp(-skew * np.arange(len(values)))
        codes = rng.choice(len(values), records, p=p / p.sum())
        return [None if rng.random() < holes else values[code] for code in codes]

    return pl.DataFrame(
        {
            "zip": column(ZIPS, rng.uniform(0, 1.5)),
            "age": column(("1", "9", "20", "33"), rng.uniform(0, 1)),
            "sex": column(("f", "m"), 0.0),
            "height": rng.choice([150.0, 160.0, 171.5, 180.0], records).tolist(),
            "illness": column(tuple(ILLNESSES), rng.uniform(0, 1)),
            "income": column((10, 20, 30), rng.uniform(0, 1)),
            "weight": rng.choice([1.0, 2.5, 9.0], records).tolist(),
            "chosen": (rng.random(records) < 0.5).astype(int).tolist(),
        },
        schema_overrides={
            "zip": pl.String,
            "age": pl.String,
            "sex": pl.String,
            "illness": pl.String,
            "income": pl.Int64,
        },
        strict=False,
    )


def chosen_models(rng: np.random.Generator) -> list[str]:
    texts = [text.format(rng.choice(["illness", "income"])) for text in CONFIDENTIAL]
    every = [*texts, "k-anonymity(4)", "no-attack(30+9)", *OF_PEOPLE, *OF_FILE]
    return [str(each) for each in rng.choice(every, int(rng.integers(1, 4)), replace=False)]


def satisfied(model: str, own: list[Row], every: list[Row], people: float) -> bool:
    """Whether a class of records with this population satisfies a model of classes."""
    title = model.split("(")[0]
    if title in ("average-risk", "population-uniqueness"):
        return True
    if model.startswith("k-map"):
        return people >= 12 - 1e-6
    if model.startswith("delta-presence"):
        return len(own) / people <= 0.7 + 1e-6
    if len(own) < OF_RECORDS.get(model, OF_RECORDS.get(title, 1)):
        return False
    if model in OF_RECORDS:
        return True
    name = model.rstrip(")").split("+")[-1]
    values = [row[name] for row in own if row[name]]
    holds = CONFIDENTIAL.get(model) or CONFIDENTIAL[model.replace(name, "{}")]
    return not values or bool(holds(values, [row[name] for row in every if row[name]]))


def of_file(model: str, sizes: list[int]) -> bool:
    limit = OF_FILE.get(model)
    if limit is None or not sizes:
        return True
    return min(sizes) > 1 if model.startswith("population") else len(sizes) / sum(sizes) <= limit + 1e-6


def fits(row: Row, person: Row, names: tuple[str, ...]) -> bool:
    for name in names:
        node, value = row[name], person[name]
        if node in ("", ROOT):
            continue
        if not value or node not in (TREES[name].ancestors(value) if name in TREES else (value,)):
            return False
    return True


class Case:
    """A file and a setting that a seed draws."""

    def __init__(self, method: str, seed: int) -> None:
        rng = np.random.default_rng([seed, METHODS.index(method)])
        self.frame, self.models = register(rng), chosen_models(rng)
        self.k = int(rng.choice([1, 2, 3]))
        self.subset = bool(rng.random() < 0.3) and self.frame["chosen"].sum() > 0
        self.weighted = not self.subset
        self.mondrian = method.startswith("mondrian")
        self.limit = 0.0 if self.mondrian else float(rng.choice([0.0, 0.1]))
        self.names = (*KEYS, "height") if self.mondrian else KEYS
        setting = f"group_size={self.k},models={'+'.join(self.models)}" + (",subset=chosen" if self.subset else "")
        losses = ["ncp", "precision", "entropy", *(["discernibility", "class-size"] if "optimal" in method else [])]
        searched = f",suppression={self.limit},loss={rng.choice(losses)},importance=zip={rng.choice([0, 1, 3])}"
        self.text = f"{method}:{setting}" + ("" if self.mondrian else searched)

    def data(self) -> Microdata:
        roles = dict.fromkeys(self.names, "key") | {"illness": "confidential", "income": "confidential"}
        roles |= {"weight": "weight" if self.weighted else "other", "chosen": "other"}
        roles |= {} if self.mondrian else {"height": "other"}
        kinds = {"sex": "unordered", "income": "discrete", "height": "continuous"}
        return Microdata.from_frame(self.frame, roles=roles, kinds=kinds, hierarchies=TREES)

    def released(self, path: Path) -> tuple[list[Row], list[Row]] | None:
        """The original and the released rows as they are in the written files; None where the method refuses."""
        data = self.data()
        write(data, path / "in.csv", force=True)
        try:
            write(protect(data, self.text, seed=1).masked, path / "out.csv", force=True)
        except SchemaError:
            return None
        both = []
        for name in ("in.csv", "out.csv"):
            with open(path / name, newline="", encoding="utf-8") as handle:
                both.append(list(csv.DictReader(handle)))
        return both[0], both[1]

    def inside(self, person: Row) -> bool:
        return not self.subset or person["chosen"] == "1"

    def people(self, members: list[int], row: Row, persons: list[Row]) -> float:
        """Who of the population fits a class; of a box with means, whoever has the same means counts as sure."""
        if not self.subset:
            return sum(float(persons[i]["weight"]) for i in members)
        return sum(fits(row, person, KEYS) for person in persons)


def whole_file_fails(case: Case) -> bool:
    """Whether the models do not even hold where all records are one class."""
    persons = [
        {name: "" if value is None else str(value) for name, value in row.items()} for row in case.frame.to_dicts()
    ]
    own = [person for person in persons if case.inside(person)]
    people = float(len(persons)) if case.subset else sum(float(person["weight"]) for person in own)
    fine = len(own) >= case.k and all(satisfied(each, own, own, people) for each in case.models)
    return not (fine and all(of_file(each, [len(own)]) for each in case.models))


def nothing_in_a_column(case: Case) -> bool:
    """Whether a key has no value, or a confidential attribute none in the research subset."""
    inside = case.frame.filter(pl.col("chosen") == 1) if case.subset else case.frame
    columns = [*(case.frame[name] for name in case.names), inside["illness"], inside["income"]]
    return any(column.null_count() == len(column) for column in columns)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seeds", [range(start, start + 25) for start in range(0, 200, 25)], ids=str)
def test_written_values_satisfy_the_models_or_no_release_can(method, seeds, tmp_path):
    for seed in seeds:
        case = Case(method, seed)
        found = case.released(tmp_path)
        if found is None:
            assert whole_file_fails(case) or nothing_in_a_column(case), (seed, case.text)
            continue
        persons, rows = found
        own = [i for i, person in enumerate(persons) if case.inside(person)]
        classes = defaultdict(list)
        for i in own:
            classes[tuple(rows[i][name] for name in case.names)].append(i)
        blank = len(classes.pop(("",) * len(case.names), []))
        every = [persons[i] for i in own]
        for members in classes.values():
            people = case.people(members, rows[members[0]], persons)
            assert len(members) >= case.k, (seed, case.text)
            for model in case.models:
                assert satisfied(model, [persons[i] for i in members], every, people), (seed, case.text, model)
        sizes = [len(members) for members in classes.values()]
        assert all(of_file(model, sizes) for model in case.models), (seed, case.text)
        holes = any(not person[name] for person in persons for name in case.names)
        assert blank <= case.limit * len(own) or holes, (seed, case.text, blank)
        for i in own:
            assert fits(rows[i], persons[i], KEYS)
        assert all(not any(rows[i][name] for name in case.names) for i in range(len(rows)) if i not in set(own))


def test_every_model_is_among_those_that_are_drawn():
    drawn = {text.split("(")[0] for text in (*CONFIDENTIAL, *OF_RECORDS, *OF_PEOPLE, *OF_FILE)}
    assert drawn == set(DEFINITIONS)
