"""Bundle: the scripts that draw charts, from the package that the report takes them from, made once per version."""

import asyncio
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from starlette.concurrency import run_in_threadpool

from sdckit.reporting.chart_scripts import javascript_bundle

_MAKING = asyncio.Lock()


async def chart_bundle(folder: Path) -> bytes:
    """The text of the scripts; making it takes seconds, so it is kept in the folder of the state."""
    path = folder / f"charts-{_version()}.js"
    async with _MAKING:
        if not path.exists():
            text = await run_in_threadpool(javascript_bundle)
            temporary = path.with_suffix(".new")
            temporary.write_text(text, encoding="utf-8")
            temporary.replace(path)
    return await run_in_threadpool(path.read_bytes)


def _version() -> str:
    try:
        return version("vl-convert-python")
    except PackageNotFoundError:
        return "none"
