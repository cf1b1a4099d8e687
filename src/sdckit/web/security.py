"""Security: who may talk to the server, and what a page may load.

The server listens on this machine alone, and still does not trust what arrives: other pages in the same browser can
send requests to it. So a request needs

- a `Host` that names this server, against names that are rebound to 127.0.0.1,
- the cookie that the one-time token of the printed address was exchanged for,
- for every change, an `Origin` of this server and the token of the session in a header, which only its pages have.

Pages may load nothing but the files of this server, and no inline script or style.
"""

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from hmac import compare_digest
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
# A report carries its scripts inside; it is one file that we render, and loads nothing.
REPORT_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
CHANGES = {"POST", "PUT", "PATCH", "DELETE"}
NO_ENTRY = "This page opens with the address that `sdckit web` printed, once. Start it again for a new address.\n"
ENTERED = (
    '<!DOCTYPE html><html lang="en"><title>sdckit</title><link rel="icon" href="data:,">'
    '<meta http-equiv="refresh" content="0;url={}"></html>'
)


@dataclass
class Access:
    """The secrets of one run of the server: the token of the address, the cookie, and the token of changes."""

    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    cookie: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    csrf: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    used: bool = False
    landing: str = "/"  # the page that the address leads to

    @property
    def cookie_name(self) -> str:
        """Cookies are shared by the ports of a host, so the name has the port."""
        return f"sdckit-{self.port}"

    @property
    def address(self) -> str:
        """The address to open, with the token."""
        return f"http://127.0.0.1:{self.port}/?token={self.token}"

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names under which the server may be asked."""
        return (f"127.0.0.1:{self.port}", f"localhost:{self.port}")

    def redeem(self, token: str) -> bool:
        """Whether this is the token of the address; it can be used once."""
        if self.used or not compare_digest(token.encode(), self.token.encode()):
            return False
        self.used = True
        return True


class Guard:
    """The middleware that refuses every request without the right host, cookie, origin and token."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self.app = app
        self.access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        sends = with_headers(send)
        await (self.app if refusal is None else refusal)(scope, receive, sends)

    def _refusal(self, scope: Scope) -> Response | None:
        access, headers = self.access, Headers(scope=scope)
        if headers.get("host", "") not in access.hosts:
            return PlainTextResponse("This name is not one of this server.\n", 421)
        token = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if scope["path"] == "/" and token and access.redeem(token):
            entered = HTMLResponse(ENTERED.format(access.landing))
            entered.set_cookie(access.cookie_name, access.cookie, httponly=True, samesite="strict", path="/")
            return entered
        if not compare_digest(_cookie(headers, access.cookie_name).encode(), access.cookie.encode()):
            return PlainTextResponse(NO_ENTRY, 403)
        if scope["method"] not in CHANGES:
            return None
        if headers.get("origin", "") not in {f"http://{host}" for host in access.hosts}:
            return PlainTextResponse("A change must come from a page of this server.\n", 403)
        if not compare_digest(headers.get("x-csrf-token", "").encode(), access.csrf.encode()):
            return PlainTextResponse("The page is of an earlier run of the server; reload it.\n", 403)
        return None


def with_headers(send: Send) -> Callable[[Message], Awaitable[None]]:
    """Send with the headers that every answer has, unless it sets its own."""

    async def sends(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sends


def _cookie(headers: Headers, name: str) -> str:
    try:
        cookies = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return ""
    return cookies[name].value if name in cookies else ""
