"""Mask: the steps of the recipe, made by forms that follow from the catalogue, with a preview."""

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from starlette.responses import Response

from sdckit.catalogue import find
from sdckit.errors import FileError, SdcError
from sdckit.microdata import Microdata
from sdckit.recipe import Recipe, Step
from sdckit.run import Run
from sdckit.web.changes import changes_by_attribute
from sdckit.web.forms import built_from, choices_of, fields_of, maskings_for
from sdckit.web.page import Page, get, post
from sdckit.web.step_text import step_label
from sdckit.web.workspace import State

FIRST_CHOICE = "mdav"


def screen(page: Page) -> Response:
    """The recipe and the data; the form of a step comes once the methods are imported."""
    state, workspace = page.state, page.workspace
    release = workspace.release(state)
    return page.screen(
        "mask",
        release=release,
        changes=[] if release is None or not state.steps else changes_by_attribute(release),
        notes=workspace.notes(state),
        query=f"?{page.request.url.query}" if page.request.url.query else "",
    )


def step_pane(page: Page) -> Response:
    """The methods, and the form of the one that is chosen or edited."""
    state = page.state
    data = page.workspace.data(state)
    families = maskings_for(data)
    names = [entry.name for each in families.values() for entry in each]
    number = page.query("step")
    edited = state.steps[int(number)] if number.isdigit() and int(number) < len(state.steps) else None
    method = edited.masking.name if edited else page.query("method") or _first(data, names)
    return page.show(
        "step.html",
        state=state,
        families=families,
        earlier=[each for each in page.workspace.store.recent() if each.id != state.file.id],
        **form_values(page, data, method, edited, number if edited else ""),
    )


def _first(data: Microdata, names: list[str]) -> str:
    """A method that can mask the file as it is, else the first."""
    for name in [FIRST_CHOICE, *names]:
        if name in names:
            entry = find("masking", name)
            try:
                entry.build(**dict(getattr(entry.component, "example", {}))).applicable(data, ())
            except SdcError:
                continue
            return name
    return names[0] if names else ""


def form_values(page: Page, data: Microdata, method: str, edited: Step | None, number: str) -> dict[str, Any]:
    """What the form of a method shows."""
    entry = find("masking", method)
    wanted = page.request.query_params.getlist("attributes")
    chosen = edited.attributes if edited is not None else tuple(wanted)
    defaults = dict(getattr(entry.component, "example", {}))
    return {
        "entry": entry,
        "fields": fields_of(entry, edited.masking.parameters() if edited is not None else defaults),
        "choices": choices_of(entry, data),
        "chosen": chosen,
        "editing": number,
    }


def form(page: Page) -> Response:
    """The form of another method."""
    state = page.state
    return page.show(
        "step_form.html",
        state=state,
        **form_values(page, page.workspace.data(state), page.query("method"), None, page.query("step")),
    )


def step_from(page: Page) -> Step:
    """The step that a form describes."""
    entry = find("masking", page.text("method"))
    return Step(built_from(entry, page.form), tuple(page.several("attributes")))


def recipe_with(page: Page, state: State) -> tuple[Recipe, str]:
    """The recipe with the step of the form at its end, or instead of the step that is edited; and a label."""
    step, steps = step_from(page), list(state.steps)
    label = step_label(step)
    number = page.text("step")
    if number.isdigit() and int(number) < len(steps):
        steps[int(number)] = step
    else:
        steps.append(step)
    return Recipe(tuple(steps)), label


def apply(page: Page) -> Response:
    """Add the step to the recipe and mask the file."""
    state = page.state
    recipe, label = recipe_with(page, state)
    recipe = recipe.resolve(page.workspace.data(state))
    child = page.workspace.child(state, label, page.workspace.with_step(state, recipe))
    page.workspace.ensure(child)
    return page.go(child, "mask")


def remove(page: Page) -> Response:
    """Leave a step out."""
    state, number = page.state, int(page.request.path_params["step"])
    if number >= len(state.steps):
        raise FileError("the recipe has no such step any more; reload the page")
    steps = tuple(step for index, step in enumerate(state.steps) if index != number)
    run = replace(state.run, recipe=Recipe(steps) if steps else None)
    label = f"without {state.steps[number].masking.name}"
    return page.go(page.workspace.child(state, label, run), "mask")


def preview(page: Page) -> Response:
    """Mask some of the records to see what a step would do."""
    state, workspace = page.state, page.workspace
    recipe, _ = recipe_with(page, state)
    recipe = recipe.resolve(workspace.data(state))
    name = f"preview {state.node.id}"
    for job in workspace.jobs.running("preview"):
        workspace.jobs.cancel(job.number)
    shown: dict[str, Any] = {}

    def keep(what: str, value: Any) -> None:
        shown[what] = value
        workspace.results.put(name, shown)

    workspace.results.put(name, shown)
    job = workspace.jobs.start("preview", "preview", state.node.id, (workspace.work(state), recipe), keep)
    return page.begun("preview.html", state=state, job=job, preview=None, problem="")


def previewed(page: Page) -> Response:
    """What a preview has found so far."""
    state = page.state
    shown: Mapping[str, Any] = page.workspace.results.get(f"preview {state.node.id}") or {}
    job = page.workspace.jobs.latest("preview", state.node.id)
    result = None
    if "release" in shown:
        records, made = shown["release"]
        result = {
            "records": len(records),
            "changes": [each for each in changes_by_attribute(made) if each.changed or each.suppressed],
            "strip": shown.get("strip"),
        }
    return page.show("preview.html", state=state, job=job, preview=result, problem="" if job is None else job.problem)


def load(page: Page) -> Response:
    """Take the recipe of a TOML text, and its intruder and policy where it has them."""
    state = page.state
    try:
        document = tomllib.loads(page.text("toml"))
    except ValueError as problem:
        raise SdcError(f"the text is not valid TOML: {problem}") from None
    document = {name: table for name, table in document.items() if name not in ("attributes", "edits", "release")}
    run = Run.from_dict(document, "the recipe")
    if run.recipe is None:
        raise SdcError("the text has no steps; paste a recipe or a run with [[steps]]")
    data = page.workspace.data(state)
    made = replace(
        state.run,
        recipe=run.recipe.resolve(data),
        intruder=run.intruder if "intruder" in document else state.run.intruder,
        policy=run.policy if run.policy is not None else state.run.policy,
    )
    return page.go(page.workspace.child(state, f"recipe of {len(run.recipe.steps)} steps", made), "mask")


def choose(page: Page) -> Response:
    """A branch with the steps that were chosen elsewhere, on the map or by tuning."""
    state = page.state
    document = tomllib.loads(page.text("steps"))
    recipe = Recipe.from_dict(document, "the recipe").resolve(page.workspace.data(state))
    child = page.workspace.child(state, str(recipe), page.workspace.with_step(state, recipe))
    page.workspace.ensure(child)
    return page.go(child, "mask")


ROUTES = [
    get("/n/{node:int}/mask", screen),
    get("/n/{node:int}/step", step_pane),
    get("/n/{node:int}/form", form),
    post("/n/{node:int}/apply", apply),
    post("/n/{node:int}/remove/{step:int}", remove),
    post("/n/{node:int}/preview", preview),
    get("/n/{node:int}/preview", previewed),
    post("/n/{node:int}/load", load),
    post("/n/{node:int}/choose", choose),
]
