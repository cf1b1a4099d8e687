"""What a part prints and finds: lines for the reader, and the failures that decide the exit code."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

SHOWN = 40  # failures printed of one part; all are counted
KEPT = Path("torture-output")  # inputs that failed, to try again


@dataclass
class Log:
    """The outcomes of a part by kind, and its failures."""

    outcomes: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def line(self, text: str) -> None:
        """Print a line at once."""
        print(f"   {text}", flush=True)

    def count(self, outcome: str) -> None:
        """Count one outcome."""
        self.outcomes[outcome] += 1

    def failure(self, text: str) -> None:
        """Record a failure."""
        self.failures.append(text)
        if len(self.failures) <= SHOWN:
            self.line(f"FAILED {text}")

    def add(self, other: "Log") -> None:
        """Take over what another process counted and found, which it has printed."""
        self.outcomes += other.outcomes
        self.failures += other.failures

    def summary(self) -> None:
        """Print the counts."""
        for outcome, number in self.outcomes.most_common():
            self.line(f"{number:>8,}  {outcome}")
        self.line(f"{len(self.failures):>8,}  failures")

    def write(self, path: Path) -> None:
        """Write the counts and every failure into a file."""
        path.parent.mkdir(parents=True, exist_ok=True)
        counts = [f"{number:>8}  {outcome}" for outcome, number in self.outcomes.most_common()]
        path.write_text("\n".join([*counts, *(f"FAILED {text}" for text in self.failures), ""]), encoding="utf-8")
