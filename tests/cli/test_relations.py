"""`sdckit assess` shows what became of the strongest relations."""

from pathlib import Path

import polars as pl

from .conftest import Run


def test_the_strongest_relations_are_printed_and_in_the_json(run: Run, tmp_path: Path) -> None:
    original, masked = tmp_path / "original.csv", tmp_path / "masked.csv"
    frame = pl.DataFrame({"height": range(30), "width": [2 * each for each in range(30)]})
    frame.write_csv(original)
    frame.with_columns(pl.col("width").reverse()).write_csv(masked)
    shown = run("assess", original, masked, "--rows-in-order", "--measure", "association-loss")
    assert shown.code == 0, shown.err
    assert "height – width" in shown.out and "-1.00" in shown.out
    assert "as if the keys were shuffled" in shown.out
    (score,) = run("assess", original, masked, "--rows-in-order", "--measure", "association-loss", "--json").json[
        "scores"
    ]
    assert score["value"] == 1 and score["details"]["strongest"][0]["after"] == -1
