"""Who may talk to the server: nobody without the address, no other host, no other page."""

import re
import stat
from pathlib import Path

from starlette.testclient import TestClient

from tests.web.conftest import HOST, Steward


def test_without_the_token_nothing_is_shown(steward: Steward, survey: Path) -> None:
    state = steward.open(survey)
    stranger = TestClient(steward.app, base_url=HOST)
    for address in ("/", f"{state}/describe", f"{state}/cells?view=original&x1=3&y1=3", "/static/app.css", "/jobs"):
        answer = stranger.get(address)
        assert answer.status_code == 403
        assert "survey" not in answer.text


def test_the_token_of_the_address_works_once(steward: Steward) -> None:
    stranger = TestClient(steward.app, base_url=HOST)
    assert stranger.get(f"/?token={steward.access.token}").status_code == 403
    assert not stranger.cookies


def test_the_cookie_is_for_this_server_alone(steward: Steward) -> None:
    fresh = type(steward.access)(steward.access.port)
    steward.app.state.access.token, steward.app.state.access.used = fresh.token, False
    answer = TestClient(steward.app, base_url=HOST).get(f"/?token={fresh.token}")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie and f"sdckit-{fresh.port}=" in cookie


def test_a_name_that_was_rebound_to_this_machine_is_refused(steward: Steward) -> None:
    assert steward.client.get("/", headers={"host": "evil.example"}).status_code == 421
    assert steward.client.get("/", headers={"host": "127.0.0.1:1"}).status_code == 421


def test_a_change_needs_the_token_of_the_page_and_its_origin(steward: Steward, survey: Path) -> None:
    token = {"x-csrf-token": steward.access.csrf}
    for headers in (
        {"origin": HOST},
        {"origin": HOST, "x-csrf-token": "guessed"},
        {**token, "origin": "http://evil.example"},
        token,
    ):
        assert steward.client.post("/open", data={"path": str(survey)}, headers=headers).status_code == 403


def test_a_page_may_load_nothing_from_elsewhere_and_run_nothing_inline(steward: Steward, survey: Path) -> None:
    state = steward.open(survey)
    answer = steward.client.get(f"{state}/describe")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy
    assert answer.headers["cache-control"] == "no-store"
    inline = re.findall(r"<script(?![^>]*(?:src=|application/json))|\sstyle=|\son\w+=", answer.text)
    assert inline == []
    assert re.findall(r"""(?:src|href)=["'](?:https?:)?//""", answer.text) == []


def test_the_state_is_for_its_owner_and_has_no_value_of_a_record(steward: Steward, survey: Path) -> None:
    state = steward.open(survey)
    steward.see(f"{state}/describe")
    folder = steward.app.state.workspace.store.folder
    names = {row.split(",")[0] for row in survey.read_text(encoding="utf-8").splitlines()[1:]}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for path in folder.rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) in (0o600, 0o700), path
        if path.is_file():
            content = path.read_bytes()
            assert not [name for name in names if name.encode() in content], path
