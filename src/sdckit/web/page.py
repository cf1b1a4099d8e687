"""Page: one request as the pages see it, and how a template answers it."""

import json
from collections.abc import Awaitable, Callable, Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader
from markupsafe import Markup
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from sdckit import __version__
from sdckit.charts.chart import Chart
from sdckit.errors import FileError, SdcError
from sdckit.evaluation.component_descriptions import describe_component
from sdckit.formatting import between, figure, percent, printable
from sdckit.reporting.text_filters import listed, out_of, prose
from sdckit.web.history import tree_of
from sdckit.web.jobs import own_fault
from sdckit.web.security import Access
from sdckit.web.step_text import step_values
from sdckit.web.workspace import State, Workspace, digest_of_texts

SCREENS = (
    ("open", "Open", "choose a file"),
    ("describe", "Describe", "columns, roles and uniques"),
    ("mask", "Mask", "build the recipe"),
    ("attack", "Attack", "who is re-identified, and why"),
    ("weigh", "Weigh", "risk against loss"),
    ("compare", "Compare", "two states side by side"),
    ("decide", "Decide", "policy, reports, release"),
)


class Page:
    """One request: the workspace, the state that its address names, and the form that was sent."""

    def __init__(self, request: Request, form: Mapping[str, Any]) -> None:
        self.request = request
        self.workspace: Workspace = request.app.state.workspace
        self.access: Access = request.app.state.access
        self.form = form

    @property
    def state(self) -> State:
        """The state that the address names."""
        return self.workspace.state(int(self.request.path_params["node"]))

    @property
    def partial(self) -> bool:
        """Whether a part of a page is asked for."""
        return "hx-request" in self.request.headers

    def query(self, name: str, default: str = "") -> str:
        """A value of the address."""
        return self.request.query_params.get(name, default)

    def several(self, name: str) -> list[str]:
        """All values of a field."""
        return [str(each) for each in self.form.getlist(name)] if hasattr(self.form, "getlist") else []

    def text(self, name: str, default: str = "") -> str:
        """The value of a field."""
        return str(self.form.get(name, default)).strip()

    def number(self, name: str, default: float | None = None) -> float | None:
        """The number in a field; None where it is empty."""
        text = self.text(name)
        if not text:
            return default
        try:
            return float(text)
        except ValueError:
            raise SdcError(f"{name.replace('_', ' ')} = {text!r} is not a number") from None

    def show(self, template: str, **values: Any) -> HTMLResponse:
        """A part of a page."""
        return HTMLResponse(environment().get_template(template).render(page=self, **values))

    def begun(self, template: str, **values: Any) -> HTMLResponse:
        """A part of a page after a job was begun: the jobs are shown anew too."""
        answer = self.show(template, **values)
        answer.headers["HX-Trigger"] = "jobs"
        return answer

    def screen(self, name: str, **values: Any) -> HTMLResponse:
        """A whole page of a state, with all that is always visible."""
        state = self.state
        self.workspace.store.visit(state.node)
        at_work = self.workspace.ensure(state)
        data = self.workspace.data(state)
        answer = self.show(
            f"{name}.html",
            screen=name,
            state=state,
            data=data,
            strip=self.workspace.strip(state),
            at_work=at_work,
            waiting=bool(state.steps) and self.workspace.release(state) is None,
            tree=tree_of(self.workspace.store.nodes(state.file.id), state.node),
            jobs=self.shown_jobs(),
            **values,
        )
        answer.background = BackgroundTask(self.request.app.state.after_first_page)
        return answer

    def shown_jobs(self) -> list[Any]:
        """The jobs at work, and the last one that failed."""
        jobs = list(self.workspace.jobs.jobs.values())
        return [job for job in jobs if job.running] + [job for job in jobs[-1:] if job.state == "failed"]

    def go(self, state: State, screen: str) -> Response:
        """Go to a screen of a state."""
        return self.redirect(f"/n/{state.node.id}/{screen}")

    def redirect(self, address: str) -> Response:
        """Go to another page."""
        return Response(status_code=204, headers={"HX-Redirect": address})


Handler = Callable[[Page], Response]


def get(path: str, handler: Handler) -> Route:
    """A route that shows something."""
    return Route(path, _endpoint(handler), methods=["GET"])


def post(path: str, handler: Handler) -> Route:
    """A route that changes something."""
    return Route(path, _endpoint(handler), methods=["POST"])


def _endpoint(handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        form: Mapping[str, Any] = await request.form() if request.method == "POST" else {}
        page = Page(request, form)
        try:
            return await run_in_threadpool(handler, page)
        except SdcError as problem:
            return problem_answer(page, " ".join(str(problem).split()))
        except MemoryError:
            return problem_answer(page, "the file does not fit into memory; use fewer columns or records")
        except OSError as problem:
            where = f"{problem.filename}: " if problem.filename else ""
            return problem_answer(page, f"{where}{problem.strerror or problem}; check the path and its permissions")
        except Exception as problem:
            return problem_answer(page, own_fault(problem), 500)

    return endpoint


def problem_answer(page: Page, text: str, status: int = 422) -> Response:
    """An error: above the page for a part of it, else as a page of its own."""
    if page.partial:
        answer = page.show("message.html", text=text, tone="bad")
        answer.headers["HX-Retarget"], answer.headers["HX-Reswap"] = "#message", "innerHTML"
        return answer
    answer = page.show("problem.html", text=text)
    answer.status_code = 404 if status == 422 else status
    return answer


def chart_html(chart: Chart | None, *, title: bool = True, table: bool = True, kept: str = "") -> Markup:
    """A chart with the table of its records below; the script of the page draws it.

    One that is `kept` under a name stays as it is drawn when the same chart comes anew with a part of the page.
    """
    if chart is None:
        return Markup("")
    template = environment().get_template("chart.html")
    spec = json.dumps(chart.vega_lite(), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    names = list(dict.fromkeys(name for record in chart.records for name in record))
    return Markup(
        template.render(
            chart=chart,
            spec=Markup(spec.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")),
            names=names,
            title=title,
            table=table,
            kept=digest_of_texts(kept, spec) if kept else "",
        )
    )


@lru_cache(maxsize=1)
def environment() -> Environment:
    """The templates, with the filters of the report."""
    made = Environment(loader=PackageLoader("sdckit.web"), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    made.filters.update(
        percent=percent,
        figure=figure,
        between=between,
        listed=listed,
        out_of=out_of,
        prose=prose,
        printable=printable,
        quoted=lambda text: quote(str(text), safe=""),
        thousands=lambda number: f"{number:,}",
        cell=lambda value: figure(value) if isinstance(value, float) else printable(str(value)),
    )
    made.globals.update(
        step_values=step_values, screens=SCREENS, draw=chart_html, version=__version__, describe=describe_component
    )
    return made


def need(condition: object, text: str) -> None:
    """Refuse a request that lacks something."""
    if not condition:
        raise FileError(text)
