"""`sdckit web`: mask, attack and decide in the browser."""

from contextlib import suppress
from pathlib import Path
from typing import Annotated

from sdckit.cli.command import Argument, Option
from sdckit.cli.options import Json, Quiet
from sdckit.cli.outputs import Output
from sdckit.cli.terminal import Terminal
from sdckit.cli.verb import Verb
from sdckit.errors import MissingPackageError


def web(
    file: Annotated[Path | None, Argument(metavar="[FILE]", help="The file to open.")] = None,
    port: Annotated[int, Option(help="The port to listen on; 0 chooses a free one.")] = 0,
    state: Annotated[
        Path | None,
        Option(metavar="DIR", help="Folder for the history and the private seeds, by default the user's own."),
        Output(),
    ] = None,
    browser: Annotated[bool, Option("--browser/--no-browser", help="Whether to open the browser.")] = True,
    sample: Annotated[bool, Option("--sample", help="Open a simulated survey; no person in it exists.")] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Open the web app: describe, mask, attack, compare and publish a file in the browser.

    It serves this machine alone and loads nothing from elsewhere. The address works once; Ctrl+C ends it.

    Example: sdckit web survey.csv
    """
    try:
        from sdckit.web.server import default_state_folder, serve
    except ModuleNotFoundError as missing:
        raise MissingPackageError(
            f"the web app needs {missing.name}; install it with: pip install 'sdckit[web]'"
        ) from None
    if sample and file is None:
        from sdckit.web.pages.open import sample_file
        from sdckit.web.store import Store

        folder = state or default_state_folder()
        Store(folder).close()
        file = sample_file(folder)
    terminal = Terminal(json, quiet)

    def announce(address: str) -> None:
        terminal.line(f"Open [bold]{address}[/] (it works once; Ctrl+C ends the server)")
        terminal.result({"address": address}, address)

    with suppress(KeyboardInterrupt):  # how the server is ended
        serve(file, port=port, folder=state, open_browser=browser, announce=announce)


VERB = Verb(web, group="Work in the browser", order=45)
