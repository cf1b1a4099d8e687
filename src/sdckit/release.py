"""Release: the original, the masked file, the recipe, and how rows and records correspond."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from sdckit.counts import ReleaseCounts
from sdckit.draws import Draws, Secret
from sdckit.edit_feasibility import require_consistent_edits
from sdckit.errors import NotApplicableError, SchemaError, near_miss
from sdckit.formatting import html_table
from sdckit.microdata import Attribute, Kind, Microdata, Role, same_value
from sdckit.progress import NoProgress, Progress
from sdckit.recipe import Recipe
from sdckit.released_bands import read_bands
from sdckit.rows import (
    NO_ROW,
    NOBODY,
    Correspondence,
    Matched,
    Rows,
    Sampled,
    Unknown,
    Unrelated,
    correspondence,
    in_order,
    origin_of,
)
from sdckit.undeclared import refuse_undeclared

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Release:
    """A masked file beside the file it was made from; everything that is measured is measured on this.

    `rows` says how the rows correspond to the records. Left out, it is read from the files themselves: from the
    lineage of a file masked here, else from the columns that the recipe left unmasked; where these show nothing it is
    `Unknown`, and what needs a correspondence says so. A file masked elsewhere whose rows are in the order of the
    original is `Release.in_order(original, masked)`. Frames are accepted. `secret` is what the draws of
    a file masked here came from. Neither the correspondence nor the secret is ever published. `control` are records
    of the same population that the method never saw, for attacks that compare: what they show of these can be inferred
    about anybody. `counts` are those after each step of the masking, where they were made: exact, and so private.
    """

    original: Microdata
    masked: Microdata
    recipe: Recipe | None = None
    rows: Correspondence = field(default=None, repr=False)  # type: ignore[assignment]  # filled in below
    secret: Secret | None = field(default=None, repr=False)
    control: Microdata | None = field(default=None, repr=False)
    counts: ReleaseCounts | None = field(default=None, repr=False)
    _computed: dict[Any, Any] = field(default_factory=dict, repr=False, init=False)

    def __post_init__(self) -> None:
        original = self.original if isinstance(self.original, Microdata) else Microdata.from_frame(self.original)
        masked = self.masked if isinstance(self.masked, Microdata) else Microdata.from_frame(self.masked)
        for file, title in ((original, "original"), (masked, "masked")):
            if not len(file):
                raise SchemaError(f"the {title} file has no {file.unit}s; there is nothing to compare")
        if self.recipe is not None:
            masked = read_bands(masked, original, self.recipe)
        masked = aligned(masked, original)
        control = None if self.control is None else _control(self.control, original)
        rows = self.rows if self.rows is not None else _rows_of(original, masked, self.recipe)
        if isinstance(rows, Matched | Sampled):
            if len(rows.origin) != len(masked) or rows.origin.max() >= len(original):
                raise SchemaError(
                    f"the correspondence must name one of the {len(original)} original records for each of the "
                    f"{len(masked)} rows"
                )
            if isinstance(rows, Matched) and len(original) != len(masked):
                rows = Sampled(rows.origin)
        object.__setattr__(self, "original", original)
        object.__setattr__(self, "masked", masked)
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "control", control)

    @classmethod
    def in_order(cls, original: Any, masked: Any, recipe: Recipe | None = None) -> "Release":
        """A release whose row i belongs to record i, as the caller confirms."""
        if len(original) != len(masked):
            raise SchemaError(
                f"the original has {len(original)} records and the masked file {len(masked)}: row i cannot be that of "
                "record i; say which record each row belongs to"
            )
        return cls(original, masked, recipe, in_order(len(original)))

    @property
    def origin(self) -> NDArray[np.int64]:
        """The record that each row belongs to, −1 where it belongs to none; an error where that is not known."""
        return origin_of(self.rows)

    @property
    def known_origin(self) -> NDArray[np.int64]:
        """The record that each row belongs to, −1 where it belongs to none or that is not known."""
        return self.origin if self.corresponds else np.full(len(self.masked), NOBODY)

    @property
    def guessable_seed(self) -> bool:
        """Whether the draws came from a seed that can be found by trying, so that the masking can be undone."""
        return self.secret is not None and self.secret.guessable

    @property
    def unmasked(self) -> bool:
        """Whether every released value is that of the original: no recipe, the rows in order, no column changed."""
        if self.recipe is not None or not isinstance(self.rows, Matched):
            return False
        in_order = np.array_equal(self.rows.origin, np.arange(len(self.original)))
        return in_order and all(
            each.name in self.original
            and np.array_equal(
                self.masked.columns[each.name], self.original.columns[each.name], equal_nan=not each.coded
            )
            for each in self.masked.attributes
        )

    @property
    def corresponds(self) -> bool:
        """Whether it is known which rows belong to which records."""
        return isinstance(self.rows, Matched | Sampled)

    def computed_once(self, name: Hashable, compute: Callable[[], T]) -> T:
        """What several measures need of the same release; kept as long as the release is."""
        if name not in self._computed:
            self._computed[name] = compute()
        found: T = self._computed[name]
        return found

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_computed": {}}

    def _repr_html_(self) -> str:
        """What a notebook shows: what became of each attribute."""
        steps = self.recipe.steps if self.recipe is not None else ()
        rows = []
        for each in self.original.attributes:
            by = [step.masking.name for step in steps if each.name in step.attributes]
            became = " → ".join(by) or ("" if self.recipe is None else "unchanged")
            rows.append((each.name, each.role.value, became if each.name in self.masked else "left out"))
        made = str(self.recipe) if self.recipe is not None else "masked elsewhere"
        caption = f"{len(self.original):,} records, {len(self.masked):,} released · {made}"
        return html_table(("attribute", "role", "masked by"), rows, caption)

    def shared_attributes(self, kind: Kind = Kind.ANY) -> tuple[str, ...]:
        """The attributes that both files have, of a kind, and in the same form (numbers or codes)."""
        return tuple(
            each.name
            for each in self.original.attributes
            if each.name in self.masked
            and each.kind & kind
            and self.masked.attribute(each.name).kind & kind
            and each.coded == self.masked.attribute(each.name).coded
            and each.role is not Role.IDENTIFIER
        )

    def evaluated_attributes(self, kind: Kind = Kind.ORDERED) -> tuple[str, ...]:
        """The attributes that a loss is measured on: keys and confidential ones, else whatever has the kind."""
        both = self.shared_attributes(kind)
        roles = {name: self.original.attribute(name).role for name in both}
        main = tuple(name for name in both if roles[name] in (Role.KEY, Role.CONFIDENTIAL))
        names = main or tuple(name for name in both if roles[name] is Role.OTHER)
        if not names:
            raise NotApplicableError(f"the two files share no {kind.title} attribute to measure on")
        return names

    def true_rows(self, records: NDArray[np.int64]) -> NDArray[np.int64]:
        """The masked row of each of these original records, −1 where it has none (nor has record −1)."""
        origin = self.origin
        row = np.full(len(self.original), NO_ROW, dtype=np.int64)
        made = origin != NOBODY
        row[origin[made]] = np.flatnonzero(made)
        return np.where(records >= 0, row[np.maximum(records, 0)], NO_ROW)

    def pairs(self, names: Iterable[str]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Original and masked values side by side, for the records that are in both."""
        names = tuple(names)
        before, after = self.original.matrix(names), self.masked.matrix(names)
        both = self._in_both()
        return (before, after) if both is None else (before[both[0]], after[both[1]])

    def column_pairs(self, names: Iterable[str]) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
        """As `pairs`, column by column and without a copy where the rows are in the order of the records."""
        both = self._in_both()
        for name in names:
            before, after = self.original.numbers(name), self.masked.numbers(name)
            yield (before, after) if both is None else (before[both[0]], after[both[1]])

    def _in_both(self) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
        """The records that are in both files and their rows; None where every row i is that of record i."""
        in_order = len(self.masked) == len(self.original)
        if in_order and (self.origin == np.arange(len(self.original))).all():
            return None
        rows = self.true_rows(np.arange(len(self.original)))
        records = np.flatnonzero(rows >= 0)
        if not len(records):
            raise NotApplicableError("no row of the masked file came from a record of the original")
        return records, rows[records]

    def by_original_record(self, of_row: NDArray[np.float64]) -> NDArray[np.float64] | None:
        """Figures of masked rows as figures of original records, NaN where a record has no row."""
        if not self.corresponds:
            return None
        rows = self.true_rows(np.arange(len(self.original)))
        return np.where(rows >= 0, of_row[np.maximum(rows, 0)], np.nan)

    def on_records(self, records: NDArray[np.int64], figures: NDArray[np.float64]) -> NDArray[np.float64]:
        """Figures of some records as figures of all original ones, NaN where not evaluated; −1 means no record."""
        among_all = np.full(len(self.original), np.nan)
        among_all[records[records >= 0]] = figures[records >= 0]
        return among_all

    def notes(self) -> list[str]:
        """The notes of the maskings on this release, for steps whose result no later step changed."""
        if self.recipe is None:
            return []
        touched = self.recipe.touched(self.masked)
        masked = self.masked
        if isinstance(self.rows, Matched):  # shuffled rows are compared with the records in the order of these
            masked = replace(masked.take(np.argsort(self.rows.origin)), lineage=None)
        elif isinstance(self.rows, Sampled):
            masked = replace(masked, lineage=self.rows.origin)
        notes = []
        for number, step in enumerate(self.recipe.steps):
            later = set().union(*touched[number + 1 :])
            if later.isdisjoint(touched[number]):
                notes += step.masking.notes(self.original, masked, touched[number])
        return notes

    def untouched(self) -> "Release":
        """The release with no masking, for the risk before: the original without identifiers and recipe."""
        plain = self.original.without(self.original.names(role=Role.IDENTIFIER))
        return replace(Release.in_order(self.original, replace(plain, lineage=None)), control=self.control)


