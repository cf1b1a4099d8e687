"""Shadow files: the published method run again on random halves of the records, with and without each person."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sdckit.draws import Draws
from sdckit.errors import NotApplicableError, SdcError
from sdckit.intruder import AttackerView
from sdckit.kernels.gower_neighbours import gower_neighbours
from sdckit.microdata import Microdata, Role
from sdckit.randomness import child
from sdckit.recipe import Recipe
from sdckit.release import Release, aligned
from sdckit.risk.linkage.mixed_space import ranges
from sdckit.risk.synthesis.closed_ratio import closed_ratios
from sdckit.risk.synthesis.plain_columns import are_categories, plain_values

NEVER_CLOSER = 1e-9  # distances below this, in ranges, are copies
SMALLEST = 8  # people in the pool
OTHERS = 500  # people of the pool by whom the background is estimated


@dataclass(frozen=True, eq=False)
class ShadowFiles:
    """What was seen of some people in each file: features, and whether each person was in the file."""

    features: NDArray[np.float64]
    inside: NDArray[np.bool_]


def pool_of(release: Release) -> Microdata:
    """The records of the original, and those of the control after them."""
    original, control = release.original, release.control
    if control is None or any(each.name not in control for each in original.attributes):
        return replace(original, lineage=None)
    same = {each.name: each for each in original.attributes}
    if any(control.attribute(name) != each for name, each in same.items()):  # categories that only the control has
        return replace(original, lineage=None)
    columns = {name: np.concatenate([original.columns[name], control.columns[name]]) for name in same}
    return replace(original.with_rows(columns), lineage=None)


def shadow_files(
    release: Release,
    recipe: Recipe,
    view: AttackerView,
    people: NDArray[np.int64],
    files: int,
    rng: np.random.Generator,
) -> ShadowFiles:
    """Run the recipe on random halves of the pool, and look at some of the known people in each result.

    Each half is used beside the other half, so every person is in half of the files.
    """
    pool = pool_of(release)
    if len(pool) < SMALLEST:
        raise NotApplicableError(f"the game needs {SMALLEST} records at least, and there are {len(pool)}")
    seen = _Seen.of(view, pool, people, recipe)
    features, inside = [], []
    for pair in range((files + 1) // 2):
        order = child(rng, "halves", pair).permutation(len(pool))
        for number, half in enumerate((order[: len(pool) // 2], order[len(pool) // 2 :])):
            chosen = np.sort(half)
            made = masked_again(pool, chosen, recipe, release.masked, child(rng, "draws", pair, number))
            features.append(seen.features(made))
            inside.append(np.isin(view.records[people], chosen))
    return ShadowFiles(np.array(features), np.array(inside))


def masked_again(
    pool: Microdata, chosen: NDArray[np.int64], recipe: Recipe, released: Microdata, rng: np.random.Generator
) -> Microdata:
    """The file that the recipe makes of some records, in the codes of the release."""
    file = replace(pool.take(chosen), lineage=None)
    try:
        made = recipe.protect(file, draws=Draws.from_generator(rng))
    except SdcError as problem:
        raise NotApplicableError(f"the recipe does not run on half of the records: {problem}") from problem
    made = made.without(made.names(role=Role.IDENTIFIER))
    return aligned(made.only([each.name for each in made.attributes if each.name in released]), released)


@dataclass(frozen=True, eq=False)
class _Seen:
    """The known attributes of the people who are looked for, on the scale of the pool."""

    names: tuple[str, ...]
    categorical: NDArray[np.bool_]
    scale: NDArray[np.float64]
    values: NDArray[np.float64]
    pool: Microdata
    known: Microdata
    others: Microdata
    recipe: Recipe
    centre: NDArray[np.float64]
    width: NDArray[np.float64]
    vectors: NDArray[np.float64]

    @classmethod
    def of(cls, view: AttackerView, pool: Microdata, people: NDArray[np.int64], recipe: Recipe) -> "_Seen":
        names = tuple(name for name in view.attributes if name in pool)
        known = view.known.take(people).only(names)
        categorical = are_categories(pool, names)
        scale = np.where(categorical, 1.0, ranges(plain_values(pool, names)))
        terms = _terms(pool, pool, names)
        centre, width = terms.mean(axis=0), terms.std(axis=0)
        width = np.where(width > 0, width, 1.0)
        vectors = (_terms(known, pool, names) - centre) / width
        some = np.unique(np.linspace(0, len(pool) - 1, min(len(pool), OTHERS)).astype(np.int64))
        others = pool.take(some).only(names)
        values = plain_values(known, names) / scale
        return cls(names, categorical, scale, values, pool, known, others, recipe, centre, width, vectors)

    def features(self, made: Microdata) -> NDArray[np.float64]:
        """Of each person: how near the nearest row is, how the person leans with means and squares, and the ratio."""
        names = self.names
        rows = plain_values(made, names) / self.scale
        found = gower_neighbours(self.values, rows, self.categorical, np.arange(len(rows)), 1)
        nearest = np.log(np.maximum(found.distances[:, 0], NEVER_CLOSER))
        vectors = (_terms(made, self.pool, names) - self.centre) / self.width
        means = self.vectors @ vectors.mean(axis=0)
        squares = self.vectors @ (vectors.T @ vectors / len(vectors))
        ratios = closed_ratios(self.recipe, made, self.known, self.others)
        closed = np.zeros(len(nearest)) if ratios is None else ratios
        return np.column_stack([nearest, means, np.einsum("ij,ij->i", squares, self.vectors), closed])


def _terms(file: Microdata, pool: Microdata, names: tuple[str, ...]) -> NDArray[np.float64]:
    """Numbers and indicators of categories, a missing one being the mean of its column in the pool."""
    columns = []
    for name in names:
        attribute = pool.attribute(name)
        values = plain_values(file, (name,))[:, 0]
        if attribute.coded:
            columns += [(values == code).astype(np.float64) for code in range(len(attribute.categories or ()))]
        else:
            own = plain_values(pool, (name,))[:, 0]
            there = own[~np.isnan(own)]
            columns.append(np.where(np.isnan(values), there.mean() if len(there) else 0.0, values))
    return np.column_stack(columns) if columns else np.empty((len(file), 0))
