"""The files of the arena: a census extract, a survey with holes and duplicates, and incomes with many ties."""

from pathlib import Path

import numpy as np
import polars as pl

from sdckit.datasets.reference import local_copy
from sdckit.hierarchy import Hierarchy
from sdckit.microdata import Kind, Microdata, Role

REGIONS = {"Vorarlberg": "west", "Tyrol": "west", "Salzburg": "west", "Carinthia": "south", "Styria": "south"}


def arena_files() -> dict[str, Microdata]:
    """Each file with a name; those whose source is not available are left out."""
    made = {"adult": adult, "survey": survey, "incomes": incomes}
    sources = {"adult": "adult", "survey": "testdata", "incomes": "eusilc"}
    found = {name: local_copy(source) for name, source in sources.items()}
    return {name: made[name](path) for name, path in found.items() if path is not None}


def adult(path: Path) -> Microdata:
    """800 records of Adult: four categories and three numbers."""
    codes = ["sex", "education", "marital-status", "race"]
    numbers = ["age", "fnlwgt", "hours-per-week"]
    frame = _drawn(pl.read_csv(path), 800, seed=11).select([*codes, *numbers])
    broad = {name: name.split("-")[0] for name in frame["marital-status"].unique()}
    return _file(frame, codes, numbers, {"marital-status": broad})


def survey(path: Path) -> Microdata:
    """460 persons of a household survey and 40 of them once more, with weights and a hole in every twelfth value."""
    codes = ["urbrur", "roof", "water", "relat", "sex", "hhcivil"]
    numbers = ["age", "expend", "income"]
    frame = _drawn(pl.read_csv(path, null_values="NA"), 460, seed=12)
    frame = pl.concat([frame, frame.head(40)]).select([*codes, *numbers, "sampling_weight"])
    rng = np.random.default_rng(13)
    holes = [pl.when(pl.Series(rng.random(len(frame)) >= 1 / 12)).then(pl.col(name)) for name in (*codes, *numbers)]
    relation = {str(code): "couple" if code <= 2 else "others" for code in frame["relat"].unique().drop_nulls()}
    return _file(frame.with_columns(holes), codes, numbers, {"relat": relation}, weight="sampling_weight")


def incomes(path: Path) -> Microdata:
    """500 persons of EU-SILC: many incomes are zero and persons of a household share one; children have no income."""
    codes = ["db040", "rb090", "pl030", "hsize"]
    numbers = ["age", "py010n", "eqIncome"]
    frame = _drawn(pl.read_csv(path, null_values="NA"), 500, seed=14).select([*codes, *numbers]).fill_null(0)
    parts = {name: REGIONS.get(name, "east") for name in frame["db040"].unique()}
    return _file(frame, codes, numbers, {"db040": parts})


def _drawn(frame: pl.DataFrame, records: int, seed: int) -> pl.DataFrame:
    rows = np.random.default_rng(seed).choice(len(frame), records, replace=False)
    return frame[np.sort(rows)]


def _file(
    frame: pl.DataFrame,
    codes: list[str],
    numbers: list[str],
    parents: dict[str, dict[str, str]],
    weight: str | None = None,
) -> Microdata:
    """The file with all of these as keys, and hierarchies of one level."""
    text = frame.with_columns([pl.col(name).cast(pl.String) for name in codes])
    roles: dict[str, str | Role] = dict.fromkeys([*codes, *numbers], Role.KEY)
    if weight is not None:
        roles[weight] = Role.WEIGHT
    kinds: dict[str, str | Kind] = {name: Kind.UNORDERED for name in codes if name not in parents}
    trees = {
        name: Hierarchy.by_levels([(leaf, f"{above} (all)") for leaf, above in sorted(of.items())])
        for name, of in parents.items()
    }
    return Microdata.from_frame(
        text, roles=roles, kinds=kinds | dict.fromkeys(numbers, Kind.CONTINUOUS), hierarchies=trees
    )
