"""A run as a value: the schema, the recipe, the intruder, the measures and the policy, in one TOML document.

```toml
[attributes.income]            # what the columns mean, as in schema.toml, with [[edits]]
role = "key"

[[steps]]                      # how the file is masked, as in a recipe
method = "mdav"
group_size = 5

[intruder]                     # what the intruder knows, for measures and rules alike
attributes = ["income"]

[[measures]]                   # what is measured; without measures, the quick ones
measure = "distance-linkage"

[[rules]]                      # what a release must satisfy, as in a policy
measure = "distance-linkage"
max = 0.05

[grid.mdav]                    # values that a sweep tries
group_size = [3, 5, 10]

[reference]                    # the key of the file that the run was made for, which the next file is compared with
key = "survey.key"
```

Every table may be left out, so a schema, a recipe and a policy are runs too. The table `[release]` of a recipe that was
written with a masked file is accepted and not part of the run.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sdckit.component_table import build_from_table, measure_entry, parameters_to_table
from sdckit.errors import FileError, ParameterError, SdcError, near_miss
from sdckit.evaluation.policy import Policy
from sdckit.intruder import Intruder
from sdckit.intruder_table import intruder_from_table, intruder_to_table
from sdckit.measure import Measure
from sdckit.recipe import Recipe
from sdckit.schema import Schema, read_toml
from sdckit.toml_text import key, value
from sdckit.user_function import AllowedCode

TABLES = ("attributes", "edits", "steps", "release", "intruder", "measures", "rules", "grid", "reference")


@dataclass(frozen=True)
class Run:
    """What is masked, how, against whom, how it is measured, and what must hold; each part may be left out.

    The intruder of the run is also that of its policy.

    Example
    -------
    >>> run = Run.from_dict({"steps": [{"method": "mdav", "group_size": 5}], "rules": [{"measure": "il1", "max": 0.1}]})
    >>> str(run.recipe), run.policy.rules[0].limit
    ('mdav(group_size=5, block_size=0)', '≤ 0.1')

    A file of a run is read and executed like this:

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from sdckit import assess, gate, protect
    >>> from sdckit.testing.files import ordinary
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "run.toml"
    ...     _ = path.write_text(run.to_toml(), encoding="utf-8")
    ...     again = Run.from_toml(path)
    >>> release = protect(ordinary(), again.recipe, seed=1)
    >>> result = assess(release, again.measures or "il1", intruder=again.intruder)
    >>> verdict = gate(release, again.policy)
    >>> verdict.findings[0].value == result["il1"].value
    True
    """

    schema: Schema = Schema()
    recipe: Recipe | None = None
    intruder: Intruder = Intruder()
    measures: tuple[Measure, ...] = ()
    policy: Policy | None = None
    grid: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    reference: Path | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "measures", tuple(self.measures))
        if self.policy is None or self.policy.intruder == self.intruder:
            return
        if self.intruder == Intruder():
            object.__setattr__(self, "intruder", self.policy.intruder)
        elif self.policy.intruder == Intruder():
            object.__setattr__(self, "policy", replace(self.policy, intruder=self.intruder))
        else:
            raise ParameterError("the run and its policy have different intruders; give one of them")

    @classmethod
    def from_toml(cls, source: str | Path, *, allow_code: Iterable[str | Path] = ()) -> "Run":
        """Read a run, a schema, a recipe or a policy from a TOML file; paths in it start from its folder.

        It runs code of one's own, such as an analysis, only from the files in `allow_code`.
        """
        return cls.from_dict(read_toml(source), str(source), Path(source).parent, allow_code=allow_code)

    @classmethod
    def from_dict(
        cls,
        document: Mapping[str, Any],
        where: str = "run",
        folder: Path | None = None,
        *,
        allow_code: Iterable[str | Path] = (),
    ) -> "Run":
        """The run in a parsed TOML document."""
        files = tuple(allow_code)
        for name, table in document.items():
            if isinstance(table, dict | list) and name not in TABLES:
                raise FileError(f"{where} has no table {name!r}{near_miss(name, TABLES)}")
        return cls(
            Schema.from_dict(document, where, folder),
            Recipe.from_dict(document, where, folder, allow_code=files) if "steps" in document else None,
            intruder_from_table(document.get("intruder", {}), where),
            _measures(document.get("measures", []), where, folder, AllowedCode.naming(files)),
            Policy.from_dict(document, where, folder, allow_code=files) if "rules" in document else None,
            document.get("grid", {}),
            _reference(document.get("reference"), where, folder),
        )

    def to_toml(self) -> str:
        """The run as TOML text."""
        document = self.to_dict()
        blocks = [self.schema.to_toml().strip()] if self.schema.attributes or self.schema.edits.edits else []
        if "intruder" in document:
            blocks.append(_block("[intruder]", document["intruder"]))
        for name in ("steps", "measures", "rules"):
            blocks += [_block(f"[[{name}]]", table) for table in document.get(name, [])]
        blocks += [_block(f"[grid.{key(method)}]", values) for method, values in self.grid.items()]
        blocks += [_block("[reference]", document["reference"])] if "reference" in document else []
        return "\n\n".join(blocks) + "\n"

    def to_dict(self) -> dict[str, Any]:
        """The tables of the document except those of the schema; default values are left out."""
        intruder = intruder_to_table(self.intruder)
        measures = [{"measure": each.name} | parameters_to_table(each) for each in self.measures]
        return (
            ({"intruder": intruder} if intruder else {})
            | (self.recipe.to_dict() if self.recipe is not None else {})
            | ({"measures": measures} if measures else {})
            | ({"rules": self.policy.to_dict()["rules"]} if self.policy is not None else {})
            | ({"grid": {method: dict(values) for method, values in self.grid.items()}} if self.grid else {})
            | ({"reference": {"key": str(self.reference)}} if self.reference is not None else {})
        )


def _measures(tables: Any, where: str, folder: Path | None, allowed: AllowedCode) -> tuple[Measure, ...]:
    if not isinstance(tables, Sequence) or isinstance(tables, str):
        raise FileError(f"{where}: measures are tables; write [[measures]] with measure = … for each")
    measures = []
    for number, table in enumerate(tables, start=1):
        if not isinstance(table, dict) or not isinstance(table.get("measure"), str):
            raise FileError(f'{where}: measure {number} has no name; write measure = "distance-linkage"')
        values = {name: each for name, each in table.items() if name != "measure"}
        try:
            measures.append(build_from_table(measure_entry(table["measure"]), values, folder, allowed))
        except SdcError as problem:
            raise ParameterError(f"{where}, measure {number}: {problem}") from None
    return tuple(measures)


def _reference(table: Any, where: str, folder: Path | None) -> Path | None:
    """The path of the key of the file that the run was made for."""
    if table is None:
        return None
    if not isinstance(table, Mapping) or not isinstance(table.get("key"), str) or len(table) > 1:
        raise FileError(f'{where}: the table [reference] has the path of a key file; write key = "survey.key"')
    return Path(table["key"]) if folder is None else folder / table["key"]


def _block(title: str, table: Mapping[str, Any]) -> str:
    return "\n".join([title, *(f"{key(name)} = {value(entry)}" for name, entry in table.items())])
