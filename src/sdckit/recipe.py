"""Recipe: a chain of maskings with their attributes; itself a masking; TOML in and out.

```toml
[[steps]]
method = "rank-swapping"
attributes = ["age", "income"]     # left out: every key of a suitable kind
window = 0.05
level = "household"                # left out: each record is masked by itself
```
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import tomli_w
from numpy.typing import NDArray

from sdckit.attribute import Level
from sdckit.candidates import Candidates
from sdckit.catalogue import find
from sdckit.component_table import build_from_table
from sdckit.component_text import parsed
from sdckit.draws import Draws
from sdckit.errors import FileError, ParameterError, SchemaError, SdcError
from sdckit.formatting import html_table
from sdckit.hierarchy import category_text
from sdckit.masking import Masking
from sdckit.microdata import Kind, Microdata, Role
from sdckit.parameters import parameters_of
from sdckit.progress import NoProgress, Progress, by_piece
from sdckit.rows import Rows
from sdckit.schema import read_toml
from sdckit.user_function import TYPED_BY_USER, AllowedCode

STEP_WORDS = ("method", "attributes", "level")  # keys of a step that are no parameters


@dataclass(frozen=True)
class Step:
    """A masking and the attributes it is applied to; none named means every key of a suitable kind."""

    masking: Masking
    attributes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Recipe(Masking):
    """Maskings applied one after the other."""

    name: ClassVar[str] = "recipe"
    kinds: ClassVar[Kind] = Kind.ANY
    steps: tuple[Step, ...] = ()

    def __post_init__(self) -> None:
        if not self.steps:
            raise ParameterError("the recipe has no step; give it at least one masking")
        flat = [inner for step in self.steps for inner in _flat(step)]
        object.__setattr__(self, "steps", tuple(flat))

    @classmethod
    def of(cls, masking: Any, attributes: Sequence[str] = ()) -> "Recipe":
        """A recipe from a masking, a method's name, a recipe, or several of these in a row."""
        if isinstance(masking, Masking):
            return cls((Step(masking, tuple(attributes)),))
        if isinstance(masking, str):
            return cls((step_from_text(masking, attributes),))
        if isinstance(masking, Iterable):
            return cls(tuple(step for each in masking for step in cls.of(each, attributes).steps))
        raise ParameterError(f"{masking!r} is not a masking; build one, as in build('masking', 'mdav', group_size=3)")

    @property
    def rows(self) -> Rows:  # type: ignore[override]  # a chain does to the rows what its strongest step does
        """What the chain does to the rows: synthesised by any step, else sampled by any, else kept."""
        done = {step.masking.rows for step in self.steps}
        return next((each for each in (Rows.SYNTHESISED, Rows.SAMPLED) if each in done), Rows.KEPT)

    def at_level(self, level: str | Level) -> "Recipe":
        """The recipe with every step on the level of records, or of households."""
        return Recipe(tuple(Step(step.masking.at_level(level), step.attributes) for step in self.steps))

    def resolve(self, data: Microdata, attributes: Sequence[str] = ()) -> "Recipe":
        """The recipe with the attributes that each step masks in this file spelt out, each checked.

        A step that names none masks the attributes given here, else every key of a suitable kind.
        """
        return Recipe(
            tuple(
                Step(step.masking, step.masking.applicable(data, step.attributes or tuple(attributes)))
                for step in self.steps
            )
        )

    def protect(
        self,
        data: Microdata,
        attributes: Sequence[str] = (),
        *,
        draws: Draws,
        progress: Progress = NoProgress(),
        after_step: Callable[[str, Microdata], None] | None = None,
    ) -> Microdata:
        """Apply the steps in order; each has draws of its own, and the work can be cancelled between two steps.

        `after_step` is called with the name of each step and the file that it made.
        """
        start = by_piece(progress, len(self.steps))
        for number, step in enumerate(self.resolve(data, attributes).steps):
            start(step.masking.name)
            entering = data.only(step.attributes)
            own = draws.of_step(number, step.masking.name, step.masking.parameters(), entering)
            data = _with_whole_bands(step, data, step.masking.protect(data, step.attributes, draws=own))
            if after_step is not None:
                after_step(step.masking.name, data)
        return data

    def touched(self, data: Microdata) -> tuple[tuple[str, ...], ...]:
        """The attributes that each step masks, of those that are in this file."""
        return tuple(
            tuple(name for name in step.masking.chosen(data, step.attributes) if name in data) for step in self.steps
        )

    def candidates(self, known: Candidates, released: Microdata | None) -> Candidates | None:
        """What is possible in the released file after the whole chain, whatever the steps.

        A step is hidden where a later one changed its attributes again, or the set of records, unless that only left
        something out and the masking allows for it. The whole file is known until a step leaves records out.
        """
        if released is None:
            return None
        touched = self.touched(released)
        seen, released = released, _with_nodes_between(released, touched)
        possible = known
        for number, step in enumerate(self.steps):
            parts = [(name,) for name in touched[number]] if step.masking.columnwise else [touched[number]]
            for names in parts:
                left_out = self._left_out(number, names, touched, possible, released)
                entering = replace(possible.entering(names), left_out=left_out or 0)
                after = step.masking.possible(entering, released.only(names), hidden=left_out is None)
                possible = possible.after(names, after)
            if step.masking.rows is not Rows.KEPT:
                possible = replace(possible, complete=False)
        in_file = {each.name: len(each.categories) for each in seen.attributes if each.categories is not None}
        allowed = {name: table[:, : in_file[name]] for name, table in possible.allowed.items()}
        return replace(possible, allowed=allowed)

    def _left_out(
        self,
        number: int,
        names: Sequence[str],
        touched: Sequence[Sequence[str]],
        known: Candidates,
        released: Microdata,
    ) -> float | None:
        """How many values of these attributes later steps left out at most; None where the step is hidden."""
        later = [
            each.masking
            for each, others in zip(self.steps[number + 1 :], touched[number + 1 :], strict=True)
            if each.masking.rows is not Rows.KEPT or not set(others).isdisjoint(names)
        ]
        if not later:
            return 0
        weights = any(released.attribute(name).role is Role.WEIGHT for name in names)  # sampling changes them
        if weights or not self.steps[number].masking.reads_a_part or not all(each.leaves_out for each in later):
            return None
        missing = max((released.missing(name) for name in names), default=0)
        if all(each.rows is Rows.KEPT for each in later):
            return missing
        sampled_too = self.steps[number].masking.rows is not Rows.KEPT
        return missing + known.records - len(released) if known.complete and not sampled_too else math.inf

    @classmethod
    def from_toml(cls, source: str | Path, *, allow_code: Iterable[str | Path] = ()) -> "Recipe":
        """Read the `steps` of a TOML file; a function of one's own can be named only from a file in `allow_code`."""
        return cls.from_dict(read_toml(source), str(source), Path(source).parent, allow_code=allow_code)

    @classmethod
    def from_dict(
        cls,
        document: Mapping[str, Any],
        where: str = "recipe",
        folder: Path | None = None,
        *,
        allow_code: Iterable[str | Path] = (),
    ) -> "Recipe":
        """The recipe in a parsed TOML document."""
        allowed = AllowedCode.naming(allow_code)
        tables = document.get("steps")
        if not isinstance(tables, list) or not tables:
            raise FileError(f"{where} has no steps; write [[steps]] with a method and its parameters")
        steps = []
        for number, table in enumerate(tables, start=1):
            if not isinstance(table, dict) or not isinstance(table.get("method"), str):
                raise FileError(f'{where}: step {number} names no method; write method = "mdav"')
            names = table.get("attributes", [])
            if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
                raise SchemaError(f"{where}: attributes of step {number} must be a list of column names")
            values = {key: value for key, value in table.items() if key not in STEP_WORDS}
            masking = build_from_table(find("masking", table["method"]), values, folder, allowed)
            try:
                masking = masking.at_level(table.get("level", Level.RECORD))
            except SdcError as problem:
                raise type(problem)(f"{where}, step {number}: {problem}") from None
            steps.append(Step(masking, tuple(names)))
        return cls(tuple(steps))

    def to_dict(self) -> dict[str, Any]:
        """Method, attributes and parameters of each step: all that may be published, and no seed."""
        tables = []
        for step in self.steps:
            table: dict[str, Any] = {"method": step.masking.name}
            if step.attributes:
                table["attributes"] = list(step.attributes)
            if step.masking.acts_on is not Level.RECORD:
                table["level"] = step.masking.acts_on.value
            defaults = {each.name: each.default for each in parameters_of(type(step.masking))}
            values = step.masking.parameters().items()
            tables.append(table | {key: _toml_value(value) for key, value in values if _written(value, defaults[key])})
        return {"steps": tables}

    def to_toml(self) -> str:
        """The recipe as TOML text."""
        return tomli_w.dumps(self.to_dict())

    def _repr_html_(self) -> str:
        """What a notebook shows: the steps."""
        rows = [
            (step.masking.name, _settings(step.masking) or "–", ", ".join(step.attributes) or "every key")
            for step in self.steps
        ]
        return html_table(("step", "parameters", "attributes"), rows)

    def __str__(self) -> str:
        return " → ".join(
            step.masking.name + (f"({text})" if (text := _settings(step.masking)) else "") for step in self.steps
        )


