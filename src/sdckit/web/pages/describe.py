"""Describe and roles: what each column contains and means, how many records are unique, hierarchies and edits."""

import tomllib
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from starlette.responses import Response

from sdckit import hierarchies
from sdckit.edits import Edits
from sdckit.errors import SchemaError, SdcError
from sdckit.files.describe import Description, describe
from sdckit.files.describe_graph import graph_description
from sdckit.files.infer_schema import Guess, infer_schema
from sdckit.graph import Graph
from sdckit.kernels.equivalence_classes import class_of
from sdckit.microdata import Kind, Microdata, Role
from sdckit.schema import Declared, Schema
from sdckit.toml_text import value as toml_value
from sdckit.web.column_summary import summary_of
from sdckit.web.page import Page, get, need, post
from sdckit.web.workspace import State

KINDS = [each.title for each in (Kind.CONTINUOUS, Kind.DISCRETE, Kind.PARTIALLY_ORDERED, Kind.UNORDERED)]
ROLES = [each.value for each in Role]
ROLE_HELP = {
    "identifier": "names a person directly; every release drops it",
    "key": "an intruder may know it",
    "confidential": "must not be disclosed about a person",
    "weight": "the sampling weight",
    "household": "records with the same value belong together",
    "other": "neither known to an intruder nor confidential",
}
ROLE_KEYS = {  # the letter that gives a column its role; c shows the code, so a sensitive column has s
    "identifier": "i",
    "key": "k",
    "confidential": "s",
    "weight": "w",
    "household": "h",
    "other": "o",
}


def screen(page: Page) -> Response:
    """The columns with their roles, and the combinations of the keys."""
    state, data = page.state, page.workspace.data(page.state)
    description = described(state, data)
    chosen = page.query("column") or next(iter((*data.names(role=Role.KEY), *data.columns)), "")
    need(not chosen or chosen in data, f"there is no column {chosen!r}")
    return page.screen(
        "describe",
        description=description,
        kinds=KINDS,
        roles=ROLES,
        role_help=ROLE_HELP,
        role_keys=ROLE_KEYS,
        chosen=chosen,
        summary=summary_of(data, chosen) if chosen else None,
        structure=graph_description(data) if isinstance(data, Graph) else None,
        hierarchy_kinds=hierarchies.kinds(),
        declared=state.run.schema.attributes.get(chosen, Declared()),
        **(hierarchy_values(data, chosen, state.run.schema.attributes.get(chosen, Declared())) if chosen else {}),
        edits=[str(each) for each in state.run.schema.edits],
        households=households(data),
    )


def described(state: State, data: Microdata) -> Description:
    """The description of a file by the schema of the state, with the reasons of the first guess."""
    guess = infer_schema(data)
    declared = {
        each.name: replace(guess.schema.attributes[each.name], role=each.role, kind=each.kind)
        for each in data.attributes
    }
    return describe(data, Guess(Schema(declared, data.edits), guess.reasons))


def households(data: Microdata) -> dict[str, Any] | None:
    """The number of households and their largest size; None where no column says which records belong together."""
    if not data.names(role=Role.HOUSEHOLD):
        return None
    sizes = class_of(data.units()[:, None]).sizes
    return {"count": len(sizes), "largest": int(sizes.max()), "mean": float(sizes.mean())}


def set_role(page: Page) -> Response:
    """Give a column another role or kind."""
    state, name = page.state, page.text("column")
    declared = state.run.schema.attributes.get(name, Declared())
    changes: dict[str, Any] = {}
    if page.text("role"):
        changes["role"] = Role.named(page.text("role"))
    if page.text("kind"):
        changes["kind"] = Kind.named(page.text("kind"))
    label = f"{name}: {', '.join(page.text(each) for each in ('role', 'kind') if page.text(each))}"
    return changed(page, state, name, replace(declared, **changes), label)


def set_hierarchy(page: Page) -> Response:
    """Give a column a hierarchy, declared as in a schema, or by the group of each value."""
    state, name = page.state, page.text("column")
    declared = state.run.schema.attributes.get(name, Declared())
    how = page.text("how")
    if how == "none":
        return changed(page, state, name, replace(declared, hierarchy=None), f"{name}: no hierarchy")
    table = grouped(page) if how == "groups" else typed(page, how)
    hierarchies.kind_of(table, f"the hierarchy of {name!r}")
    kind = declared.kind if declared.kind is not None and declared.kind & Kind.ORDERED else Kind.PARTIALLY_ORDERED
    return changed(page, state, name, replace(declared, hierarchy=table, kind=kind), f"{name}: hierarchy")