def protect(
    data: Any,
    masking: Any,
    attributes: Iterable[str] = (),
    *,
    seed: int | Secret | None = None,
    allow_undeclared: bool = False,
    progress: Progress = NoProgress(),
    after_step: Callable[[str, Microdata], None] | None = None,
) -> Release:
    """Mask a file by a masking, a recipe, or several in a row; identifiers are dropped.

    Parameters
    ----------
    data
        A `Microdata`, or a frame of pandas, polars or pyarrow, in which every numeric column is then a key.
    masking
        A masking such as `Mdav(group_size=3)`, a method's name, a recipe, or a list of these, applied in order.
    attributes
        The columns to mask, by default every key of a kind that the method can mask.
    seed
        For examples and tests. By default the draws come from 128 bits of the operating system's entropy, which
        `Release.secret` keeps. An intruder who has the seed or the secret can undo the masking: keep it private, and
        use no small seed for a file that is published.
    allow_undeclared
        Release the columns that the schema of the file does not name and no step masks, which is an error otherwise.
    progress
        Notified of each step of a chain as it starts; it may cancel the work before the next one.
    after_step
        Called with the name of each step and the file that it made, to count what the step did.

    Returns
    -------
    The original, the masked file, the recipe with its attributes, and which row belongs to which record.

    Example
    -------
    >>> import polars
    >>> frame = polars.DataFrame({"age": [31, 44, 52, 29, 47, 63], "income": [2100, 3800, 4800, 1900, 4100, 5200]})
    >>> release = protect(frame, "mdav:group_size=3")
    >>> release.masked.to_frame()["income"].to_list()
    [2600, 2600, 4700, 2600, 4700, 4700]
    """
    file = data if isinstance(data, Microdata) else Microdata.from_frame(data)
    original = replace(file, lineage=None)
    names = (attributes,) if isinstance(attributes, str) else tuple(attributes)
    require_consistent_edits(original)
    recipe = Recipe.of(masking, names).resolve(original)
    if not allow_undeclared:
        refuse_undeclared(original, recipe)
    secret = Secret.of(seed)
    masked = recipe.protect(original, draws=Draws.of(secret), progress=progress, after_step=after_step)
    masked = masked.without(masked.names(role=Role.IDENTIFIER))
    unchanged = _unchanged(original, recipe)
    masked = replace(masked, form=replace(masked.form, index=None, released=True, unchanged=unchanged))
    if not masked.releasable:
        raise SchemaError("nothing but identifiers is in the file; a release would be empty")
    if recipe.rows is Rows.SYNTHESISED:
        return Release(original, masked, recipe, Unrelated(), secret)
    records = len(original)
    rows = in_order(records) if masked.lineage is None else correspondence(masked.lineage, records)
    return Release(original, masked, recipe, rows, secret)


