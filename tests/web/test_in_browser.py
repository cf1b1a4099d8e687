"""Longer stories in a real browser: cancel, branch, keyboard, two tabs, a million rows, hostile names, a plug-in."""

import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from sdckit import read
from sdckit.datasets import simulate_survey
from sdckit.digest import content_digest
from tests.web.browser import Visit, chromium, require, serving
from tests.web.conftest import written

pytestmark = pytest.mark.slow
AXE = Path(__file__).parent / "vendor" / "axe-4.14.0.min.js"
PLUGIN = '''
"""Halve every value: a method of another package."""

from sdckit.masking import masking, Masking
from sdckit.microdata import Kind
from sdckit.parameters import param


@masking("halving", kind=Kind.ORDERED, reference="a test")
class Halving(Masking):
    """Divide every value by a number.

    Excludes nothing: the test does not say.
    """

    divisor: float = param(2.0, "the number to divide by", low=1)

    def transform(self, values, draws):
        return values / self.divisor
'''


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    require()
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def survey(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = simulate_survey(300, seed=1).without(["household", "weight", "marital", "education", "region"])
    return written(data, tmp_path_factory.mktemp("files") / "survey.csv")


def masked(visit: Visit, method: str, **values: str) -> None:
    """Add a step on the screen that is shown."""
    page = visit.page
    page.wait_for_selector("#method")
    with page.expect_response("**/form?*"):
        page.select_option("#method", method)
    for name, value in values.items():
        page.fill(f"[name='p:{name}']", value)
    page.click("#step button[type=submit]")
    page.wait_for_selector("td.changed, td.lost, .data-pane :text('synthetic')")


def test_from_a_file_to_a_published_folder(browser: Any, survey: Path, tmp_path: Path) -> None:
    with serving(tmp_path / "state", str(survey)) as server:
        visit = Visit(browser, server)
        visit.enter()
        page = visit.page
        visit.firm()
        before = page.inner_text("#strip .reading .value")
        visit.shot("1-describe")
        visit.go("mask")
        masked(visit, "mdav", group_size="10")
        visit.firm()
        assert page.inner_text("#strip .reading .value") != before
        visit.shot("2-mask")
        visit.go("attack")
        page.click("#lab button[type=submit]:enabled")
        page.wait_for_selector("#found :text('Contribution')")
        visit.shot("3-attack")
        visit.go("decide")
        page.fill("#max", "1")
        page.select_option("#measure", "distance-linkage")
        page.click("form[hx-post$='/rule'] button")
        page.wait_for_selector("text=The policy is met")
        page.click("text=Make both reports")
        for edition in ("Internal", "Public"):
            page.wait_for_selector(f"iframe[title^={edition}]")
            page.frame_locator(f"iframe[title^={edition}]").get_by_text(f"{edition} edition").first.wait_for()
        page.fill("#folder", str(tmp_path / "release"))
        page.fill("#key", str(tmp_path / "release.key"))
        page.click("form[hx-post$='/publish'] button")
        page.wait_for_selector("text=Published in")
        visit.shot("4-decide")
        assert (tmp_path / "release" / "SHA256SUMS").exists()
        assert stat.S_IMODE((tmp_path / "release.key").stat().st_mode) == 0o600
        visit.go("compare")
        page.wait_for_selector("figure svg")
        visit.shot("5-compare")
        visit.fine()
        assert visit.stored() == 0
        names = {line.split(",")[0] for line in survey.read_text(encoding="utf-8").splitlines()[1:]}
        log = server.output.read_text(encoding="utf-8")
        assert not [name for name in names if name in log]


def test_the_code_in_the_drawer_repeats_what_was_clicked(browser: Any, survey: Path, tmp_path: Path) -> None:
    with serving(tmp_path / "state", str(survey)) as server:
        visit = Visit(browser, server)
        visit.enter()
        page = visit.page
        page.focus("tr[data-column='income'] th a")
        page.keyboard.press("k")
        page.wait_for_selector("tr[data-column='income'].role-key")
        visit.go("mask")
        masked(visit, "rank-swapping", window="0.1")
        masked(visit, "rounding", base="5")
        page.wait_for_selector(".chip >> nth=1")
        page.wait_for_selector("td.changed")
        visit.go("decide")
        page.fill("#out", str(tmp_path / "clicked.csv"))
        page.click("form[hx-post$='/export'] button:enabled")
        page.wait_for_selector("text=Written to")
        visit.firm()
        visit.settled()
        page.keyboard.press("c")
        page.wait_for_selector("#drawer-dialog[open]")
        toml, shell, python = (page.locator(f"#code-{form}").text_content() for form in ("toml", "shell", "python"))
        visit.fine()
    (tmp_path / "run.toml").write_text(toml, encoding="utf-8")
    command = shell.partition("sdckit attack")[0].replace("sdckit ", f"{sys.executable} -m sdckit ")
    subprocess.run(["bash", "-euc", command], cwd=tmp_path, capture_output=True, check=True)
    script = python.partition("result =")[0] + "sdckit.write(release, 'python.csv')\n"
    subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, check=True)
    clicked, by_shell, by_python = (
        content_digest(read(tmp_path / name, mixtures=True), ordered=True)
        for name in ("clicked.csv", "survey-masked.csv", "python.csv")
    )
    assert clicked == by_shell == by_python