def _flat(step: Step) -> tuple[Step, ...]:
    """A step that is a recipe as its steps."""
    if not isinstance(step.masking, Recipe):
        return (step,)
    return tuple(Step(inner.masking, inner.attributes or step.attributes) for inner in step.masking.steps)


def _with_nodes_between(released: Microdata, touched: Sequence[Sequence[str]]) -> Microdata:
    """The released file with all nodes above its categories, where several steps mask an attribute.

    What one step made of a category, the next may have changed again, and then it occurs nowhere in the file.
    """
    masked = Counter(name for names in touched for name in set(names))
    attributes = []
    for each in released.attributes:
        if masked[each.name] > 1 and each.hierarchy is not None and each.categories is not None:
            texts = [category_text(category) for category in each.categories]
            nodes = [node for text in texts if text in each.hierarchy for node in each.hierarchy.ancestors(text)]
            between = list(dict.fromkeys((*texts, *nodes)))[len(set(texts)) :]
            attributes.append(replace(each, categories=(*each.categories, *between)))
    return released.with_columns({}, attributes) if attributes else released


def _with_whole_bands(step: Step, before: Microdata, after: Microdata) -> Microdata:
    """The masked file; refused where a step computed with the numbers that represent bands."""
    for each in before.attributes:
        if each.bands is None or each.name not in step.attributes or each.name not in after:
            continue
        numbers, masked = (np.unique(file.columns[each.name][~file.absent(each.name)]) for file in (before, after))
        refuse_other_bands(step, each.name, numbers, masked)
    return after


