"""Server: bind to this machine, print the address, open the browser, and serve until interrupted."""

import os
import socket
import webbrowser
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import uvicorn

from sdckit.web.app import make_app
from sdckit.web.security import Access
from sdckit.web.store import Store

HOST = "127.0.0.1"


def default_state_folder() -> Path:
    """Where the state is kept by default: the folder of the user's state."""
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base else Path.home() / ".local" / "state") / "sdckit" / "web"


def serve(
    file: Path | None,
    *,
    port: int = 0,
    folder: Path | None = None,
    open_browser: bool = True,
    announce: Callable[[str], None] = print,
) -> None:
    """Serve until interrupted; port 0 takes any that is free."""
    with (
        closing(Store(folder or default_state_folder())) as store,
        socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener,
    ):
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
        listener.listen()  # a browser that is quicker than the server waits instead of being refused
        access = Access(listener.getsockname()[1])
        app = make_app(store, access)
        if file is not None:
            node = app.state.workspace.open(file)
            access.landing = f"/n/{node.id}/describe" if node.parent is None else f"/n/{node.id}/mask"
        announce(access.address)
        if open_browser:
            webbrowser.open(access.address)
        config = uvicorn.Config(app, log_level="critical", access_log=False, server_header=False, lifespan="on")
        uvicorn.Server(config).run(sockets=[listener])
