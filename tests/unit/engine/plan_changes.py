"""Changes of a plan at random that touch nothing that has started."""

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from backend.engine.plan import ROOT_SCOPE, ContainerRule, JoinRule, Key, Plan, PlanEdge, PlanNode

if TYPE_CHECKING:
    from tests.unit.engine.simulation import Simulation

MODES = ("all", "any", "first", "n")


def changed_plan(simulation: "Simulation") -> Plan:
    """The run's plan with a few changes of it."""
    draft = _Draft(simulation.plan, _open(simulation), simulation.dice)
    for _ in range(simulation.dice.randint(1, 3)):
        simulation.dice.choice(draft.ways)()
    return Plan(tuple(draft.nodes), tuple(draft.edges))


def _open(simulation: "Simulation") -> set[int]:
    """Top nodes that have not started."""
    return {
        no
        for no in simulation.plan.inside(None)
        if not simulation.steps.get(Key(ROOT_SCOPE, no)).has_started
    }


@dataclass
class _Draft:
    plan: Plan
    open: set[int]
    dice: random.Random

    def __post_init__(self) -> None:
        self.nodes = list(self.plan.nodes)
        self.edges = list(self.plan.edges)

    @property
    def ways(self) -> list[Callable[[], None]]:
        """What may be done to it."""
        return [
            self.add_node,
            self.add_container,
            self.remove_node,
            self.add_edge,
            self.remove_edge,
            self.replace_node,
        ]

    def add_node(self) -> None:
        new = self._add(inline=self.dice.random() < 0.5, join=self._join())
        if others := self._top(but=new):
            self._connect(self.dice.choice(others), new)
        if left := sorted(self.open - {new}):
            self._connect(new, self.dice.choice(left))

    def add_container(self) -> None:
        rule = ContainerRule(mode="map", window=2, on_item_error="drop")
        new = self._add(inline=True, container=rule)
        self._add(parent=new)
        self._connect(self.dice.choice(self._top(but=new) or [new]), new)

    def remove_node(self) -> None:
        # What comes and goes with the same change has never been.
        known = sorted(no for no in self.open if no < len(self.plan.nodes))
        for no in self.dice.sample(known, len(known)):
            if all(edge.target in self.open for edge in self.edges if edge.source == no):
                for each in [no, *(n.no for n in self.nodes if n.parent == no)]:
                    self._remove(each)
                return

    def add_edge(self) -> None:
        if self.open:
            self._connect(self.dice.choice(self._top()), self.dice.choice(sorted(self.open)))

    def remove_edge(self) -> None:
        if edges := [edge for edge in self.edges if edge.target in self.open]:
            self.edges.remove(self.dice.choice(edges))

    def replace_node(self) -> None:
        if self.open:
            no = self.dice.choice(sorted(self.open))
            disabled = self.dice.random() < 0.3
            self.nodes[no] = replace(self.nodes[no], join=self._join(), disabled=disabled)

    def _top(self, *, but: int | None = None) -> list[int]:
        return [n.no for n in self.nodes if n.parent is None and not n.removed and n.no != but]

    def _join(self) -> JoinRule:
        mode = self.dice.choice(MODES)
        return JoinRule(mode, 2 if mode == "n" else 1)  # type: ignore[arg-type]

    def _add(
        self,
        *,
        inline: bool = False,
        parent: int | None = None,
        join: JoinRule | None = None,
        container: ContainerRule | None = None,
    ) -> int:
        no = len(self.nodes)
        self.nodes.append(
            PlanNode(
                no=no,
                id=f"n{no}",
                kind="test.work",
                kind_version=1,
                inline=inline,
                parent=parent,
                join=join or JoinRule(),
                container=container,
            )
        )
        if parent is None:
            self.open.add(no)
        return no

    def _connect(self, source: int, target: int) -> None:
        wanted = PlanEdge(source, self.dice.choice(["out", "other", "error"]), target, "in")
        if wanted not in self.edges and not self._leads(target, source):
            self.edges.append(wanted)

    def _leads(self, source: int, target: int) -> bool:
        ends = [edge.target for edge in self.edges if edge.source == source]
        return source == target or any(self._leads(end, target) for end in ends)

    def _remove(self, no: int) -> None:
        self.nodes[no] = replace(self.nodes[no], removed=True)
        self.edges = [edge for edge in self.edges if no not in (edge.source, edge.target)]
        self.open.discard(no)
