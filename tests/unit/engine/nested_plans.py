"""Plans at random that hold maps and loops, inside each other too."""

from dataclasses import dataclass, field

from hypothesis import strategies as st

from backend.engine.document import Policy, Retry
from backend.engine.plan import ContainerRule, Plan, PlanEdge, PlanNode
from tests.unit.engine.plans import JOINS, with_ranks

POLICIES = st.builds(
    Policy,
    on_error=st.sampled_from(["fail", "continue", "route"]),
    retry=st.builds(Retry, max_attempts=st.integers(1, 3), initial_s=st.just(0.0)),
)
MAPS = st.builds(
    ContainerRule,
    mode=st.just("map"),
    window=st.integers(1, 3),
    on_item_error=st.sampled_from(["fail", "collect", "drop"]),
    max_failures=st.none() | st.integers(0, 2),
    max_failure_percent=st.none() | st.sampled_from([0.0, 30.0]),
)
LOOPS = st.builds(ContainerRule, mode=st.just("loop"), max_rounds=st.integers(1, 4))
PORTS = st.sampled_from(["out", "out", "out", "error", "other"])


@dataclass
class _Drawing:
    draw: st.DrawFn
    most: int
    nodes: list[PlanNode] = field(default_factory=list)
    edges: list[PlanEdge] = field(default_factory=list)

    def group(self, parent: int | None, depth: int) -> None:
        """Draw the nodes of one container, or of the top, and how they are connected."""
        most = max(1, self.most - len(self.nodes))
        least, usual = (3, 5) if parent is None else (1, 3)
        count = self.draw(st.integers(min(least, most), min(usual, most)))
        numbers = [self._node(parent, depth) for _ in range(count)]
        pairs = [(a, b) for place, b in enumerate(numbers) for a in numbers[:place]]
        chosen = st.lists(st.sampled_from(pairs), unique=True, min_size=1) if pairs else st.just([])
        for a, b in self.draw(chosen):
            self.edges.append(PlanEdge(a, self.draw(PORTS), b, "in"))

    def _node(self, parent: int | None, depth: int) -> int:
        no = len(self.nodes)
        holds = depth > 0 and no < self.most and self.draw(st.integers(0, 2)) == 0
        rule = self.draw(MAPS | LOOPS) if holds else None
        is_conditional = rule is not None and rule.mode == "loop" and self.draw(st.booleans())
        self.nodes.append(
            PlanNode(
                no=no,
                id=f"n{no}",
                kind="test.work",
                kind_version=1,
                inline=holds or self.draw(st.booleans()),
                disabled=self.draw(st.integers(0, 19)) == 0,
                config={"while": self.draw(st.integers(0, 3))} if is_conditional else {},
                join=self.draw(JOINS),
                policy=self.draw(POLICIES),
                parent=parent,
                container=rule,
            )
        )
        if holds:
            self.group(no, depth - 1)
        return no


@st.composite
def nested_plans(draw: st.DrawFn, *, max_nodes: int = 12, depth: int = 2) -> Plan:
    """Plans with branches, joins of every rule, and containers that hold the like."""
    drawing = _Drawing(draw, max_nodes)
    drawing.group(None, depth)
    return with_ranks(Plan(tuple(drawing.nodes), tuple(drawing.edges)))
