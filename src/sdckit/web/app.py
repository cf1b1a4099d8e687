"""The application: the routes behind the guard, and the scripts and styles of the pages."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Thread

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from sdckit.catalogue import entries
from sdckit.web.bundle import chart_bundle
from sdckit.web.jobs import Jobs
from sdckit.web.pages import every_route
from sdckit.web.security import Access, Guard
from sdckit.web.store import Store
from sdckit.web.workspace import Workspace

STATIC = Path(__file__).parent / "static"
SHORT_WHILE = "private, max-age=600"  # scripts and styles: no data


class Files(StaticFiles):
    """The scripts and styles, kept by the browser for a while."""

    def file_response(self, *arguments: object, **options: object) -> Response:
        """The file with how long it may be kept."""
        answer = super().file_response(*arguments, **options)  # type: ignore[arg-type]
        answer.headers["cache-control"] = SHORT_WHILE
        return answer


async def vega(request: Request) -> Response:
    """The scripts that draw the charts, as the report embeds them."""
    text = await chart_bundle(request.app.state.workspace.store.folder)
    return Response(text, media_type="text/javascript", headers={"cache-control": SHORT_WHILE})


def make_app(store: Store, access: Access, *, jobs: Jobs | None = None) -> Starlette:
    """The application on a store, for one run of the server."""
    workspace = Workspace(store, jobs or Jobs())

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        workspace.jobs.warm_up()
        Thread(target=entries, daemon=True).start()  # the forms need all methods, the first page does not
        yield
        workspace.jobs.close()
        workspace.close()
        store.close()

    routes = [*every_route(), Route("/static/vega.js", vega), Mount("/static", Files(directory=STATIC))]
    app = Starlette(routes=routes, middleware=[Middleware(Guard, access=access)], lifespan=lifespan)
    app.state.workspace, app.state.access = workspace, access
    return app