def test_a_page_with_an_open_dialog_is_loaded_anew_when_the_dialog_is_closed(browser: Any, tmp_path: Path) -> None:
    """A job that ended took away what somebody was reading."""
    data = simulate_survey(60, seed=1).only(["sex", "age"])
    with serving(tmp_path / "state", str(written(data, tmp_path / "people.csv"))) as server:
        visit = Visit(browser, server)
        visit.enter()
        visit.go("mask")
        masked(visit, "rounding", base="5")
        visit.page.wait_for_selector(".chip")
        visit.go("decide")
        visit.firm()
        visit.settled()
        page = visit.page
        page.keyboard.press("c")
        page.wait_for_selector("#drawer-dialog[open]")
        page.evaluate("window.before = true")
        node = visit.node
        ended = {"node": int(node), "kind": "measure", "state": "done", "share": 1, "label": "", "ready": {}}
        script = "async (job) => (await import('/static/jobs.js')).receive(job, '0')"
        page.evaluate(script, ended)
        page.wait_for_selector("body:not(:has(.htmx-request))")  # what the end of a job asks for is answered
        page.evaluate("fetch('/jobs').then((answer) => answer.text())")
        assert page.evaluate("window.before && document.querySelector('#drawer-dialog').open")
        with page.expect_navigation():
            page.keyboard.press("Escape")
        visit.ready()
        assert page.evaluate("window.before === undefined")
        visit.fine()


def test_a_table_that_is_replaced_while_it_is_drawn_asks_for_nothing_more(
    browser: Any, survey: Path, tmp_path: Path
) -> None:
    with serving(tmp_path / "state", str(survey)) as server:
        visit = Visit(browser, server)
        visit.enter()
        page = visit.page
        asked: list[str] = []
        held: list[Any] = []

        def hold_the_first(route: Any) -> None:
            asked.append(route.request.url)
            if held:
                route.continue_()
            else:
                held.append(route)

        page.route("**/cells?*", hold_the_first)
        with page.expect_request("**/cells?*"):
            visit.go("mask")
        page.evaluate("document.body.dispatchEvent(new CustomEvent('released'))")
        page.wait_for_selector("#grid tbody td")
        with page.expect_response("**/cells?*"):
            held[0].continue_()
        page.evaluate("fetch('/jobs').then((answer) => answer.text())")  # an answer to whatever was asked before it
        assert not any("NaN" in each for each in asked)
        visit.fine()


