"""Report: a self-contained HTML dossier of an assessment that opens offline.

The internal edition names the most exposed records and compares with the original. The public edition carries method,
parameters and figures, no record and no original value. Neither carries a seed.
"""

import sys
from pathlib import Path
from types import ModuleType

from sdckit.evaluation.assess import Assessment
from sdckit.files.atomic import replacing
from sdckit.report.page import page
from sdckit.report.publishable import publishable

__all__ = ["report"]


def report(result: Assessment, path: str | Path, *, public: bool = False, force: bool = False) -> Path:
    """Write the report of an assessment; `public` leaves out all that must not be published.

    An existing file is kept unless `force`.
    """
    with replacing(path, force=force) as temporary:
        shown = publishable(result) if public else result
        temporary.write_text(page(shown, public=public), encoding="utf-8")
    return Path(path)


class _CallableModule(ModuleType):
    """Importing any module of this package binds `sdckit.report` to the package, which has to stay a function too."""

    def __call__(self, result: Assessment, path: str | Path, *, public: bool = False, force: bool = False) -> Path:
        return report(result, path, public=public, force=force)


sys.modules[__name__].__class__ = _CallableModule