def _unchanged(original: Microdata, recipe: Recipe) -> frozenset[str]:
    """The columns of all records that no step masks; none where records are left out."""
    if recipe.rows is not Rows.KEPT:
        return frozenset()
    touched = set().union(*recipe.touched(original))
    return frozenset(each.name for each in original.attributes if each.name not in touched)


def _rows_of(original: Microdata, masked: Microdata, recipe: Recipe | None) -> Correspondence:
    """How the rows correspond, by the lineage of the masked file where it has one, else by what agrees."""
    if recipe is not None and recipe.rows is Rows.SYNTHESISED:
        return Unrelated()
    from sdckit.row_agreement import disagreement, rows_by_agreement

    if masked.lineage is None:
        return rows_by_agreement(original, masked, recipe)
    origin = masked.lineage
    if original.lineage is not None:
        record_of = {ancestor: record for record, ancestor in enumerate(original.lineage.tolist())}
        origin = np.array([record_of.get(ancestor, NOBODY) for ancestor in origin.tolist()], dtype=np.int64)
    rows = correspondence(origin, len(original))
    reason = disagreement(original, masked, recipe, origin)
    return rows if reason is None else Unknown(f"the original is not the file that was masked: {reason}")


def _control(control: Any, original: Microdata) -> Microdata:
    """The control records under the original's schema; columns that the original does not have are left out."""
    file = control if isinstance(control, Microdata) else Microdata.from_frame(control)
    if not len(file):
        raise SchemaError("the control file has no records; leave it out, or give one that has")
    file = aligned(file, original)
    return replace(file.only([each.name for each in file.attributes if each.name in original]), lineage=None)


