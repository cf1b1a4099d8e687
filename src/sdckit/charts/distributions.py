"""Distributions: each attribute that the masking changed, before and after. Before is original data: internal only."""

from dataclasses import replace
from typing import Any

import numpy as np

from sdckit.charts.bins import round_edges, shares
from sdckit.charts.categories import category_shares
from sdckit.charts.chart import AFTER, BEFORE, INK, VALUES, Chart, drawn
from sdckit.evaluation.changed_attributes import changed_attributes
from sdckit.evaluation.dossier import Dossier
from sdckit.evaluation.recoded_attributes import recoded_pair
from sdckit.microdata import Microdata
from sdckit.release import Release

PUBLIC = False  # draws the original
COLOUR = {
    "field": "file",
    "type": "nominal",
    "scale": {"domain": ["before", "after"], "range": [BEFORE, AFTER]},
    "legend": None,
}


def draw(dossier: Dossier, *, public: bool) -> tuple[Chart, ...]:
    """One chart for each attribute that the masking changed."""
    return tuple(distribution(dossier.release, name) for name in changed_attributes(dossier.release))


def distribution(release: Release, name: str) -> Chart:
    """One attribute before and after: recoded ones by bands, coded ones by categories, numbers in shared bins."""
    recoded = recoded_pair(release, name)
    if recoded is not None:
        chart = _of_categories(*recoded, name)
        return replace(chart, note="; ".join(filter(None, (chart.note, "before: counted by the released bands"))))
    if release.original.attribute(name).coded:
        return _of_categories(release.original, release.masked, name)
    return _of_numbers(release, name)


def _of_numbers(release: Release, name: str) -> Chart:
    files = {"before": release.original, "after": release.masked}
    values = {file: data.columns[name][~data.absent(name)] for file, data in files.items()}
    pooled = np.concatenate(list(values.values()))
    if len(pooled) == 0:
        return Chart(name, (), {"mark": "bar", "height": 150}, "No value is present in either file.")
    edges = round_edges(pooled)
    records = tuple(
        {"file": file, "from": drawn(low), "to": drawn(high), "share": drawn(share)}
        for file, data in files.items()
        for low, high, share in zip(edges[:-1], edges[1:], shares(values[file], edges, len(data)), strict=True)
    )
    missing = {file: data.missing(name) / max(len(data), 1) for file, data in files.items()}
    note = f"missing: {missing['before']:.1%} before, {missing['after']:.1%} after" if any(missing.values()) else ""
    return Chart(name, records, _histogram(), note)


def _of_categories(before: Microdata, after: Microdata, name: str) -> Chart:
    records, left = category_shares({"before": before, "after": after}, name)
    note = f"rarer categories, drawn as one: {left}" if left else ""
    spec: dict[str, Any] = {
        "height": {"step": 12, "for": "offset"},
        "mark": {"type": "bar", "cornerRadiusEnd": 2, "tooltip": True},
        "encoding": {
            "y": {"field": "category", "type": "nominal", "sort": None, "title": None, "axis": {"labelLimit": 130}},
            "yOffset": {"field": "file", "type": "nominal", "sort": ["before", "after"]},
            "x": {"field": "share", "type": "quantitative", "axis": {"format": "~%", "title": None, "tickCount": 3}},
            "color": COLOUR,
        },
    }
    return Chart(name, records, spec, note)


def _histogram() -> dict[str, Any]:
    """Before as filled bars, after as outlined bars over them."""
    x = {
        "field": "from",
        "type": "quantitative",
        "bin": {"binned": True},
        "scale": {"zero": False, "nice": False},
        "axis": VALUES,
    }
    y = {"field": "share", "type": "quantitative", "axis": {"format": "~%", "title": None, "tickCount": 4}}
    encoding = {"x": x, "x2": {"field": "to"}, "y": y, "color": COLOUR}
    layers = [
        {
            "transform": [{"filter": "datum.file === 'before'"}],
            "mark": {"type": "bar", "binSpacing": 0, "opacity": 0.75, "tooltip": True},
            "encoding": encoding,
        },
        {
            "transform": [{"filter": "datum.file === 'after'"}],
            "mark": {
                "type": "bar",
                "binSpacing": 1,
                "fillOpacity": 0.28,
                "stroke": AFTER,
                "strokeWidth": 1.2,
                "tooltip": True,
            },
            "encoding": encoding,
        },
        {"mark": {"type": "rule", "color": INK, "strokeWidth": 0.6}, "encoding": {"y": {"datum": 0}}},
    ]
    return {"height": 150, "layer": layers}
