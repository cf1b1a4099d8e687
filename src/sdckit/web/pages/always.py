"""What is visible on every screen: the strip, the jobs, the data, the code, and the way back."""

import json
from collections.abc import AsyncIterator
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from sdckit.formatting import printable
from sdckit.web.code import code_of
from sdckit.web.forms import maskings_for
from sdckit.web.grid import VIEWS, window
from sdckit.web.page import Page, get, need, post


def strip(page: Page) -> Response:
    """The figures of a state."""
    state = page.state
    at_work = page.workspace.ensure(state)
    answer = page.show if at_work is None else page.begun
    return answer("strip.html", state=state, strip=page.workspace.strip(state), at_work=at_work)


def recompute(page: Page) -> Response:
    """Begin again what was cancelled or failed."""
    state = page.state
    page.workspace.begin(state)
    return page.show("jobs.html", jobs=page.shown_jobs())


def jobs(page: Page) -> Response:
    """The jobs at work."""
    return page.show("jobs.html", jobs=page.shown_jobs())


def cancel(page: Page) -> Response:
    """End a job."""
    page.workspace.jobs.cancel(int(page.request.path_params["job"]))
    return page.show("jobs.html", jobs=page.shown_jobs())


async def events(request: Request) -> Response:
    """The progress of a job as it changes."""
    jobs = request.app.state.workspace.jobs
    number = int(request.path_params["job"])
    if number not in jobs.jobs:
        return Response(status_code=204)  # so that the browser does not ask again

    async def lines() -> AsyncIterator[str]:
        async for job in jobs.events(number):
            yield f"data: {json.dumps(job.to_dict())}\n\n"

    return StreamingResponse(lines(), media_type="text/event-stream")


def cells(page: Page) -> Response:
    """A window of the data."""
    state, workspace = page.state, page.workspace
    view = page.query("view", "original")
    need(view in VIEWS, f"there is no view {view!r}")
    limits = [page.query(name, "0") for name in ("y0", "y1", "x0", "x1")]
    need(all(each.isdecimal() for each in limits), "rows and columns are counted by whole numbers from 0")
    first, last, left, right = map(int, limits)
    return JSONResponse(window(workspace.data(state), workspace.release(state), view, (first, last), (left, right)))


def code(page: Page) -> Response:
    """The code that does what was clicked."""
    state = page.state
    return page.show("code.html", state=state, code=code_of(state, page.workspace.store.seed_path(state.file.id)))


def commands(page: Page) -> Response:
    """Every column and method with the address that shows it, for the palette."""
    state = page.state
    data, start = page.workspace.data(state), f"/n/{state.node.id}"
    columns = [
        {"label": printable(name), "hint": "column", "go": f"{start}/describe?column={quote(name, safe='')}"}
        for name in (each.name for each in data.attributes)
    ]
    methods = [
        {"label": entry.name, "hint": "method", "go": f"{start}/mask?method={quote(entry.name)}"}
        for family in maskings_for(data).values()
        for entry in family
    ]
    return JSONResponse([*columns, *methods])


def run_toml(page: Page) -> Response:
    """The run of a state as a file."""
    return Response(
        page.state.node.run,
        media_type="application/toml",
        headers={"content-disposition": 'attachment; filename="run.toml"'},
    )


ROUTES = [
    get("/n/{node:int}/strip", strip),
    post("/n/{node:int}/recompute", recompute),
    get("/jobs", jobs),
    post("/jobs/{job:int}/cancel", cancel),
    Route("/jobs/{job:int}/events", events, methods=["GET"]),
    get("/n/{node:int}/cells", cells),
    get("/n/{node:int}/code", code),
    get("/n/{node:int}/commands", commands),
    get("/n/{node:int}/run.toml", run_toml),
]
