"""Models as text, and the lattice search under each of them against a brute force that counts in plain Python."""

from collections import Counter
from dataclasses import replace
from itertools import product
from math import exp, log

import numpy as np
import polars as pl
import pytest
from tests.methods.categories import ZIPS, protected

from sdckit.errors import ParameterError, SchemaError, SdcError
from sdckit.hierarchy import Hierarchy
from sdckit.methods.generalisation.anonymity_models import DEFINITIONS, Model, Models
from sdckit.methods.generalisation.local_generalisation import LocalGeneralisation
from sdckit.methods.generalisation.mondrian_relaxed import MondrianRelaxed
from sdckit.methods.generalisation.mondrian_strict import MondrianStrict
from sdckit.methods.generalisation.optimal_generalisation import OptimalGeneralisation
from sdckit.microdata import Microdata

ILLNESSES = ("angina", "asthma", "cancer", "flu")
TREE = Hierarchy.by_levels([["angina", "heart"], ["asthma", "lung"], ["cancer", "cell"], ["flu", "lung"]])
KEYS = ("zip", "age")
POPULATION = 400.0


def patients(records: int, seed: int) -> Microdata:
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "zip": rng.choice(ZIPS, records),
            "age": rng.choice([1, 9, 20], records).astype(int),
            "illness": rng.choice(ILLNESSES, records, p=[0.4, 0.3, 0.2, 0.1]),
            "income": rng.choice([10.0, 20.0, 30.0], records),
        }
    )
    return Microdata.from_frame(
        frame,
        roles={"zip": "key", "age": "key", "illness": "confidential", "income": "confidential"},
        kinds={"illness": "unordered", "income": "discrete"},
        hierarchies={"zip": Hierarchy.by_prefix(ZIPS, steps=(2, 4)), "age": Hierarchy.by_intervals([1, 9, 20], [16])},
    )


def shares(values, possible) -> list[float]:
    counts = Counter(values)
    return [counts[value] / len(values) for value in possible]


def equal_distance(values, everything) -> float:
    possible = sorted(set(everything))
    return sum(abs(p - q) for p, q in zip(shares(values, possible), shares(everything, possible), strict=True)) / 2


def ordered_distance(values, everything) -> float:
    possible = sorted(set(everything))
    surplus = [p - q for p, q in zip(shares(values, possible), shares(everything, possible), strict=True)]
    return sum(abs(sum(surplus[: i + 1])) for i in range(len(possible))) / max(len(possible) - 1, 1)


def likely(values, everything, gain) -> bool:
    possible = sorted(set(everything))
    pairs = zip(shares(values, possible), shares(everything, possible), strict=True)
    return all(p <= (1 + gain(q)) * q + 1e-9 for p, q in pairs)


def log_ratio(p: float, q: float) -> float:
    return abs(log(p / q)) if p else float("inf")


def recursive(values, factor, diversity) -> bool:
    counts = sorted(Counter(values).values(), reverse=True)
    return counts[0] < factor * sum(counts[diversity - 1 :])


def entropy(values) -> float:
    return exp(-sum(p * log(p) for p in shares(values, set(values))))


BRUTE = {
    "k-anonymity(4)": lambda ill, inc, all_ill, all_inc: len(ill) >= 4,
    "no-attack(30+9)": lambda ill, inc, all_ill, all_inc: 30 / len(ill) <= 9,
    "k-map(40+400)": lambda ill, inc, all_ill, all_inc: len(ill) * POPULATION / len(all_ill) >= 40,
    "delta-presence(0+0.2+400)": lambda ill, inc, all_ill, all_inc: len(all_ill) / POPULATION <= 0.2,
    "distinct-l-diversity(2)": lambda ill, inc, *_: len(set(ill)) >= 2 and len(set(inc)) >= 2,
    "distinct-l-diversity(3+illness)": lambda ill, inc, *_: len(set(ill)) >= 3,
    "entropy-l-diversity(1.9+illness)": lambda ill, inc, *_: entropy(ill) >= 1.9 - 1e-9,
    "recursive-l-diversity(2+2+income)": lambda ill, inc, *_: recursive(inc, 2, 2),
    "t-closeness(0.3+income)": lambda ill, inc, all_ill, all_inc: ordered_distance(inc, all_inc) <= 0.3 + 1e-12,
    "t-closeness(0.3+illness)": lambda ill, inc, all_ill, all_inc: equal_distance(ill, all_ill) <= 0.3 + 1e-12,
    "equal-t-closeness(0.3+income)": lambda ill, inc, all_ill, all_inc: equal_distance(inc, all_inc) <= 0.3 + 1e-12,
    "ordered-t-closeness(0.2+income)": lambda ill, inc, all_ill, all_inc: ordered_distance(inc, all_inc) <= 0.2 + 1e-12,
    "alpha-k-anonymity(0.5+3+illness)": lambda ill, *_: len(ill) >= 3 and max(Counter(ill).values()) <= len(ill) / 2,
    "beta-likeness(1+illness)": lambda ill, inc, all_ill, all_inc: likely(ill, all_ill, lambda q: 1),
    "enhanced-beta-likeness(1+illness)": lambda ill, inc, all_ill, all_inc: likely(
        ill, all_ill, lambda q: min(1, -log(q))
    ),
    "delta-disclosure(1+income)": lambda ill, inc, all_ill, all_inc: all(
        log_ratio(p, q) <= 1 + 1e-9
        for p, q in zip(shares(inc, sorted(set(all_inc))), shares(all_inc, sorted(set(all_inc))), strict=True)
    ),
    "distinct-l-diversity(2+illness)+t-closeness(0.3+income)": lambda ill, inc, all_ill, all_inc: (
        len(set(ill)) >= 2 and ordered_distance(inc, all_inc) <= 0.3 + 1e-12
    ),
}


