"""Decide: the policy, the two reports, and what is written: a published folder, or a masked file with its key."""

import math
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

from starlette.responses import HTMLResponse, Response

from sdckit.catalogue import entries
from sdckit.cli.publish import refuse_key_inside
from sdckit.errors import FileError, SdcError
from sdckit.evaluation.policy import Policy, Rule
from sdckit.files import writer_for
from sdckit.files.atomic import refuse_unwritable
from sdckit.graph import Graph
from sdckit.microdata import Microdata
from sdckit.web.forms import built_from
from sdckit.web.page import Page, get, need, post
from sdckit.web.security import REPORT_POLICY
from sdckit.web.tasks import Export, Publication
from sdckit.web.workspace import State

DEFAULT_POLICY = """\
[[rules]]
measure = "informed-intruder"
max = 0.1
note = "an intruder who knows the method re-identifies at most one record in ten"

[[rules]]
measure = "uniqueness"
max = 0.02
note = "at most 2 % of the records are sample uniques on the keys"
"""


def screen(page: Page) -> Response:
    """The policy with its findings, the reports, and the forms to write a release."""
    state, workspace = page.state, page.workspace
    data = workspace.data(state)
    source = state.file.path
    return page.screen(
        "decide",
        release=workspace.release(state),
        policy=state.run.policy,
        measures=measures_for(data),
        suggestion=DEFAULT_POLICY if not isinstance(data, Graph) else "",
        decision=decision_of(page, state),
        published=workspace.results.get(f"published {state.fingerprint}"),
        folder=str(source.parent / f"{source.stem}-release"),
        key=str(source.parent / f"{source.stem}-release.key"),
        out=str(source.parent / f"{source.stem}-masked{source.suffix}"),
    )


def measures_for(data: Microdata) -> dict[str, list[str]]:
    """The risks and losses that a rule can name."""
    domains = {type(data), Microdata}
    return {kind: [entry.name for entry in entries(kind) if entry.domain in domains] for kind in ("risk", "loss")}


def decision_of(page: Page, state: State) -> dict[str, Any] | None:
    """The last results that a decision on this state rests on."""
    return page.workspace.results.get(f"decision {state.judged_as}")


def add_rule(page: Page) -> Response:
    """Add a rule to the policy."""
    state = page.state
    entry = next((each for each in entries() if each.name == page.text("measure") and each.kind != "masking"), None)
    need(entry, "choose the risk or the loss that the rule limits")
    assert entry is not None
    limit = page.number("max")
    need(limit is not None, "give the limit of the rule, such as 0.1 for one record in ten")
    rule = Rule(
        built_from(entry, page.form),
        page.text("figure") or "value",
        max=math.inf if limit is None else limit,
        optional=bool(page.text("optional")),
        note=page.text("note"),
    )
    before = () if state.run.policy is None else state.run.policy.rules
    checked = Policy.from_dict({"rules": Policy((rule,)).to_dict()["rules"]}, "the policy").rules  # as from a file
    return with_policy(page, state, Policy((*before, *checked), state.run.intruder), f"rule: {rule.title} {rule.limit}")


def remove_rule(page: Page) -> Response:
    """Leave a rule out."""
    state, number = page.state, int(page.request.path_params["rule"])
    rules = () if state.run.policy is None else state.run.policy.rules
    need(number < len(rules), "the policy has no such rule any more; reload the page")
    left = tuple(rule for index, rule in enumerate(rules) if index != number)
    policy = Policy(left, state.run.intruder) if left else None
    return with_policy(page, state, policy, f"without the rule on {rules[number].measure.name}")


def set_policy(page: Page) -> Response:
    """Take the rules of a TOML text, and the intruder that they are about where it has one."""
    state = page.state
    try:
        document = tomllib.loads(page.text("toml"))
    except ValueError as problem:
        raise SdcError(f"the text is not valid TOML: {problem}") from None
    policy = Policy.from_dict(document, "the policy")
    if "intruder" not in document:
        policy = replace(policy, intruder=state.run.intruder)
    return with_policy(page, state, policy, f"policy of {len(policy.rules)} rules")


