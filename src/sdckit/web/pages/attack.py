"""Attack lab: what an intruder knows, who is re-identified with it, with what confidence, and why."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from starlette.responses import Response

from sdckit.catalogue import find
from sdckit.charts.evidence import waterfall
from sdckit.charts.known_attributes import known_attributes
from sdckit.charts.reliability import reliability
from sdckit.evaluation.attack import Attack
from sdckit.external import External
from sdckit.files import read
from sdckit.files.other_releases import other_releases
from sdckit.graph import Graph
from sdckit.intruder import Intruder
from sdckit.intruder_map import IntruderMap
from sdckit.measure import Score
from sdckit.microdata import Microdata, Role
from sdckit.release import Release
from sdckit.web.grid import texts
from sdckit.web.page import Page, get, need, post
from sdckit.web.workspace import State


def screen(page: Page) -> Response:
    """The lab with the intruder of the state."""
    state, workspace = page.state, page.workspace
    data, release = workspace.data(state), workspace.release(state)
    intruder = state.run.intruder
    known = intruder.attributes if intruder.attributes is not None else data.names(role=Role.KEY)
    return page.screen(
        "attack",
        release=release,
        synthetic=None if release is None or release.corresponds else on_synthetic(page, state),
        candidates=[each for each in data.attributes if each.role is not Role.IDENTIFIER],
        known=list(known),
        intruder=intruder,
        share=intruder.records if isinstance(intruder.records, float) else 1.0,
        **found_values(page, state, last_attack(page, state)),
    )


def on_synthetic(page: Page, state: State) -> list[dict[str, Any]]:
    """The attacks on synthetic data that the strip has measured, with what each of them does."""
    strip = page.workspace.strip(state)
    return [{**each, "summary": find("risk", each["name"]).summary} for each in (strip or {}).get("risks", ())]


def last_attack(page: Page, state: State) -> dict[str, Any] | None:
    """The last attack on this release."""
    return page.workspace.results.get(f"attack {state.node.id} {state.fingerprint}")


def intruder_from(page: Page, state: State, release: Release) -> Intruder:
    """The intruder that the form describes."""
    intruder = knowledge_from(page)
    if page.text("own_file"):
        intruder = replace(intruder, file=own_file(page))
    if page.text("other_file"):
        others = other_releases(
            release,
            paths_in(page.text("other_file")),
            paths_in(page.text("other_recipe")),
            linked_by=page.text("other_linked_by") or None,
            in_order=bool(page.text("other_in_order")),
            schema=state.run.schema,
        )
        intruder = replace(intruder, also=others)
    return intruder


def paths_in(text: str) -> list[Path]:
    """The paths of a field, one in each line."""
    return [Path(line.strip()).expanduser() for line in text.splitlines() if line.strip()]


def knowledge_from(page: Page) -> Intruder:
    """What the form says that the intruder knows of the original itself."""
    share = page.number("records")
    return Intruder(
        attributes=tuple(page.several("known")) or None,
        records=None if share is None or share >= 1 else share,
        noise=page.number("noise", 0.0) or 0.0,
        missing=page.number("missing", 0.0) or 0.0,
        knows_method=bool(page.text("knows_method")),
    )


def own_file(page: Page) -> External:
    """The intruder's own file under its map, or with the column that says whose row it is."""
    path = Path(page.text("own_file")).expanduser()
    if page.text("own_map"):
        return IntruderMap.from_toml(Path(page.text("own_map")).expanduser()).external(read(path, mixtures=True))
    need(page.text("own_record"), "name the column of the intruder's file that says whose row it is")
    return External(read(path, mixtures=True), record=page.text("own_record"))


def begin(page: Page) -> Response:
    """Attack the release; an attack that is under way gives room to the new one."""
    state, workspace = page.state, page.workspace
    release = workspace.release(state)
    if release is None:
        workspace.ensure(state)
        release = workspace.masked(state)
    intruder = intruder_from(page, state, release)
    if isinstance(release.original, Graph):
        intruder = replace(intruder, attributes=None)
    for job in workspace.jobs.running("attack"):
        workspace.jobs.cancel(job.number)
    name = f"attack {state.node.id} {state.fingerprint}"
    workspace.results.put(name, {})

    def keep(stage: str, value: Attack | Score | None) -> None:
        workspace.results.put(name, {stage: value})

    workspace.jobs.start("attack", "attack", state.node.id, (release, intruder, None), keep)
    values = found_values(page, state, last_attack(page, state))
    return page.begun("attack_found.html", state=state, **values)


def found(page: Page) -> Response:
    """Whom the last attack found."""
    state = page.state
    return page.show("attack_found.html", state=state, **found_values(page, state, last_attack(page, state)))


def found_values(page: Page, state: State, result: dict[str, Any] | None) -> dict[str, Any]:
    """What the result of an attack shows: who, with what confidence, why, and the share without each attribute."""
    release = page.workspace.release(state)
    job = page.workspace.jobs.latest("attack", state.node.id)
    graph = isinstance(page.workspace.data(state), Graph)
    progress = {"problem": "" if job is None else job.problem, "job": job, "graph": graph}
    attack: Attack | None = (result or {}).get("attack")
    if attack is None or release is None:
        return {"attack": None, "first": (result or {}).get("first"), **progress}
    lead = attack.leading
    attacked = int(lead.details.get("records_attacked", len(release.original)))
    rows = list(release.true_rows(release_records(attack))) if release.corresponds else []
    who = [
        {
            "explanation": each,
            "row": int(row),
            "chart": waterfall(each) if each.weights else None,
            "values": known_values(release.original, attack.attributes, each.record),
        }
        for each, row in zip(attack.explanations, rows, strict=False)
    ]
    return {
        **progress,
        "attack": attack,
        "lead": lead,
        "attacked": attacked,
        "count": round(lead.value * attacked),
        "who": who,
        "curve": known_attributes(attack) if attack.curve else None,
        "reliability": reliability(attack),
    }


def release_records(attack: Attack) -> NDArray[np.int64]:
    """The records that the attack explains."""
    return np.array([each.record for each in attack.explanations], dtype=np.int64)


def known_values(data: Microdata, names: tuple[str, ...], record: int) -> list[tuple[str, str]]:
    """What is known of a record."""
    return [(name, texts(data, name, np.array([record]))[0]) for name in names]


def keep_intruder(page: Page) -> Response:
    """Make this intruder the one of the run, so that figures and policy are about him."""
    state = page.state
    intruder, run = knowledge_from(page), state.run
    policy = None if run.policy is None else replace(run.policy, intruder=intruder)
    made = replace(run, intruder=intruder, policy=policy)
    return page.go(page.workspace.child(state, "intruder", made), "attack")


ROUTES = [
    get("/n/{node:int}/attack", screen),
    post("/n/{node:int}/attack", begin),
    get("/n/{node:int}/found", found),
    post("/n/{node:int}/intruder", keep_intruder),
]
