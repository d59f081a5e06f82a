"""Builds plans for tests: by hand, and at random."""

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from backend.engine.document import Policy, Retry
from backend.engine.plan import JoinRule, Plan, PlanEdge, PlanNode


def node(name: str, **fields: Any) -> PlanNode:
    return PlanNode(no=0, id=name, kind="test.work", kind_version=1, **fields)


def plan(nodes: list[PlanNode], edges: list[str]) -> Plan:
    """Edges are written `a -> b` or `a:port -> b`; nodes stand in topological order."""
    numbered = [replace(one, no=no) for no, one in enumerate(nodes)]
    number = {one.id: one.no for one in numbered}
    read = []
    for text in edges:
        source, target = text.split(" -> ")
        name, _, port = source.partition(":")
        read.append(PlanEdge(number[name], port or "out", number[target], "in"))
    return with_ranks(Plan(tuple(numbered), tuple(read)))


def with_ranks(plan: Plan) -> Plan:
    ranks: dict[int, int] = {}
    for one in reversed(plan.nodes):
        ranks[one.no] = 1 + max((ranks[e.target] for e in plan.outgoing[one.no]), default=0)
    return Plan(tuple(replace(one, rank=ranks[one.no]) for one in plan.nodes), plan.edges)


JOINS = st.one_of(
    st.just(JoinRule()),
    st.just(JoinRule()),
    st.sampled_from([JoinRule("any"), JoinRule("first")]),
    st.integers(1, 3).map(lambda n: JoinRule("n", n)),
)
POLICIES = st.builds(
    Policy,
    on_error=st.sampled_from(["continue", "route"]),
    retry=st.builds(Retry, max_attempts=st.integers(1, 3), initial_s=st.just(0.0)),
)


@st.composite
def random_plans(draw: st.DrawFn, *, max_nodes: int = 12, joins: Any = JOINS) -> Plan:
    """Acyclic plans with branches, joins of every rule, inline and disabled nodes."""
    count = draw(st.integers(1, max_nodes))
    nodes = tuple(
        PlanNode(
            no=no,
            id=f"n{no}",
            kind="test.work",
            kind_version=1,
            inline=draw(st.booleans()),
            disabled=draw(st.integers(0, 9)) == 0,
            join=draw(joins),
            policy=draw(POLICIES),
        )
        for no in range(count)
    )
    pairs = [(a, b) for b in range(count) for a in range(b)]
    chosen = (
        draw(st.lists(st.sampled_from(pairs), unique=True, max_size=3 * count)) if pairs else []
    )
    edges = tuple(
        PlanEdge(a, draw(st.sampled_from(["out", "out", "error", "other"])), b, "in")
        for a, b in chosen
    )
    return with_ranks(Plan(nodes, edges))