def test_the_lab_shows_a_first_estimate_and_leads_to_a_step_and_an_intruder(browser: Any, tmp_path: Path) -> None:
    data = simulate_survey(2500, seed=1).only(["sex", "age", "region"])
    with serving(tmp_path / "state", str(written(data, tmp_path / "people.csv"))) as server:
        visit = Visit(browser, server)
        visit.enter()
        visit.go("mask")
        masked(visit, "rank-swapping", window="0.1")
        page = visit.page
        page.wait_for_selector("#strip[data-state=guess] .firming")
        assert "200 records attacked" in page.inner_text("#strip")
        assert "–" in page.inner_text("#strip .reading .value")  # an interval, until the figure is firm
        visit.firm()
        visit.go("attack")
        page.click("#lab button[type=submit]:enabled")
        page.wait_for_selector("#found :text('First estimate')")
        page.wait_for_selector("#found h2:text('Evidence')")
        page.wait_for_selector("#found svg.marks")
        visit.shot("8-lab")
        page.uncheck("#lab input[value=sex]")  # what is known is another: the attack begins anew by itself
        page.wait_for_selector("#found :text('First estimate')")
        page.click(".job[data-kind=attack] .cancel")
        page.wait_for_selector(".job[data-kind=attack]", state="detached")
        page.click("#lab button[type=submit]")
        page.click("text=Mask age as a step")
        page.wait_for_selector("#step input[value=age]:checked")
        assert page.locator("#step input[name=attributes]:checked").count() == 1
        page.go_back()
        visit.ready()
        page.click("text=Save as the policy's intruder")
        page.wait_for_selector(".history a[aria-current]:text('intruder')")
        visit.ready()
        page.keyboard.press("c")
        page.wait_for_selector("#drawer-dialog[open]")
        assert "[intruder]" in page.inner_text("#code-toml")
        visit.fine()


def test_strangers_in_the_browser_are_refused(browser: Any, survey: Path, tmp_path: Path) -> None:
    with serving(tmp_path / "state", str(survey)) as server:
        visit = Visit(browser, server)
        visit.enter()
        stranger = browser.new_context().new_page()
        for address in (server.host, server.address, f"{server.host}/n/{visit.node}/describe"):
            assert stranger.goto(address).status == 403  # without the cookie, and with the address used up
        own = visit.context.request
        assert own.get(server.host, headers={"host": "evil.example"}).status == 421
        for headers in ({}, {"origin": server.host}, {"origin": "http://evil.example", "x-csrf-token": "guessed"}):
            assert own.post(f"{server.host}/sample", headers=headers).status == 403
        assert visit.page.evaluate("fetch('/sample', {method: 'POST'}).then(answer => answer.status)") == 403


def test_a_sweep_is_cancelled_and_its_map_is_clicked(browser: Any, survey: Path, tmp_path: Path) -> None:
    with serving(tmp_path / "state", str(survey)) as server:
        visit = Visit(browser, server)
        visit.enter()
        visit.go("weigh")
        page = visit.page
        page.click("form#sweep button[type=submit]")
        page.wait_for_selector(".job[data-kind=sweep] .cancel")
        page.click(".job[data-kind=sweep] .cancel")
        page.wait_for_selector(".job[data-kind=sweep]", state="detached")
        page.click("form#sweep summary")
        for method in ("rank-swapping", "rounding"):
            page.check(f"form#sweep input[value={method}]")
        page.click("form#sweep button[type=submit]")
        page.wait_for_selector("#map svg")
        visit.shot("6-weigh")
        page.click("text=Branch with it >> nth=-1")
        page.wait_for_selector(".chip")
        visit.fine()


def test_the_bound_on_the_map_is_dragged_and_tunes(browser: Any, survey: Path, tmp_path: Path) -> None:
    with serving(tmp_path / "state", str(survey)) as server:
        visit = Visit(browser, server)
        visit.enter()
        visit.go("weigh")
        page = visit.page
        page.click("form#sweep summary")
        page.check("form#sweep input[value=rounding]")
        page.click("form#sweep button[type=submit]")
        line = page.locator("#map .bound")
        line.wait_for()
        line.scroll_into_view_if_needed()
        before = page.input_value("#bound")
        box = line.bounding_box()
        across, down = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        chart = page.locator("#map .chart").bounding_box()
        right = chart["x"] + chart["width"] / 2 > across  # away from the nearer edge
        page.mouse.move(across, down)
        page.mouse.down()
        page.mouse.move(across + (60 if right else -60), down, steps=5)
        page.mouse.up()
        assert page.input_value("#bound") != before
        page.wait_for_selector(".job[data-kind=tune]")
        assert page.input_value("#max-risk") == page.input_value("#bound")
        visit.shot("7-bound")
        page.click(".job[data-kind=tune] .cancel")
        visit.fine()


