"""Compare: two states of the history side by side: figures, distributions and correlations."""

from typing import Any

from starlette.responses import Response

from sdckit.charts.correlations import correlations
from sdckit.charts.distributions import distribution
from sdckit.charts.graph_structure import degree_chart
from sdckit.evaluation.changed_attributes import changed_attributes
from sdckit.graph import Graph
from sdckit.release import Release
from sdckit.web.page import Page, get
from sdckit.web.workspace import State

MOST = 12  # attributes whose distributions are drawn


def screen(page: Page) -> Response:
    """The state and another one of the same file, by default the one before the last change of the masked file."""
    state, workspace = page.state, page.workspace
    nodes = workspace.store.nodes(state.file.id)
    chosen = page.query("with")
    other = workspace.state(int(chosen)) if chosen.isdigit() else before(page, state)
    if other.file.id != state.file.id:
        other = state
    workspace.ensure(other)
    sides = [side_values(page, "A", other), side_values(page, "B", state)]
    return page.screen("compare", nodes=nodes, other=other, sides=sides, rows=figure_rows(sides))


def before(page: Page, state: State) -> State:
    """The last state on the way here whose masked file is another one; the first state where there is none."""
    at = state
    for node in page.workspace.ancestors(state):
        at = State(state.file, node)
        if at.fingerprint != state.fingerprint:
            break
    return at


def side_values(page: Page, letter: str, state: State) -> dict[str, Any]:
    """One side: its figures and its charts."""
    release = page.workspace.release(state)
    return {
        "letter": letter,
        "state": state,
        "strip": page.workspace.strip(state),
        "release": release,
        "charts": [] if release is None or not state.steps else distributions(release),
        "correlations": None if release is None or not state.steps else matrices(release),
    }


def distributions(release: Release) -> list[Any]:
    """The distributions that changed, before and after; of a graph, the degrees first."""
    before, after = release.original, release.masked
    links = [degree_chart(before, after)] if isinstance(before, Graph) and isinstance(after, Graph) else []
    return links + [distribution(release, name) for name in changed_attributes(release)[:MOST]]


def matrices(release: Release) -> Any:
    """The correlations before, after and their difference; None where there are fewer than two ordered attributes."""
    return None if isinstance(release.original, Graph) else correlations(release)


def figure_rows(sides: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Every figure that one of the sides has, with the difference where both have it."""
    rows = []
    for kind in ("risks", "losses"):
        by_side = [{each["name"]: each for each in (side["strip"] or {}).get(kind, [])} for side in sides]
        for name in dict.fromkeys([*by_side[0], *by_side[1]]):
            values = [figures.get(name, {}).get("value") for figures in by_side]
            both = values[0] is not None and values[1] is not None
            rows.append(
                {
                    "name": name,
                    "kind": kind,
                    "a": values[0],
                    "b": values[1],
                    "difference": values[1] - values[0] if both else None,
                    "interval": figures_interval(by_side[1].get(name)),
                }
            )
    return rows


def figures_interval(figures: dict[str, Any] | None) -> list[float] | None:
    """The interval of a figure."""
    return None if figures is None else figures.get("interval")


ROUTES = [get("/n/{node:int}/compare", screen)]
