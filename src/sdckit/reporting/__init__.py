"""Report: a self-contained HTML dossier of an assessment that opens offline.

The internal edition names the most exposed records and compares with the original. The public edition carries method,
parameters and figures, no record and no original value. Neither carries a seed.
"""

from pathlib import Path

from sdckit.errors import SdcError
from sdckit.evaluation.assess import Assessment
from sdckit.files.atomic import replacing
from sdckit.reporting.dossier import Dossier, dossier
from sdckit.reporting.page import page_of

__all__ = ["report"]


def report(result: Assessment | Dossier, path: str | Path, *, public: bool = False, force: bool = False) -> Path:
    """Write the report of an assessment, or of a dossier; `public` leaves out all that must not be published.

    An existing file is kept unless `force`.
    """
    if isinstance(result, Dossier) and public and not result.public:
        raise SdcError("a dossier of the internal edition cannot be published; make a public one from the data")
    with replacing(path, force=force) as temporary:
        told = result if isinstance(result, Dossier) else dossier(result, public=public)
        temporary.write_text(page_of(told), encoding="utf-8")
    return Path(path)