def refuse_other_bands(step: Step, name: str, before: NDArray[Any], after: NDArray[Any]) -> None:
    """Refuse a step that computed with the numbers that represent bands: of these a masked column has no others."""
    if not np.isin(after, before).all():
        raise SchemaError(
            f"{step.masking.name} computes with the values of {name!r}, which an earlier step recoded to "
            "bands; put it before the recoding, or name its attributes without this one"
        )


def step_from_text(text: str, attributes: Sequence[str] = ()) -> Step:
    """A step as written on a command line, with attributes of its own where it names some.

    >>> step_from_text("rounding:base=5,attributes=age+hours").attributes
    ('age', 'hours')
    """
    written = parsed(text)
    own = written.values.get("attributes", "").split("+")
    values = {key: value for key, value in written.values.items() if key not in ("attributes", "level")}
    masking = build_from_table(find("masking", written.name), values, allowed=TYPED_BY_USER)
    assert isinstance(masking, Masking)
    masking = masking.at_level(written.values.get("level", Level.RECORD))
    return Step(masking, tuple(filter(None, map(str.strip, own))) or tuple(attributes))


def masking_from_text(text: str) -> Masking:
    """A masking as written on a command line: `rank-swapping:window=0.1`."""
    return step_from_text(text).masking


def _written(value: Any, default: Any) -> bool:
    """Whether a recipe names a value; an empty default is left out, and "no limit", as JSON has no infinity."""
    empty = isinstance(value, str | tuple) and not value
    unlimited = isinstance(value, float) and math.isinf(value)
    return value is not None and not ((empty or unlimited) and value == default)


def _toml_value(value: Any) -> Any:
    """A value that TOML can express; an object is written as the text that its type can read."""
    if isinstance(value, tuple):
        return [_toml_value(each) for each in value]
    return value if isinstance(value, bool | int | float | str) else str(value)


def _settings(masking: Masking) -> str:
    """The parameters of a masking, and its level where it is not that of records."""
    level = {} if masking.acts_on is Level.RECORD else {"level": masking.acts_on.value}
    return _as_text({**masking.parameters(), **level})


def _plain(value: Any) -> str:
    """A value as a person writes it: 100, not 100.0."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _as_text(values: Mapping[str, Any]) -> str:
    """Values as the command line takes them, without those that are not set."""
    texts = {
        key: "+".join(map(_plain, each)) if isinstance(each, tuple) else _plain(each) for key, each in values.items()
    }
    return ", ".join(f"{key}={text}" for key, text in texts.items() if text)
