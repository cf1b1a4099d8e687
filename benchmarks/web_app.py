"""How long the web app takes: start to first paint, the strip after a masking step, and scrolling in a million rows.

Seconds on the wall with the CPU seconds of the server and its jobs beside them, since a machine may be shared. Warm
means that the same was done before. Needs playwright and chromium. `--part paint`, `strip` or `rows` runs one part.
"""

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, time

import numpy as np
import polars as pl
from tests.web.browser import Server, Visit, chromium, serving

from sdckit.datasets import simulate_survey
from sdckit.files import write
from sdckit.microdata import Role

RECORDS, METHOD = 10_000, "rank-swapping"
ROWS, COLUMNS = 1_000_000, 12
PAINTED = """() => new Promise(done => {
    const look = () => {
        const found = performance.getEntriesByName("first-contentful-paint")[0];
        found ? done(performance.timeOrigin + found.startTime) : requestAnimationFrame(look);
    };
    look();
})"""


def cpu_seconds(process: int) -> float:
    """The CPU seconds of a process and all that it started, also of those that ended."""
    parents, ticks = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry.name)] = int(fields[1])
            ticks[int(entry.name)] = sum(int(each) for each in fields[11:15])
    family, added = {process}, True
    while added:
        children = {child for child, parent in parents.items() if parent in family} - family
        family |= children
        added = bool(children)
    return sum(ticks.get(each, 0) for each in family) / os.sysconf("SC_CLK_TCK")


@contextmanager
def timed(label: str, server: Server) -> Iterator[None]:
    """Print what some work took."""
    start, spent = perf_counter(), cpu_seconds(server.process.pid)
    yield
    wall, cpu = perf_counter() - start, cpu_seconds(server.process.pid) - spent
    print(f"{label}: {wall:.2f} s, of which {cpu:.2f} s CPU in the server and its jobs", flush=True)


def first_paint(folder: Path, file: Path) -> None:
    """From the command to the first paint of the page of a file, in a browser that runs already."""
    with chromium() as browser:
        for state in ("cold", "warm", "warm again"):
            start, begun = perf_counter(), time()
            with serving(folder / "paint", str(file)) as server:
                listening = perf_counter() - start
                visit = Visit(browser, server)
                visit.page.goto(server.address, wait_until="commit")
                visit.page.wait_for_url("**/n/**", wait_until="commit")
                painted = visit.page.evaluate(PAINTED) / 1000
                cpu = cpu_seconds(server.process.pid)
                print(
                    f"first paint, {state}: {painted - begun:.2f} s (address after {listening:.2f} s; {cpu:.2f} s CPU)"
                )
                visit.context.close()


def strip(folder: Path, file: Path) -> None:
    """From *Apply* to the first and the firm figures of a step, the second time."""
    with chromium() as browser, serving(folder / "strip", str(file)) as server:
        visit = Visit(browser, server)
        visit.enter()
        visit.firm()
        for window in ("0.1", "0.2"):
            visit.go("mask")
            page = visit.page
            page.wait_for_selector("#method")
            with page.expect_response("**/form?*"):
                page.select_option("#method", METHOD)
            page.fill("[name='p:window']", window)
            with timed(f"strip of {RECORDS:,} records, window {window}, firm", server):
                with timed(f"strip of {RECORDS:,} records, window {window}, first figure", server):
                    page.click("#step button[type=submit]")
                    page.wait_for_selector(".chip")
                    page.wait_for_selector("#strip[data-state=guess]")
                print(f"   {page.inner_text('#strip .reading .value')}")
                visit.firm()
            print(f"   {page.inner_text('#strip .reading .value')}")


def million_rows(folder: Path) -> None:
    """The first window of a large file, and jumps to others."""
    rng = np.random.default_rng(1)
    path = folder / "million.parquet"
    pl.DataFrame({f"x{number}": rng.integers(0, 100, ROWS) for number in range(COLUMNS)}).write_parquet(path)
    with chromium() as browser, serving(folder / "million", str(path)) as server:
        visit = Visit(browser, server)
        visit.enter()
        page = visit.page
        for job in page.locator("#jobs .cancel").all():
            job.click()  # the risk before masking is not what is timed
        with timed(f"the first window of {ROWS:,} x {COLUMNS}", server):
            visit.go("mask")
            page.wait_for_selector("#grid tbody td")
        for share in (1.0, 0.5, 0.25):
            thousands = round(share * ROWS / 1000)
            near = f"^{thousands // 1000},000,000$" if share == 1 else f"^({thousands - 1}|{thousands}),"
            with timed(f"to {share:.0%} of the rows", server):
                page.evaluate(
                    "share => { const grid = document.getElementById('grid');"
                    " grid.scrollTop = share * (grid.scrollHeight - grid.clientHeight); }",
                    share,
                )
                page.wait_for_selector(f'#grid tbody th:text-matches("{near}")')
        print(f"   {page.locator('#grid td').count()} cells are in the page")


def main() -> None:
    """All of it, or one part."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--part", choices=("paint", "strip", "rows"))
    part = parser.parse_known_args()[0].part
    with TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "survey.csv"
        data = simulate_survey(RECORDS, seed=1)
        write(data.with_roles(**dict.fromkeys(data.names(role=Role.IDENTIFIER), Role.OTHER)), file)
        if part in (None, "paint"):
            first_paint(folder, file)
        if part in (None, "strip"):
            strip(folder, file)
        if part in (None, "rows"):
            million_rows(folder)


if __name__ == "__main__":
    main()
