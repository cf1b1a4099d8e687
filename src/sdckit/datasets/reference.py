"""The public reference files of the literature: a local copy if there is one, else downloaded and verified.

A local copy is NAME.csv or NAME.rda in the folder that the environment variable SDCKIT_DATA names, or in `shared/data`
beside the checkout. The download is the file of that name in the public R package sdcMicro, at a fixed commit.
"""

import logging
import os
from pathlib import Path
from typing import Any

import polars as pl

from sdckit.errors import FileError
from sdckit.microdata import Kind, Microdata, Role

SOURCE = "https://raw.githubusercontent.com/sdcTools/sdcMicro/cf3251017482bb215f0a9abf4a930f502399fb72/data"
SHA256 = {
    "CASCrefmicrodata": "147d0d7fa823a384e36c2297174560e32cdbe6e39803f22f797610fb1a2993d6",
    "EIA": "8b61ceb0d1fa01d024bd62171655601abed62ff70a5e9e6fd550c43a1f76695e",
}

logger = logging.getLogger(__name__)


def census() -> Microdata:
    """Census: 1080 records and 13 amounts, all continuous keys; from the U.S. Census Bureau, by the CASC project."""
    table = _table("CASCrefmicrodata")
    return Microdata.from_frame(
        table, roles=dict.fromkeys(table.columns, Role.KEY), kinds=dict.fromkeys(table.columns, Kind.CONTINUOUS)
    )


def eia() -> Microdata:
    """EIA: 4092 monthly records of electric utilities; ten revenues and sales, all continuous keys."""
    table = _table("EIA")
    amounts = [name for name in table.columns if name.endswith(("REVENUE", "SALES"))]
    roles: dict[str, Role | str] = {"UTILITYID": Role.IDENTIFIER, "UTILNAME": Role.IDENTIFIER}
    return Microdata.from_frame(
        table, roles=roles | dict.fromkeys(amounts, Role.KEY), kinds=dict.fromkeys(amounts, Kind.CONTINUOUS)
    )


def _table(name: str) -> pl.DataFrame:
    return table_of(local_copy(name) or fetch(name), name)


def table_of(path: Path, name: str) -> pl.DataFrame:
    """The table in a CSV file, or the one of that name in an R file."""
    return pl.read_csv(path, null_values="NA") if path.suffix == ".csv" else _from_rda(path, name)


def local_copy(name: str) -> Path | None:
    """The path of the file in the folder of reference files, if it exists."""
    checkout = Path(__file__).resolve().parents[3]
    folder = Path(os.environ["SDCKIT_DATA"]) if "SDCKIT_DATA" in os.environ else checkout.parent / "shared" / "data"
    return next((path for path in (folder / f"{name}.csv", folder / f"{name}.rda") if path.is_file()), None)


def fetch(name: str, source: str = SOURCE) -> Path:
    """The path of the public file, downloaded into the user's cache and verified by its checksum."""
    cure = f"put {name}.csv in a folder and set SDCKIT_DATA to it"
    try:
        import pooch
    except ImportError:
        raise FileError(
            f"{name} is not available and its download needs pooch; install sdckit[all], or {cure}"
        ) from None
    url = f"{source}/{name}.rda"
    logger.warning("%s is not available locally: downloading it from %s", name, url)
    try:
        found = pooch.retrieve(
            url, known_hash=f"sha256:{SHA256[name]}", fname=f"{name}.rda", path=pooch.os_cache("sdckit")
        )
    except ValueError:
        raise FileError(f"{url} has changed (its checksum differs); {cure}") from None
    except OSError as problem:
        raise FileError(f"{name} cannot be downloaded ({type(problem).__name__}); {cure}") from None
    return Path(found)


def _from_rda(path: Path, name: str) -> pl.DataFrame:
    """The data frame of that name in an R file."""
    try:
        import rdata
    except ImportError:
        raise FileError(f"{path} is an R file, which needs rdata; install sdckit[all]") from None
    objects = rdata.read_rda(path)
    if name not in objects:
        raise FileError(f"{path} does not contain {name}; it contains {', '.join(objects)}")
    return pl.DataFrame([_plain(str(label), column) for label, column in objects[name].items()])


def _plain(label: str, column: Any) -> pl.Series:
    """A column of an R data frame: integers where all numbers are whole, factors as text."""
    values = [
        None if missing else value for value, missing in zip(column.tolist(), column.isna().tolist(), strict=True)
    ]
    series = pl.Series(label, values)
    whole = series.dtype.is_float() and bool((series.drop_nulls() % 1 == 0).all())
    return series.cast(pl.Int64) if whole else series
