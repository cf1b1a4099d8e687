"""What reading a graph leaves out, since graphs are simple."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Cleaned:
    """What was left out of the edges of a file: self-loops and repeated edges, whose weights are added up."""

    loops: int = 0
    repeated: int = 0

    def notes(self, *, weighted: bool = False) -> tuple[str, ...]:
        """One sentence for each thing that was left out."""
        repeated = "added up to one weight" if weighted else "left out"
        found = [(self.loops, "self-loop", "left out"), (self.repeated, "repeated edge", repeated)]
        return tuple(f"{count:,} {what}{'s' if count > 1 else ''} {fate}" for count, what, fate in found if count)