def typed(page: Page, keyword: str) -> dict[str, Any]:
    """A declaration from the fields of its kind; values are typed as in a schema, text without quotes."""
    kind = next((each for each in hierarchies.kinds() if each.keyword == keyword), None)
    if kind is None:
        raise SchemaError(f"there is no kind of hierarchy {keyword!r}")
    table: dict[str, Any] = {}
    for name, form in kind.form["properties"].items():
        text = page.text(f"h:{keyword}:{name}")
        if text:
            table[name] = parsed(text, form)
    return table


def parsed(text: str, form: Any) -> Any:
    """A value from text: a list where the form has one, else a number, a truth value or the text itself."""
    if form.get("type") == "array":
        written = text if text.startswith("[") else f"[{text}]"
        try:
            return tomllib.loads(f"x = {written}")["x"]
        except ValueError:
            return [_scalar(each.strip()) for each in text.strip("[]").split(",") if each.strip()]
    return text if form.get("type") == "string" else _scalar(text)


def _scalar(text: str) -> Any:
    try:
        return tomllib.loads(f"x = {text}")["x"]
    except ValueError:
        return text


def grouped(page: Page) -> dict[str, Any]:
    """Levels from the name of the group that was typed beside each value."""
    values, groups = page.several("value"), page.several("group")
    rows = [[value, group.strip() or value] for value, group in zip(values, groups, strict=True)]
    if all(value == group for value, group in rows):
        raise SchemaError("type the name of a group beside the values that belong together")
    return {"levels": rows}


def set_edits(page: Page) -> Response:
    """Replace the edits by those typed, one in each line."""
    state = page.state
    lines = [line.strip() for line in page.text("edits").splitlines() if line.strip()]
    edits = Edits.from_text(*lines)
    schema = replace(state.run.schema, edits=edits)
    schema.check_names([each.name for each in page.workspace.data(state).attributes])
    made = page.workspace.child(state, f"{len(lines)} edits", replace(state.run, schema=schema))
    return page.go(made, "describe")


def set_all(page: Page) -> Response:
    """Take the schema of a TOML file that is pasted."""
    state = page.state
    try:
        document = tomllib.loads(page.text("toml"))
    except ValueError as problem:
        raise SdcError(f"the text is not valid TOML: {problem}") from None
    schema = Schema.from_dict(document, "the schema")
    schema.check_names([each.name for each in page.workspace.data(state).attributes])
    merged = Schema({**state.run.schema.attributes, **schema.attributes}, schema.edits)
    return page.go(page.workspace.child(state, "schema", replace(state.run, schema=merged)), "describe")


def changed(page: Page, state: State, name: str, declared: Declared, label: str) -> Response:
    """The state with another declaration of a column."""
    need(name in page.workspace.data(state), f"there is no column {name!r}")
    schema = state.run.schema
    made = replace(schema, attributes={**schema.attributes, name: declared})
    child = page.workspace.child(state, label, replace(state.run, schema=made))
    return page.redirect(f"/n/{child.node.id}/describe?column={quote(name, safe='')}")


def column(page: Page) -> Response:
    """The summary of one column."""
    state = page.state
    data, name = page.workspace.data(state), page.query("column")
    need(name in data, f"there is no column {name!r}")
    declared = state.run.schema.attributes.get(name, Declared())
    return page.show(
        "column.html",
        state=state,
        chosen=name,
        summary=summary_of(data, name),
        hierarchy_kinds=hierarchies.kinds(),
        declared=declared,
        **hierarchy_values(data, name, declared),
        data=data,
    )


def hierarchy_values(data: Microdata, name: str, declared: Declared) -> dict[str, Any]:
    """The hierarchy of a column as a schema has it, and the groups of each of its levels."""
    if declared.hierarchy is None:
        return {"hierarchy_text": "", "hierarchy_levels": []}
    tree = declared.hierarchy
    table = tree.declaration() if hasattr(tree, "declaration") else tree
    built = data.attribute(name).hierarchy
    levels: list[dict[str, list[str]]] = []  # of each level, its groups with the values in them
    for leaf in () if built is None else built.leaves:
        for level, group in enumerate(built.ancestors(leaf)[1:] if built is not None else ()):
            if level == len(levels):
                levels.append({})
            levels[level].setdefault(group, []).append(leaf)
    return {"hierarchy_text": toml_value(dict(table)), "hierarchy_levels": levels}


ROUTES = [
    get("/n/{node:int}/describe", screen),
    get("/n/{node:int}/column", column),
    post("/n/{node:int}/role", set_role),
    post("/n/{node:int}/hierarchy", set_hierarchy),
    post("/n/{node:int}/edits", set_edits),
    post("/n/{node:int}/schema", set_all),
]