def least_loss(data: Microdata, holds, k: int, limit: int) -> float:
    """The loss of the best combination of levels, all of them counted in plain Python."""
    trees = {name: data.attribute(name).hierarchy for name in KEYS}
    values = {name: [str(int(v)) if name == "age" else v for v in data.values(name)] for name in KEYS}
    illness, income = list(data.values("illness")), list(data.values("income"))
    best = float("inf")
    for levels in product(*(range(trees[name].height + 1) for name in KEYS)):
        nodes = [[trees[n].generalise(v, level) for v in values[n]] for n, level in zip(KEYS, levels, strict=True)]
        groups: dict[tuple[str, ...], list[int]] = {}
        for record, combination in enumerate(zip(*nodes, strict=True)):
            groups.setdefault(combination, []).append(record)
        suppressed = {
            record
            for members in groups.values()
            if len(members) < k
            or not holds([illness[i] for i in members], [income[i] for i in members], illness, income)
            for record in members
        }
        if len(suppressed) > limit:
            continue
        total = 0.0
        for name, column in zip(KEYS, nodes, strict=True):
            leaves = len(trees[name].leaves)
            total += sum(
                1.0 if record in suppressed else (len(trees[name].descendants(node)) - 1) / (leaves - 1)
                for record, node in enumerate(column)
            )
        best = min(best, total / (2 * len(data)))
    return best


@pytest.mark.parametrize("text", BRUTE)
@pytest.mark.parametrize("suppression", [0.0, 0.2])
def test_under_every_model_no_combination_of_levels_loses_less(text, suppression):
    for seed in range(4):
        data = patients(40, seed)
        holds = BRUTE[text]
        expected = least_loss(data, holds, 2, int(suppression * 40 + 1e-9))
        method = OptimalGeneralisation(group_size=2, models=text, suppression=suppression)
        if np.isinf(expected):
            with pytest.raises(SchemaError):
                method.search(data, KEYS)
        else:
            assert method.search(data, KEYS).loss == pytest.approx(expected)


@pytest.mark.parametrize("text", BRUTE)
def test_under_every_model_the_classes_of_a_local_recoding_satisfy_it(text):
    for seed in range(3):
        data = patients(60, seed)
        masked = protected(LocalGeneralisation(group_size=2, models=text), data)
        illness, income = list(data.values("illness")), list(data.values("income"))
        groups: dict[tuple[object, ...], list[int]] = {}
        for record, combination in enumerate(zip(*(masked.values(name) for name in KEYS), strict=True)):
            groups.setdefault(combination, []).append(record)
        for members in groups.values():
            assert len(members) >= 2
            assert BRUTE[text]([illness[i] for i in members], [income[i] for i in members], illness, income)


@pytest.mark.parametrize("text", BRUTE)
def test_under_every_model_the_groups_of_mondrian_satisfy_it(text):
    data = patients(60, 2)
    illness, income = list(data.values("illness")), list(data.values("income"))
    for method in (MondrianStrict, MondrianRelaxed):
        labels = method(group_size=2, models=text).partition(data, KEYS)
        for label in np.unique(labels):
            members = np.flatnonzero(labels == label)
            assert len(members) >= 2
            assert BRUTE[text]([illness[i] for i in members], [income[i] for i in members], illness, income)