def aligned(masked: Microdata, original: Microdata) -> Microdata:
    """The masked file under the original's schema, with codes that mean the same in both."""
    strange = [each.name for each in masked.attributes if each.name not in original]
    if strange and len(strange) == len(masked.attributes) and not original.only(()).releasable:
        names = [each.name for each in original.attributes]
        raise SchemaError(f"the two files have no column in common{near_miss(strange[0], names)}")
    columns, attributes = {}, []
    for each in masked.attributes:
        if each.name not in original:
            continue
        theirs = original.attribute(each.name)
        if theirs == each:
            continue
        attribute, column = _translated(masked, each, theirs)
        attributes.append(attribute)
        columns[each.name] = column
    return masked.with_columns(columns, attributes) if attributes else masked


def _translated(masked: Microdata, ours: Attribute, theirs: Attribute) -> tuple[Attribute, NDArray[Any]]:
    column = masked.columns[ours.name]
    if theirs.categories is None:
        if ours.categories is None:
            meant = (
                theirs if ours.bands is None else replace(theirs, decimals=None, mean_decimals=None, bands=ours.bands)
            )
            return replace(meant, integral=ours.integral), column
        return replace(ours, role=theirs.role, hierarchy=theirs.hierarchy), column
    values: Iterable[Any] = ours.categories if ours.categories is not None else np.unique(column[~np.isnan(column)])
    categories = list(theirs.categories)
    position = {same_value(category): code for code, category in enumerate(categories)}
    exact = {category: code for code, category in enumerate(categories)}  # '47' and '47.0' may be two categories
    code_of = {}
    for value in values:
        if value not in exact and same_value(value) not in position:
            position[same_value(value)] = len(categories)
            categories.append(value)
        code_of[value] = exact[value] if value in exact else position[same_value(value)]
    labels = ours.value_labels or theirs.value_labels
    attribute = replace(theirs, categories=tuple(categories), bands=ours.bands, value_labels=labels)
    if ours.categories is not None:
        table = np.array([*(code_of[value] for value in ours.categories), -1], dtype=np.int32)
        return attribute, table[column]
    codes = np.array([code_of.get(value, -1) for value in column.tolist()], dtype=np.int32)
    return attribute, codes
