"""Series: the recipe of a file that was opened before on this one, after a look at what has drifted."""

from dataclasses import replace

from starlette.responses import Response

from sdckit.errors import SdcError
from sdckit.evaluation.drift import Drift, column_drift, value_drift
from sdckit.profile import Profile
from sdckit.schema import Schema
from sdckit.web.page import Page, get, need, post
from sdckit.web.workspace import State


def earlier(page: Page) -> State:
    """The state of the other file that was looked at last."""
    name = page.query("earlier") or page.text("earlier")
    need(name, "choose the file whose recipe is taken")
    file = page.workspace.store.file(name)
    need(file.current is not None, f"{file.name} has no history")
    return page.workspace.state(int(file.current or 0))


def drift_of(page: Page, before: State, state: State) -> list[Drift]:
    """How this file differs from the earlier one: columns, and values where the earlier file is still there."""
    data, recipe = page.workspace.data(state), before.run.recipe
    columns = [each.name for each in data.attributes]
    found = column_drift(columns, before.run.schema.attributes, recipe, f"the recipe of {before.file.name}")
    if not before.file.path.is_file():
        return found
    return found + value_drift(Profile.of(page.workspace.data(before)), data, recipe, before.file.name)


def compared(page: Page) -> Response:
    """What has drifted since the earlier file."""
    before = earlier(page)
    need(before.steps, f"{before.file.name} has no recipe yet")
    return page.show("series.html", state=page.state, before=before, drift=drift_of(page, before, page.state))


def take(page: Page) -> Response:
    """Take schema, recipe, intruder and policy of the earlier file, unless its recipe cannot work on this one."""
    state, before = page.state, earlier(page)
    need(before.steps, f"{before.file.name} has no recipe yet")
    stops = [each for each in drift_of(page, before, state) if each.stops]
    if stops:
        raise SdcError(f"{stops[0].column!r}: {stops[0].difference}; {stops[0].cure}")
    columns = [each.name for each in page.workspace.data(state).attributes]
    declared = {name: each for name, each in before.run.schema.attributes.items() if name in columns}
    schema = Schema({**state.run.schema.attributes, **declared}, before.run.schema.edits.among(columns))
    data = page.workspace.data_of(state.file, schema, schema.to_toml())
    recipe = None if before.run.recipe is None else before.run.recipe.resolve(data)
    run = replace(before.run, schema=schema, recipe=recipe)
    child = page.workspace.child(state, f"recipe of {before.file.name}", run)
    page.workspace.ensure(child)
    return page.go(child, "mask")


ROUTES = [get("/n/{node:int}/series", compared), post("/n/{node:int}/series", take)]