@pytest.mark.parametrize("method", [MondrianStrict, MondrianRelaxed])
def test_mondrian_under_a_model_that_always_holds_makes_the_same_cuts(method):
    for seed in range(5):
        data = patients(90, seed)
        plain = method(group_size=3, diversity=2, closeness=0.5)
        assert np.array_equal(
            plain.partition(data, KEYS), replace(plain, models="k-anonymity(1)").partition(data, KEYS)
        )


def test_mondrian_grows_its_groups_until_the_average_risk_is_low():
    data = patients(120, 1)
    labels = MondrianRelaxed(group_size=2, models="average-risk(0.1)").partition(data, KEYS)
    assert (labels.max() + 1) / len(labels) <= 0.1
    with pytest.raises(SchemaError, match="not even the whole file satisfies"):
        MondrianStrict(group_size=2, models="average-risk(0.001)").partition(data, KEYS)


def test_every_definition_is_tried():
    tried = {model.title for text in BRUTE for model in Models.from_text(text).models}
    of_files_and_trees = {"average-risk", "population-uniqueness", "hierarchical-t-closeness"}
    assert tried | of_files_and_trees == set(DEFINITIONS)


def test_text_returns_to_itself():
    text = "distinct-l-diversity(3+illness)+t-closeness(0.2+income+illness)+average-risk(0.1)"
    assert str(Models.from_text(text)) == text
    assert Models.from_text(str(Models.from_text(text))) == Models.from_text(text)
    assert OptimalGeneralisation(models="k-map(5+1e+06)").models.population == 1_000_000


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("l-divrsity(3)", "there is no anonymity model 'l-divrsity'"),
        ("recursive-l-diversity(3)", "needs 2 numbers; write recursive-l-diversity(c+l)"),
        ("t-closeness(2)", "t = 2 is out of range; use 0 to 1"),
        ("average-risk(0.1+illness)", "'illness' is not a number"),
        ("k-anonymity(0)", "k = 0 is out of range; use at least 1"),
    ],
)
def test_a_wrong_text_is_refused(text, message):
    with pytest.raises(ParameterError) as problem:
        Model.from_text(text)
    assert message in str(problem.value)


@pytest.mark.parametrize("method", [OptimalGeneralisation, LocalGeneralisation])
@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            {"models": "distinct-l-diversity(5+illness)"},
            "not even the whole file satisfies distinct-l-diversity(5+illness)",
        ),
        ({"models": "t-closeness(0.2+zip)"}, "'zip' is masked"),
        ({"models": "t-closeness(0.2+incme)"}, "incme"),
        ({"models": "k-map(5)"}, "k-map needs a population"),
        ({"models": "hierarchical-t-closeness(0.2+illness)"}, "'illness' has no hierarchy"),
        ({"group_size": 41}, "40 records cannot be 41-anonymous"),
        ({"subset": "illness"}, "the research subset is empty"),
        ({"importance": "agee=2"}, "'agee' is not among the masked attributes"),
        ({"min_levels": "age=2", "max_levels": "age=1"}, "max_levels of 'age' is below its min_levels"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(method, values, message):
    with pytest.raises(SdcError) as problem:
        protected(method(**{"group_size": 2, **values}), patients(40, 1))
    assert message in str(problem.value)
    assert "\n" not in str(problem.value)


def test_the_models_of_a_file_hold_on_the_release():
    data = patients(80, 3)
    for method in (LocalGeneralisation, OptimalGeneralisation):
        for text, holds in {
            "average-risk(0.1)": lambda sizes: len(sizes) / sizes.sum() <= 0.1,
            "population-uniqueness(0.0+1000)": lambda sizes: sizes.min() > 1,
        }.items():
            masked = protected(method(group_size=1, models=text, suppression=0.0), data)
            assert holds(np.array(list(Counter(map(tuple, masked.codes(KEYS).tolist())).values())))


def test_hierarchical_closeness_is_that_of_the_measure():
    from sdckit.release import protect
    from sdckit.risk.attribute_disclosure.t_closeness import TCloseness

    plain = patients(60, 5)
    data = Microdata.from_frame(
        plain.to_frame(),
        roles={"zip": "key", "age": "key", "illness": "confidential", "income": "other"},
        hierarchies={name: plain.attribute(name).hierarchy for name in KEYS} | {"illness": TREE},
    )
    for method in (LocalGeneralisation, OptimalGeneralisation):
        release = protect(data, method(group_size=2, models="hierarchical-t-closeness(0.25)", suppression=0.0), seed=1)
        assert TCloseness(closeness=0.25).measure(release).value == 0
