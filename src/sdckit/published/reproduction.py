"""What every reproduction gives: its figures as rows, what the source reports and whether it shows, its pictures."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sdckit.charts.chart import Chart


@dataclass(frozen=True)
class Finding:
    """Something that the source reports, with the page, and whether our figures show it."""

    statement: str
    where: str
    holds: bool


@dataclass(frozen=True)
class Reproduction:
    """Figures of ours beside those of a source; where it prints none, what it reports is compared instead.

    `convention` says how ours were computed and how that was chosen, `notes` what proves nothing about the source.
    Where the source only asks, `findings_title` says so.
    """

    reference: str
    rows: tuple[Mapping[str, Any], ...]
    findings: tuple[Finding, ...]
    charts: Mapping[str, Chart]
    convention: str = ""
    notes: tuple[str, ...] = ()
    findings_title: str = field(default="What the source reports", kw_only=True)

    @property
    def holds(self) -> bool:
        """Whether our figures show all that the source reports."""
        return all(finding.holds for finding in self.findings)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        findings = [{"statement": each.statement, "where": each.where, "holds": each.holds} for each in self.findings]
        return {
            "reference": self.reference,
            "convention": self.convention,
            "rows": [dict(row) for row in self.rows],
            "findings": findings,
            "notes": list(self.notes),
        }

    def table(self) -> tuple[Mapping[str, Any], ...]:
        """The figures for a CSV file, one line each."""
        return self.rows
