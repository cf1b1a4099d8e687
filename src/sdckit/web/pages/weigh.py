"""Weigh: the map of risk against loss, and the search for the recipe of least loss within a bound."""

from dataclasses import replace
from typing import Any

import numpy as np
import tomli_w
from starlette.responses import JSONResponse, Response

from sdckit.charts.risk_utility_map import risk_utility_map
from sdckit.evaluation.released_setting import released_setting
from sdckit.evaluation.risk_utility_map import RiskUtilityMap, Setting
from sdckit.evaluation.tune import Tuning
from sdckit.evaluation.worker_pool import workers_that_fit
from sdckit.microdata import Microdata
from sdckit.web.forms import maskings_for
from sdckit.web.page import Page, get, post
from sdckit.web.workspace import State, digest_of_texts

BUDGET = 60.0


def screen(page: Page) -> Response:
    """The map of the file, where there is one, and the forms of a sweep and of tuning."""
    state = page.state
    data = page.workspace.data(state)
    return page.screen(
        "weigh", families=maskings_for(data), budget=BUDGET, **map_values(page, state), tuning=tuning_of(page, state)
    )


def map_name(state: State) -> str:
    """A map is of the file under its schema and intruder, whatever the recipe."""
    return f"map {state.file.id} {hash_of(state)}"


def hash_of(state: State) -> str:
    """What a sweep follows from besides its options."""
    return digest_of_texts(state.file.id, replace(state.run, recipe=None, policy=None, measures=(), grid={}).to_toml())


def map_values(page: Page, state: State) -> dict[str, Any]:
    """The map as a chart, its frontier, and the best setting within the bound."""
    found: RiskUtilityMap | None = page.workspace.results.get(map_name(state))
    if found is None:
        kept = page.workspace.store.kept(map_name(state), "map")
        if kept is not None:
            found = page.workspace.results.put(map_name(state), RiskUtilityMap.from_dict(kept))
    if found is None or not found.risks or not found.losses:
        return {"map": None, "chart": None}
    risk, loss = found.axes(page.query("risk") or None, page.query("loss") or None)
    bound = float(page.query("bound") or 0.1)
    return {
        "map": found,
        "risk": risk,
        "loss": loss,
        "bound": bound,
        "chart": risk_utility_map(found, risk, loss, released_setting(found, state.run.recipe)),
        "frontier": [setting_values(each, risk, loss) for each in found.frontier(risk, loss)],
        "best": setting_of(found.best(bound, risk, loss), risk, loss),
    }


def setting_of(setting: Setting | None, risk: str, loss: str) -> dict[str, Any] | None:
    """A setting as the page shows it; None where there is none."""
    return None if setting is None else setting_values(setting, risk, loss)


def setting_values(setting: Setting, risk: str, loss: str) -> dict[str, Any]:
    """A setting with its figures and its steps as TOML, to branch with."""
    return {
        "label": setting.label,
        "risk": setting.mean[risk],
        "highest": setting.highest[risk],
        "loss": setting.mean[loss],
        "steps": tomli_w.dumps({"steps": [dict(step) for step in setting.steps]}),
    }


def settings(page: Page) -> Response:
    """The steps of every setting of the map by its label, so that a click on a dot can branch with it."""
    values = map_values(page, page.state)
    found = values["map"]
    if found is None:
        return JSONResponse({})
    return JSONResponse(
        {each.label: tomli_w.dumps({"steps": [dict(s) for s in each.steps]}) for each in found.settings if each.steps}
    )


def best(page: Page) -> Response:
    """The best setting of the map within a bound."""
    return page.show("best.html", state=page.state, **map_values(page, page.state))


def sweep(page: Page) -> Response:
    """Begin a sweep of the methods chosen; what an earlier one finished is not done again."""
    state, workspace = page.state, page.workspace
    data = workspace.data(state)
    methods = page.several("methods") or None
    share = page.number("share", 1.0) or 1.0
    name = map_name(state)

    def keep(_: str, value: RiskUtilityMap) -> None:
        workspace.results.put(name, value)
        workspace.store.keep(name, "map", value.to_dict())

    payload = {
        "data": sampled(data, share),
        "methods": methods,
        "seeds": int(page.number("seeds", 1) or 1),
        "intruder": state.run.intruder,
        "workers": workers_that_fit(data, None),
        "folder": workspace.store.folder_for(f"sweeps/{hash_of(state)}-{share:g}"),
    }
    workspace.jobs.start("sweep", "sweep", state.node.id, payload, keep)
    return page.show("jobs.html", jobs=page.shown_jobs())


def sampled(data: Microdata, share: float) -> Microdata:
    """Some of the records, always the same ones."""
    if share >= 1:
        return data
    count = max(round(share * len(data)), min(len(data), 100))
    rows = np.sort(np.random.default_rng(0).choice(len(data), count, replace=False))
    return replace(data.take(rows), lineage=None)


def tune(page: Page) -> Response:
    """Search for the recipe of least loss within the bound."""
    state, workspace = page.state, page.workspace
    name = f"tuning {hash_of(state)}"

    def keep(_: str, value: Tuning) -> None:
        workspace.results.put(name, value)
        map_so_far = workspace.results.get(map_name(state))
        if map_so_far is None:
            workspace.results.put(map_name(state), value.map)

    payload = {
        "data": workspace.data(state),
        "max_risk": page.number("bound", 0.1),
        "methods": page.several("methods") or None,
        "budget": page.number("budget", BUDGET),
        "intruder": state.run.intruder,
    }
    for job in workspace.jobs.running("tune"):  # a bound that was dragged on replaces the one before
        workspace.jobs.cancel(job.number)
    workspace.jobs.start("tune", f"tuning to {payload['max_risk']:.0%}", state.node.id, payload, keep)
    return page.show("jobs.html", jobs=page.shown_jobs())


def tuning_of(page: Page, state: State) -> dict[str, Any] | None:
    """What tuning has found."""
    found: Tuning | None = page.workspace.results.get(f"tuning {hash_of(state)}")
    if found is None:
        return None
    return {
        "bound": found.max_risk,
        "risk": found.risk,
        "loss": found.loss,
        "tried": len(found.map.points),
        "best": setting_of(found.best, found.risk, found.loss),
        "safest": setting_values(found.safest, found.risk, found.loss),
        "confirmed": dict(found.confirmed),
    }


ROUTES = [
    get("/n/{node:int}/weigh", screen),
    get("/n/{node:int}/settings", settings),
    get("/n/{node:int}/best", best),
    post("/n/{node:int}/sweep", sweep),
    post("/n/{node:int}/tune", tune),
]
