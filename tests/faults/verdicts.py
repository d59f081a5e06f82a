"""What a check of an invariant found, and the table of all of them."""

from collections.abc import Iterable
from dataclasses import dataclass, field

SHOWN = 5


@dataclass
class Verdict:
    """An invariant, how often it was looked at, and where it did not hold."""

    name: str
    sentence: str
    checked: int = 0
    violations: list[str] = field(default_factory=list)

    def expect(self, holds: bool, otherwise: str) -> None:
        """Look at one case."""
        self.checked += 1
        if not holds and otherwise not in self.violations:
            self.violations.append(otherwise)


@dataclass
class Table:
    """All invariants, in order; what was found at different times is added up."""

    rows: dict[str, Verdict] = field(default_factory=dict)

    def add(self, verdicts: Iterable[Verdict]) -> None:
        """Add what was found."""
        for found in verdicts:
            row = self.rows.setdefault(found.name, Verdict(found.name, found.sentence))
            row.checked += found.checked
            row.violations += [v for v in found.violations if v not in row.violations]

    @property
    def violations(self) -> list[str]:
        """Everything that did not hold."""
        return [f"{row.name}: {text}" for row in self.rows.values() for text in row.violations]

    def broken(self) -> set[str]:
        """The names of the invariants that did not hold."""
        return {row.name for row in self.rows.values() if row.violations}

    def __str__(self) -> str:
        rows = sorted(self.rows.values(), key=lambda row: (len(row.name), row.name))
        width = max((len(row.sentence) for row in rows), default=0)
        lines = [f"{'':4} {'invariant':{width}} {'checked':>9} {'violations':>10}"]
        for row in rows:
            lines.append(
                f"{row.name:4} {row.sentence:{width}} {row.checked:>9} {len(row.violations):>10}"
            )
            lines += [f"     {text}" for text in row.violations[:SHOWN]]
        return "\n".join(lines)
