"""The application: the routes behind the guard, and the scripts and styles of the pages."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from threading import Thread

from jinja2 import FileSystemBytecodeCache
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from sdckit.catalogue import entries
from sdckit.web.bundle import chart_bundle
from sdckit.web.jobs import Jobs
from sdckit.web.page import environment
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
    environment().bytecode_cache = FileSystemBytecodeCache(str(store.folder_for("templates")))

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        workspace.jobs.close()
        workspace.close()
        store.close()

    routes = [*every_route(), Route("/static/vega.js", vega), Mount("/static", Files(directory=STATIC))]
    app = Starlette(routes=routes, middleware=[Middleware(Guard, access=access)], lifespan=lifespan)
    app.state.workspace, app.state.access = workspace, access
    app.state.after_first_page = after_first_page(workspace)
    return app


def after_first_page(workspace: Workspace) -> Callable[[], None]:
    """What the later pages need and the first one would wait for: a worker, and the methods for the forms."""

    @cache
    def prepare() -> None:
        workspace.jobs.warm_up()
        Thread(target=entries, daemon=True).start()  # the connection of the page is free for what it asks for next

    return prepare
