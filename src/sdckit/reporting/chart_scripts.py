"""The scripts that draw the charts of a page offline: put together once for a version of vl-convert, then kept.

Putting them together takes seconds, more than a small file is measured in.
"""

import hashlib
import os
from contextlib import suppress
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

from sdckit.errors import FileError, SdcError
from sdckit.files.atomic import OWNER_ONLY, replacing

ENTRY = "window.vegaEmbed = vegaEmbed;"


@lru_cache(maxsize=1)
def javascript_bundle() -> str:
    """The scripts, for one script element."""
    try:
        import vl_convert
    except ModuleNotFoundError:
        raise SdcError(
            "a report needs vl-convert-python, which has the scripts that draw the charts offline; "
            "install it with: pip install 'sdckit[report]'"
        ) from None
    kept = kept_at(version("vl-convert-python"))
    bundle = _kept(kept)
    if bundle is None:
        bundle = vl_convert.javascript_bundle(ENTRY)
        _keep(bundle, kept)
    return bundle.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def kept_at(version: str) -> Path:
    """The file in the user's cache."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "sdckit" / f"chart-scripts-{version}.js"


def _kept(path: Path) -> str | None:
    """The scripts in a file, if it is whole."""
    with suppress(OSError, ValueError):
        digest, _, bundle = path.read_text(encoding="utf-8").partition("\n")
        if digest == _digest(bundle):
            return bundle
    return None


def _keep(bundle: str, path: Path) -> None:
    """Keep the scripts for the next run; where that is not possible they are put together again."""
    with suppress(OSError, FileError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with replacing(path, force=True, mode=OWNER_ONLY) as temporary:
            temporary.write_text(f"{_digest(bundle)}\n{bundle}", encoding="utf-8", newline="\n")


def _digest(bundle: str) -> str:
    return f"// {hashlib.sha256(bundle.encode()).hexdigest()}"
