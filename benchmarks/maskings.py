"""How the cost of every masking in the catalogue grows with the file: three sizes and the exponent between them."""

from time import perf_counter

import numpy as np
import polars as pl

from sdckit.catalogue import entries
from sdckit.draws import Draws
from sdckit.errors import SdcError
from sdckit.hierarchy import Hierarchy
from sdckit.masking import Masking
from sdckit.microdata import Microdata

SIZES = (2_000, 8_000, 32_000)
PATIENCE = 20.0  # seconds beyond which the next size is skipped


def file_of(records: int) -> Microdata:
    """Six correlated amounts, two categories, one with a hierarchy, and a confidential answer."""
    rng = np.random.default_rng(1)
    common = rng.standard_normal((records, 1))
    amounts = np.round(np.exp(3 + rng.standard_normal((records, 6)) + common), 2)
    zips = [f"{48000 + code:05d}" for code in rng.integers(0, 200, records)]
    frame = pl.DataFrame({f"x{j}": amounts[:, j] for j in range(6)}).with_columns(
        pl.Series("zip", zips),
        pl.Series("sex", rng.choice(["f", "m"], records)),
        pl.Series("ill", rng.choice(list("abcde"), records)),
    )
    roles = dict.fromkeys(frame.columns, "key") | {"ill": "confidential"}
    return Microdata.from_frame(frame, roles=roles, hierarchies={"zip": Hierarchy.by_prefix(zips)})


def seconds(masking: Masking, data: Microdata) -> float:
    """The time of one masking of every fitting key."""
    start = perf_counter()
    masking.protect(data, draws=Draws.of(1))
    return perf_counter() - start


def main() -> None:
    files = [file_of(records) for records in SIZES]
    print(f"{'masking':34}" + "".join(f"{size:>12,}" for size in SIZES) + "   grows like n to the")
    for entry in entries("masking", Microdata):
        masking = entry.build()
        try:
            seconds(masking, files[0].take(np.arange(500)))  # compiles
            took: list[float] = []
            for data in files:
                if not took or took[-1] < PATIENCE:
                    took.append(seconds(masking, data))
        except SdcError as reason:
            print(f"{entry.name:34}  not applicable: {reason}")
            continue
        slope = np.polyfit(np.log(SIZES[: len(took)]), np.log(took), 1)[0] if len(took) > 1 else float("nan")
        print(f"{entry.name:34}" + "".join(f"{each:11.3f}s" for each in took) + f"   {slope:.2f}", flush=True)


if __name__ == "__main__":
    main()
