"""Reporting: the results on a release as one self-contained HTML page that opens offline.

The internal edition names the most exposed records and compares with the original. The public edition has method,
parameters and figures, no record and no original value. Neither has a seed.
"""

from pathlib import Path

from sdckit.errors import SdcError
from sdckit.evaluation.assess import Assessment
from sdckit.evaluation.dossier import Dossier
from sdckit.files.atomic import OWNER_ONLY, replacing
from sdckit.reporting.document import Document, describe_dossier
from sdckit.reporting.page import render

__all__ = ["report"]


def report(
    result: Assessment | Dossier | Document, path: str | Path, *, public: bool = False, force: bool = False
) -> Path:
    """Write the report of an assessment, a dossier, or a document that was read from JSON.

    Parameters
    ----------
    result
        The result of `assess`; or a `Dossier`, which adds an attack, a map, a verdict or corrections to it.
    path
        The HTML file to write.
    public
        Write the edition for publication, without record numbers and original values; the internal one can be read
        by the owner of the file alone.
    force
        Replace an existing file, which is an error otherwise.

    Returns
    -------
    The path of the report.

    Example
    -------
    `report(Dossier(result, attack=sdckit.attack(release)), "report.html")`
    """
    if isinstance(result, Document) and public and not result.public:
        raise SdcError("a dossier of the internal edition cannot be published; make a public one from the data")
    published = result.public if isinstance(result, Document) else public
    with replacing(path, force=force, mode=None if published else OWNER_ONLY) as temporary:
        document = result if isinstance(result, Document) else describe_dossier(Dossier.of(result), public=public)
        temporary.write_text(render(document), encoding="utf-8")
    return Path(path)
