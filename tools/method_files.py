"""The small files on which the pages of the maskings show what a masking does, and which attributes it masks there.

A picture needs a hundred records, a case to follow by hand five, and the curves of risk and loss two files of two
hundred. Which attributes are masked follows from the kinds that a masking declares.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np

from sdckit.catalogue import Entry
from sdckit.datasets import simulate_billing, simulate_business, simulate_survey
from sdckit.graph import Graph
from sdckit.graph_masking import GraphMasking
from sdckit.hierarchy import Hierarchy
from sdckit.masking import Masking
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.release import Release, protect

RECORDS = 200  # of a reference file
NODES = 120  # of a reference network
PICTURED = 100
FEW = 5
SEED = 1
DISTRICTS = ("11", "12", "21", "22", "31", "32")
TOWNS = ("Ely", "Rye", "Wells")
AMOUNTS = ("income", "spending")
SETTINGS = {  # parameters that a masking needs and that depend on the file; a tuple is for one masking alone
    "lower": (0,),
    "upper": (100,),
    ("global-recoding-groups", "groups"): ("Rye|Wells=small town",),
    ("global-recoding-breaks", "breaks"): (0, 10, 20, 30, 40),
    ("top-bottom-recoding", "top"): 40,
    ("top-bottom-recoding", "bottom"): 10,
}
SHOWN_WITH_CATEGORIES = {"suppression"}  # amounts hardly ever agree, so that a count of equal keys says nothing there
BY_CATEGORIES = {"stratified-sampling", "risk-suppression"}  # whose curves need keys that several records share


@dataclass(frozen=True)
class Sample:
    """A file, the attributes that a masking masks in it, and parameters that depend on the file, such as bounds."""

    name: str
    data: Microdata
    attributes: tuple[str, ...]
    settings: Mapping[str | tuple[str, str], Any] = field(default_factory=dict)

    def masked(self, entry: Entry, **values: Any) -> Release:
        """The release of a masking, with a seed: it is an example, and anybody may guess it."""
        declared = {each.name for each in entry.parameters}
        settings: dict[str, Any] = {}
        for key, value in self.settings.items():
            masking, name = key if isinstance(key, tuple) else (entry.name, key)
            if masking == entry.name and name in declared:
                settings[name] = value
        needed = getattr(entry.component, "example", {})
        return protect(self.data, entry.build(**{**needed, **settings, **values}), self.attributes, seed=SEED)


def people(records: int) -> Microdata:
    """People with an age, two amounts, a district in a hierarchy and a town."""
    rng = np.random.default_rng(7 + records)
    normal = rng.multivariate_normal([0, 0, 0], [[1, 0.3, 0.2], [0.3, 1, 0.75], [0.2, 0.75, 1]], size=records)
    income = np.round(np.exp(3.3 + 0.45 * normal[:, 1]), 1)
    return Microdata(
        (
            Attribute("age", Kind.DISCRETE, Role.KEY, integral=True),
            Attribute("income", Kind.CONTINUOUS, Role.KEY, decimals=1),
            Attribute("spending", Kind.CONTINUOUS, Role.KEY, decimals=1),
            Attribute("district", Kind.PARTIALLY_ORDERED, Role.KEY, DISTRICTS, Hierarchy.by_prefix(DISTRICTS)),
            Attribute("town", Kind.UNORDERED, Role.KEY, categories=TOWNS),
        ),
        {
            "age": np.clip(np.round(45 + 14 * normal[:, 0]), 18, 90),
            "income": income,
            "spending": np.round(np.exp(2.6 + 0.35 * normal[:, 2]), 1),
            "district": rng.choice(len(DISTRICTS), records, p=(0.3, 0.24, 0.2, 0.16, 0.07, 0.03)),
            "town": rng.choice(len(TOWNS), records, p=(0.6, 0.3, 0.1)),
        },
    )


def a_graph(records: int, seed: int = 3) -> Graph:
    """A network in which newcomers link to members with many links, and to friends of these."""
    rng = np.random.default_rng(seed)
    edges: set[tuple[int, int]] = {(0, 1), (1, 2), (0, 2)}
    ends = [0, 1, 1, 2, 0, 2]
    for node in range(3, records):
        known = int(ends[rng.integers(len(ends))])
        friends = [other for edge in edges if known in edge for other in edge if other != known]
        for other in {known, friends[rng.integers(len(friends))]}:
            edges.add((min(node, other), max(node, other)))
            ends += [node, other]
    one, other = np.array(sorted(edges)).T
    return Graph.from_edges(records, one, other)


def a_ring(records: int, seed: int = 4) -> Graph:
    """A network of neighbours on a ring, one link in ten moved anywhere."""
    rng = np.random.default_rng(seed)
    edges = {(node, (node + step) % records) for node in range(records) for step in (1, 2)}
    moved = {(one, int(rng.integers(records))) if rng.random() < 0.1 else (one, other) for one, other in sorted(edges)}
    one, other = np.array(sorted({(min(pair), max(pair)) for pair in moved if pair[0] != pair[1]})).T
    return Graph.from_edges(records, one, other)


def as_calls(graph: Graph, seed: int = 5) -> Graph:
    """A network in which people call each other: every edge leads one way, one in three both, with numbers of calls."""
    rng = np.random.default_rng(seed)
    low, high = graph.edges
    ahead = rng.random(len(low)) < 0.5
    back = rng.random(len(low)) < 1 / 3
    one, other = np.where(ahead, low, high), np.where(ahead, high, low)
    ends = np.concatenate([one, other[back]]), np.concatenate([other, one[back]])
    return Graph.from_edges(len(graph), *ends, directed=True, weight=rng.geometric(0.15, len(ends[0])))


def networks(entry: Entry, *graphs: tuple[str, Graph]) -> tuple[Sample, ...]:
    """The networks, or where a masking would change nothing in them, the same with directions and weights."""
    masking = entry.build(**getattr(entry.component, "example", {}))
    assert isinstance(masking, GraphMasking)
    return tuple(
        Sample(f"{name} of calls", as_calls(graph), ()) if masking.idle(graph) else Sample(name, graph, ())
        for name, graph in graphs
    )


def fitting(entry: Entry, records: int) -> Sample:
    """People, with the attributes that a masking masks: the two amounts where they fit, else the categories."""
    assert issubclass(entry.component, Masking)
    data, kinds = people(records), entry.component.kinds
    if entry.family in SHOWN_WITH_CATEGORIES or not kinds & Kind.CONTINUOUS:
        names = data.names(kind=kinds & Kind.CATEGORICAL, role=Role.KEY)
        return prepared(Sample("people", data, names, SETTINGS), entry)
    return prepared(Sample("people", data, AMOUNTS, SETTINGS), entry)


def prepared(sample: Sample, entry: Entry) -> Sample:
    """The file with what some maskings start from: a column that chooses records, or a key that has been suppressed."""
    declared = {each.name for each in entry.parameters}
    if "column" in declared:
        return in_study(sample)
    return suppressed(sample) if "leading" in declared else sample


def in_study(sample: Sample) -> Sample:
    """Two records in three are part of a study, as a column says."""
    column = Attribute("in_study", Kind.UNORDERED, Role.OTHER, categories=("no", "yes"))
    codes = (np.arange(len(sample.data)) % 3 > 0).astype(np.int64)
    data = Microdata((*sample.data.attributes, column), {**sample.data.columns, "in_study": codes})
    return replace(sample, data=data, settings={**sample.settings, "column": "in_study"})


def suppressed(sample: Sample) -> Sample:
    """The first attribute without its rare categories or its largest tenth, as a suppression leaves it."""
    name = sample.attributes[0]
    column = sample.data.columns[name].copy()
    if sample.data.attribute(name).coded:
        counts = np.bincount(column[column >= 0])
        column[np.isin(column, np.flatnonzero(counts <= 0.1 * len(column)))] = -1
    else:
        column[column > np.nanquantile(column, 0.9)] = np.nan
    return replace(sample, data=Microdata(sample.data.attributes, {**sample.data.columns, name: column}))


def pictured(entry: Entry) -> Sample:
    """The file of a hundred records, or the network of two dozen people, that the picture of a masking shows."""
    if entry.domain is Graph:
        return networks(entry, ("network", a_graph(24)))[0]
    return fitting(entry, PICTURED)


def reference_files(entry: Entry) -> tuple[Sample, ...]:
    """The two files over which the curves of a masking are computed."""
    if entry.domain is Graph:
        return networks(entry, ("network", a_graph(NODES)), ("ring", a_ring(NODES)))
    assert issubclass(entry.component, Masking)
    kinds = entry.component.kinds
    amounts = kinds & Kind.CONTINUOUS and entry.name not in BY_CATEGORIES
    files = (firms(), persons()) if amounts else (patients(), residents())
    chosen = (
        replace(each, attributes=tuple(name for name in each.attributes if each.data.attribute(name).kind & kinds))
        for each in files
    )
    return tuple(prepared(each, entry) for each in chosen)


@lru_cache(maxsize=1)
def firms() -> Sample:
    """Four skewed amounts of firms, all known to the intruder."""
    names = ("turnover", "materials", "wages", "other_costs")
    settings = {
        "lower": (0,),
        "upper": (20_000,),
        ("global-recoding-breaks", "breaks"): (0, 100, 300, 1_000, 3_000),
        ("top-bottom-recoding", "top"): 1_000,
        ("top-bottom-recoding", "bottom"): 50,
    }
    return Sample("firms", with_keys(simulate_business(RECORDS, seed=SEED), names), names, settings)


@lru_cache(maxsize=1)
def persons() -> Sample:
    """Age, income and expenditure of grown-up persons, all known to the intruder."""
    names = ("age", "income", "expenditure")
    data = simulate_survey(2 * RECORDS, seed=SEED)
    complete = np.flatnonzero(np.isfinite(data.matrix(names)).all(axis=1) & (data.columns["age"] >= 18))
    settings = {
        "lower": (0,),
        "upper": (120, 100_000, 100_000),
        ("global-recoding-breaks", "breaks"): (0, 30, 45, 60, 5_000, 10_000, 20_000),
        ("top-bottom-recoding", "top"): 20_000,
        ("top-bottom-recoding", "bottom"): 30,
    }
    return Sample("persons", with_keys(data.take(complete[:RECORDS]), names), names, settings)


@lru_cache(maxsize=1)
def patients() -> Sample:
    """Sex and postcode of patients; the postcode is a hierarchy."""
    names = ("Sex", "Zip")
    return Sample("patients", with_keys(simulate_billing(RECORDS, seed=SEED), names), names)


@lru_cache(maxsize=1)
def residents() -> Sample:
    """Region, sex and marital status of persons, without those who gave no answer, and the district of each."""
    names = ("region", "sex", "marital")
    data = simulate_survey(2 * RECORDS, seed=SEED)
    complete = np.flatnonzero((data.codes(names) >= 0).all(axis=1))
    file = with_keys(data.take(complete[:RECORDS]), names)
    district = people(RECORDS)
    return Sample(
        "residents",
        Microdata(
            (*file.attributes, district.attribute("district")),
            {**file.columns, "district": district.columns["district"]},
        ),
        (*names, "district"),
    )


def with_keys(data: Microdata, names: tuple[str, ...]) -> Microdata:
    """A file of these attributes only, all keys, without edits: nothing else is known or protected."""
    file = data.only(names)
    attributes = tuple(replace(each, role=Role.KEY) for each in file.attributes)
    return Microdata(attributes, dict(file.columns))
