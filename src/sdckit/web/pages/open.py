"""Open: a file by its path, by uploading it, or the sample file."""

import os
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sdckit.errors import FileError, SdcError
from sdckit.files import formats, write
from sdckit.files.formats import suffixes
from sdckit.memory import free_memory, gigabytes
from sdckit.web.page import Page, get, post, problem_answer
from sdckit.web.store import OWNER_ONLY

SAMPLE_RECORDS = 1000
BLOCK = 1 << 20


def start(page: Page) -> Response:
    """The start page: files opened before, and how to open another."""
    free = free_memory()
    return page.show(
        "open.html",
        screen="open",
        recent=page.workspace.store.recent(),
        formats=sorted(suffixes()),
        kinds=len(formats()),
        free=None if free is None else gigabytes(free),
    )


def again(page: Page) -> Response:
    """The start page under the number of the screen."""
    return start(page)


def by_path(page: Page) -> Response:
    """Open the file of a path."""
    path = page.text("path")
    if not path:
        raise FileError("name the file to open, such as /home/me/survey.csv")
    node = page.workspace.open(Path(path))
    return page.redirect(f"/n/{node.id}/describe")


async def upload(request: Request) -> Response:
    """Open a file that the browser sends; it is stored for its owner alone until the server ends."""
    form = await request.form(max_files=1)
    page = Page(request, form)
    sent = form.get("file")
    if not isinstance(sent, UploadFile) or not sent.filename:
        return problem_answer(page, "choose a file to upload")
    name = Path(sent.filename).name
    suffix = "".join(Path(name).suffixes[-2:])
    workspace = page.workspace
    target = workspace.upload_path(suffix if len(suffix) < 20 else Path(name).suffix)
    with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY), "wb") as file:
        while block := await sent.read(BLOCK):
            await run_in_threadpool(file.write, block)
    try:
        node = await run_in_threadpool(workspace.open, target, name)
    except SdcError as problem:
        return problem_answer(page, " ".join(str(problem).split()).replace(str(target), name))
    return page.redirect(f"/n/{node.id}/describe")


def sample(page: Page) -> Response:
    """Open the simulated survey, in which no person exists."""
    return page.redirect(f"/n/{page.workspace.open(sample_file(page.workspace.store.folder)).id}/describe")


def sample_file(folder: Path) -> Path:
    """The sample file in the folder of the state, written once."""
    from sdckit.datasets import simulate_survey
    from sdckit.microdata import Role

    path = folder / "sample-survey.csv"
    if not path.exists():
        data = simulate_survey(SAMPLE_RECORDS, seed=1)
        write(data.with_roles(**dict.fromkeys(data.names(role=Role.IDENTIFIER), Role.OTHER)), path)
    return path


ROUTES = [
    get("/", start),
    get("/n/{node:int}/open", again),
    post("/open", by_path),
    Route("/upload", upload, methods=["POST"]),
    post("/sample", sample),
]