def test_roles_are_given_by_a_letter_and_by_dragging(browser: Any, survey: Path, tmp_path: Path) -> None:
    with serving(tmp_path / "state", str(survey)) as server:
        visit = Visit(browser, server)
        visit.enter()
        page = visit.page
        role = "tr[data-column='age'] select[name=role]"
        page.focus("tr[data-column='age'] th a")
        page.keyboard.press("o")
        page.wait_for_selector("tr[data-column='age'].role-other")
        assert page.input_value(role) == "other"
        page.drag_and_drop("tr[data-column='age'] th", ".role-targets [data-role=confidential]")
        page.wait_for_selector("tr[data-column='age'].role-confidential")
        page.keyboard.press("4")
        page.wait_for_selector("#lab")
        page.keyboard.press("/")
        page.keyboard.type("income")
        page.wait_for_selector("#palette-list li:has-text('column')")
        page.keyboard.press("Enter")
        page.wait_for_selector("#column h2:text('income')")
        visit.fine()


def test_branches_two_tabs_reload_and_a_killed_server(browser: Any, survey: Path, tmp_path: Path) -> None:
    state = tmp_path / "state"
    with serving(state, str(survey)) as server:
        visit = Visit(browser, server)
        visit.enter()
        root = visit.node
        visit.go("mask")
        masked(visit, "rounding")
        first = visit.node
        other = visit.context.new_page()
        visit.watch(other)
        other.goto(f"{server.host}/n/{root}/mask")
        other.wait_for_selector("#method")
        with other.expect_response("**/form?*"):
            other.select_option("#method", "additive-noise")
        other.click("#step button[type=submit]")
        other.wait_for_selector("td.changed")
        assert visit.page.locator(".chip").inner_text().startswith("rounding")
        visit.page.reload()
        visit.page.wait_for_selector("td.changed")
        assert visit.node == first
        assert visit.page.locator(".history li").count() == 3
        second = other.url
        visit.fine()
        os.kill(server.process.pid, signal.SIGKILL)
    with serving(state, str(survey)) as server:
        visit = Visit(browser, server)
        visit.enter()
        assert visit.page.locator(".history li").count() == 3
        visit.page.goto(server.host + second.partition("/n/")[1] + second.partition("/n/")[2])
        visit.page.wait_for_selector("td.changed")
        assert visit.page.locator(".chip").inner_text().startswith("additive-noise")


def test_a_step_that_is_applied_while_its_form_is_awaited_has_the_parameters_of_its_method(
    browser: Any, survey: Path, tmp_path: Path
) -> None:
    with serving(tmp_path / "state", str(survey)) as server:
        visit = Visit(browser, server)
        visit.enter()
        page = visit.page
        visit.go("mask")
        page.wait_for_selector("#method")
        asked: list[Any] = []
        page.route("**/form?*", lambda route: route.continue_() if asked else asked.append(route))
        with page.expect_request("**/form?*"):
            page.select_option("#method", "pram")
        page.select_option("#method", "rounding")
        page.click("#step button[type=submit]")
        asked[0].continue_()
        page.wait_for_selector("td.changed")
        visit.fine()


def test_the_keyboard_alone_masks_a_file(browser: Any, survey: Path, tmp_path: Path) -> None:
    with serving(tmp_path / "state", str(survey)) as server:
        visit = Visit(browser, server)
        visit.enter()
        page = visit.page
        page.keyboard.press("3")
        page.wait_for_selector("#method")
        page.focus("#method")
        with page.expect_response("**/form?*"):
            page.keyboard.type("rounding")
            page.keyboard.press("Tab")
        page.focus("#step button[type=submit]")
        page.keyboard.press("Enter")
        page.wait_for_selector("td.changed")
        page.keyboard.press("/")
        page.keyboard.type("attack")
        page.keyboard.press("Enter")
        page.wait_for_url("**/attack")
        page.keyboard.press("?")
        page.wait_for_selector("#help[open]")
        visit.fine()