def with_policy(page: Page, state: State, policy: Policy | None, label: str) -> Response:
    """The state with another policy, whose intruder is that of the whole run."""
    intruder = state.run.intruder if policy is None else policy.intruder
    child = page.workspace.child(state, label, replace(state.run, policy=policy, intruder=intruder))
    return page.go(child, "decide")


def begin(page: Page) -> Response:
    """Gather everything that a decision rests on."""
    state, workspace = page.state, page.workspace
    release = workspace.masked(state)

    def keep(_: str, value: dict[str, Any]) -> None:
        workspace.results.put(f"decision {state.judged_as}", value)

    workspace.jobs.start("decide", "reports", state.node.id, (release, state.run), keep)
    return page.show("jobs.html", jobs=page.shown_jobs())


def report(page: Page) -> Response:
    """One of the two reports."""
    decision = decision_of(page, page.state)
    edition = page.request.path_params["edition"]
    need(decision is not None and edition in ("internal", "public"), "the report is not made yet; make it first")
    assert decision is not None
    return HTMLResponse(decision[edition], headers={"content-security-policy": REPORT_POLICY})


def publish(page: Page) -> Response:
    """Publish the release into a folder, if it meets its policy."""
    state, workspace = page.state, page.workspace
    release = workspace.masked(state)
    need(state.steps, "the file is not masked; add a step first")
    need(state.run.policy, "a release is published under a policy; add a rule first")
    out = absolute(page.text("folder"), "the folder to publish into")
    if out.exists():
        raise FileError(f"{out} exists already; name a new folder")
    key = absolute(page.text("key"), "the key") if page.text("key") else None
    if key is not None:
        refuse_key_inside(key, out)
        refuse_unwritable(key, force=False)
    order = Publication(release, state.run, out, key, page.text("format") or ".csv", not page.text("keep_order"))
    begin_writing(page, state, "publish", order, {"path": str(out), "key": None if key is None else str(key)})
    return page.show("jobs.html", jobs=page.shown_jobs())


def export(page: Page) -> Response:
    """Write the masked file with its recipe and its private key."""
    state, workspace = page.state, page.workspace
    need(state.steps, "the file is not masked; add a step first")
    release = workspace.masked(state)
    out = absolute(page.text("out"), "the masked file")
    recipe, key = out.with_name(f"{out.stem}-recipe.toml"), out.with_name(f"{out.stem}.key")
    writer_for(out)
    for path in (out, recipe, key):
        refuse_unwritable(path, force=False)
    begin_writing(page, state, "export", Export(release, out, recipe, key), {"path": str(out), "key": str(key)})
    return page.show("jobs.html", jobs=page.shown_jobs())


def begin_writing(page: Page, state: State, kind: str, order: Any, written: dict[str, Any]) -> None:
    """Begin a job that writes, and remember what it wrote."""
    workspace = page.workspace

    def keep(_: str, value: Any) -> None:
        files = value if isinstance(value, list) else []
        workspace.results.put(f"published {state.fingerprint}", written | {"files": files, "kind": kind})

    workspace.jobs.start(kind, f"writing {Path(written['path']).name}", state.node.id, order, keep)


def absolute(text: str, what: str) -> Path:
    """A path from the root of the disk, so that nothing is written where nobody looks."""
    need(text, f"name {what}")
    path = Path(text).expanduser()
    if not path.is_absolute():
        raise FileError(f"name {what} by its whole path, such as {Path.home() / path}")
    return path


ROUTES = [
    get("/n/{node:int}/decide", screen),
    post("/n/{node:int}/rule", add_rule),
    post("/n/{node:int}/rule/{rule:int}/remove", remove_rule),
    post("/n/{node:int}/policy", set_policy),
    post("/n/{node:int}/decide", begin),
    get("/n/{node:int}/report/{edition}", report),
    post("/n/{node:int}/publish", publish),
    post("/n/{node:int}/export", export),
]