def test_no_serious_finding_of_axe_on_any_screen_and_none_wider_than_a_telephone(
    browser: Any, survey: Path, tmp_path: Path
) -> None:
    with serving(tmp_path / "state", str(survey)) as server:
        visit = Visit(browser, server)
        visit.enter()
        page = visit.page
        visit.go("mask")
        masked(visit, "rounding")
        visit.firm()
        visit.go("attack")
        page.click("#lab button[type=submit]:enabled")
        page.wait_for_selector("#found :text('Contribution')")
        page.wait_for_selector(".job", state="detached")
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 800})
            for screen in ("open", "describe", "mask", "attack", "weigh", "compare", "decide"):
                visit.go(screen)
                page.wait_for_selector("#main h1")
                if screen == "mask":
                    page.wait_for_selector("#method")
                page.wait_for_load_state("networkidle")
                visit.shot(f"{screen}-{width}")
                assert page.evaluate("document.documentElement.scrollWidth") <= width
                page.evaluate(AXE.read_text(encoding="utf-8"))
                found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
                serious = [each for each in found if each["impact"] in ("serious", "critical")]
                assert [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in serious] == []
        visit.fine()


def test_a_million_rows_scroll(browser: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    path = tmp_path / "million.parquet"
    pl.DataFrame({f"x{number}": rng.integers(0, 100, 1_000_000) for number in range(12)}).write_parquet(path)
    with serving(tmp_path / "state", str(path)) as server:
        visit = Visit(browser, server)
        visit.enter()
        visit.go("mask")
        page = visit.page
        page.wait_for_selector("#grid td")
        page.evaluate("document.getElementById('grid').scrollTop = document.getElementById('grid').scrollHeight")
        page.wait_for_selector("#grid tbody th:text('1,000,000')")
        assert page.locator("#grid td").count() < 2_000
        visit.fine()


def test_hostile_names_and_values_are_shown_as_text(browser: Any, tmp_path: Path) -> None:
    name, value = "age </script><b onclick=x()>", "<svg/onload=alert(1)>"
    path = tmp_path / "it's <b>.csv"
    rows = [f"{20 + number * 37 % 23},{value if number % 2 else 'b'}" for number in range(40)]
    path.write_text("\n".join([f"{name},town", *rows]) + "\n", encoding="utf-8")
    with serving(tmp_path / "state", str(path)) as server:
        visit = Visit(browser, server)
        visit.page.on("dialog", lambda dialog: visit.problems.append(dialog.message))
        visit.enter()
        visit.go("mask")
        masked(visit, "rank-swapping", window="0.3")
        for screen in ("describe", "mask", "attack", "compare", "decide"):
            visit.go(screen)
            visit.page.wait_for_load_state("networkidle")
        assert visit.page.locator("main svg[onload], b[onclick]").count() == 0
        visit.fine()


def test_a_method_of_another_package_is_masked_attacked_undone_and_exported(
    browser: Any, survey: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "plugin"
    installed = folder / "halving-1.0.dist-info"
    installed.mkdir(parents=True)
    (folder / "halving.py").write_text(PLUGIN, encoding="utf-8")
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: halving\nVersion: 1.0\n", encoding="utf-8")
    (installed / "entry_points.txt").write_text("[sdckit.components]\nhalving = halving\n", encoding="utf-8")
    with serving(tmp_path / "state", str(survey), path=folder) as server:
        visit = Visit(browser, server)
        visit.enter()
        visit.go("mask")
        masked(visit, "halving", divisor="4")
        page = visit.page
        visit.go("attack")
        page.click("#lab button[type=submit]:enabled")
        page.wait_for_selector("#found .cards")
        page.keyboard.press("Control+z")
        page.wait_for_selector(".nothing")
        page.keyboard.press("Control+y")
        page.wait_for_selector(".chip")
        visit.go("decide")
        page.fill("#out", str(tmp_path / "halved.csv"))
        page.click("form[hx-post$='/export'] button:enabled")
        page.wait_for_selector("text=Written to")
        assert (tmp_path / "halved.csv").exists()
        visit.fine()
