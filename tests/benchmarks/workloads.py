"""W1 to W7 and the idle product: what is done, how it is checked, and what it is to reach."""

import asyncio
import statistics
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import datetime
from typing import Any

from tests.benchmarks import graphs, scientific
from tests.benchmarks.bench import Bench, Ran, Step, Wrong, check_count, check_each, check_say
from tests.benchmarks.graphs import Kind
from tests.benchmarks.measures import Measured
from tests.benchmarks.processes import OWN

CHAIN, FAN, AT_ONCE, SINGLES, ITEMS = 100, 500, 100, 100, 10_000
CLOTH = "side by side make one cloth"
#: A product that has just started, or worked, still tidies up.
REST_S = 8.0

Check = Callable[[list[Step]], None]


def _numbers(steps: list[Step]) -> None:
    check_each(steps, lambda number: {"n": number})


def _successors(steps: list[Step]) -> None:
    check_each(steps, lambda number: number + 1)


def _answered(steps: list[Step]) -> None:
    check_say(steps, '"status": 200')


def _spoken(steps: list[Step]) -> None:
    check_say(steps, CLOTH)


async def _timed(
    bench: Bench, document: dict[str, Any], *, steps: int, check: Check, calls: int = 0
) -> list[Ran]:
    """Run a workflow once for nothing, then as often as is asked for; every result is checked."""
    workflow = await bench.workflow(document)
    await bench.run(workflow)
    done = []
    for _ in range(bench.repeat):
        await bench.reset_calls()
        one = await bench.run(workflow)
        check_count(one, steps)
        check(await bench.steps_of(one))
        if (seen := await bench.calls_since_reset())["count"] != calls:
            raise Wrong(f"{document['name']}: {seen['count']} calls instead of {calls}")
        done.append(one)
    return done


async def w1(bench: Bench) -> AsyncIterator[Measured]:
    """A chain of 100."""
    variants: list[tuple[str, Kind, Check, int, float]] = [
        ("data.set", graphs.data_set, _numbers, 0, 0.2),
        ("data.transform", graphs.transform, _successors, 0, 1.0),
        ("http.request", graphs.http_call(bench.endpoint), _answered, CHAIN, 4.0),
    ]
    for name, kind, check, calls, reach in variants:
        document = graphs.chain(kind, CHAIN)
        done = await _timed(bench, document, steps=CHAIN, check=check, calls=calls)
        yield Measured(
            id=f"W1.{name}",
            title=f"chain of {CHAIN} {name}, a node",
            unit="ms",
            values=[one.seconds * 1000 / CHAIN for one in done],
            reach=reach,
            details=_engine(done),
        )


async def w2(bench: Bench) -> AsyncIterator[Measured]:
    """500 between one source and one join, and twice as many."""
    variants: list[tuple[str, Kind, Check, float]] = [
        ("data.set", graphs.data_set, _numbers, 0.05),
        ("data.transform", graphs.transform, _successors, 0.3),
    ]
    for name, kind, check, reach in variants:
        once = await _timed(bench, graphs.fan(kind, FAN), steps=FAN + 2, check=check)
        twice = await _timed(bench, graphs.fan(kind, 2 * FAN), steps=2 * FAN + 2, check=check)
        yield Measured(
            id=f"W2.{name}",
            title=f"{FAN} {name} between source and join",
            unit="s",
            values=[one.seconds for one in once],
            reach=reach,
            details=_engine(once),
        )
        yield _doubled(f"W2.{name}", f"{2 * FAN} {name} over {FAN}", once, twice)


async def w3(bench: Bench) -> AsyncIterator[Measured]:
    """100 and 500 calls of one second."""
    variants: list[tuple[str, Kind, Check, int, float]] = [
        ("http.request", graphs.http_call(bench.endpoint), _answered, 100, 1.15),
        ("http.request", graphs.http_call(bench.endpoint), _answered, 500, 1.35),
        ("llm.chat", graphs.model_call, _spoken, 100, 1.5),
        ("llm.chat", graphs.model_call, _spoken, 500, 2.5),
    ]
    for name, kind, check, count, reach in variants:
        document = graphs.fan(kind, count, 1000)
        done = await _timed(bench, document, steps=count + 2, check=check, calls=count)
        seen = await bench.calls_since_reset()
        yield Measured(
            id=f"W3.{name}.{count}",
            title=f"{count} {name} of 1 s",
            unit="s",
            values=[one.seconds for one in done],
            reach=reach,
            details={**_engine(done), "max_in_flight": seen["max_in_flight"]},
        )


async def w4(bench: Bench) -> AsyncIterator[Measured]:
    """Scientific workflows whose tasks are calls of their duration."""
    for size, reach in ((200, 1.04), (1000, 1.08)):
        medians = []
        for name in scientific.names(size):
            one = await _scientific(bench, name)
            yield one
            medians.append(one.median)
        title = f"median of the graphs of {size} tasks"
        yield Measured(id=f"W4.{size}", title=title, unit="×", values=medians, reach=reach)


async def _scientific(bench: Bench, name: str) -> Measured:
    tasks = scientific.tasks_of(name)
    document = scientific.graph(name, graphs.http_call(bench.endpoint))

    def in_order(steps: list[Step]) -> None:
        _check_order(steps, tasks)

    done = await _timed(bench, document, steps=len(tasks), check=in_order, calls=len(tasks))
    return Measured(
        id=f"W4.{name}",
        title=f"{len(tasks)} tasks, time over critical path",
        unit="×",
        values=[one.seconds / scientific.CRITICAL_PATH_S for one in done],
        details=_engine(done),
    )


def _check_order(steps: list[Step], tasks: Sequence[scientific.Task]) -> None:
    """Make sure that every task started when all that it needs had ended."""
    begun = {step["node"]: datetime.fromisoformat(step["started_at"]) for step in steps}
    ended = {step["node"]: datetime.fromisoformat(step["finished_at"]) for step in steps}
    for task in tasks:
        for needed in task.needs:
            if begun[task.id] < ended[needed]:
                raise Wrong(f"{task.id} started before {needed} had ended")


async def w5(bench: Bench) -> AsyncIterator[Measured]:
    """100 runs at once."""
    workflow = await bench.workflow(graphs.seven_levels(graphs.http_call(bench.endpoint), 50))
    await bench.run_at_once(workflow, AT_ONCE)
    seconds, cpu_ms = [], []
    for _ in range(bench.repeat):
        await bench.reset_calls()
        before = bench.processes.cpu_s()
        done = await bench.run_at_once(workflow, AT_ONCE)
        after = bench.processes.cpu_s()
        seconds.append(max(one.seconds for one in done))
        cpu_ms.append({part: (after[part] - before[part]) * 1000 / AT_ONCE for part in after})
        for one in done:
            check_count(one, 10)
        if (calls := (await bench.calls_since_reset())["count"]) != 10 * AT_ONCE:
            raise Wrong(f"W5: {calls} calls")
    yield Measured(
        id="W5",
        title=f"{AT_ONCE} runs at once, ten calls of 50 ms",
        unit="s",
        values=seconds,
        reach=1.3,
        details={"cpu_ms_a_run": _medians(cpu_ms)},
    )


async def w6(bench: Bench) -> AsyncIterator[Measured]:
    """One node, from the request to the result."""
    workflow = await bench.workflow(graphs.chain(graphs.data_set, 1))
    for _ in range(10):
        await bench.run(workflow)
    p50, p95, cpu_ms = [], [], []
    for _ in range(bench.repeat):
        before = bench.processes.cpu_s()
        done = [await bench.run(workflow) for _ in range(SINGLES)]
        after = bench.processes.cpu_s()
        took = sorted(one.seconds * 1000 for one in done)
        p50.append(took[len(took) // 2])
        p95.append(took[int(len(took) * 0.95)])
        cpu_ms.append({part: (after[part] - before[part]) * 1000 / SINGLES for part in after})
        for one in done:
            check_count(one, 1)
        _numbers(await bench.steps_of(done[-1]))
    details = {"runs": SINGLES, "cpu_ms_a_run": _medians(cpu_ms)}
    title = "one node, request to result"
    yield Measured(
        id="W6.p50", title=f"{title}, median", unit="ms", values=p50, reach=15, details=details
    )
    yield Measured(id="W6.p95", title=f"{title}, 95 %", unit="ms", values=p95, reach=30)


async def w7(bench: Bench) -> AsyncIterator[Measured]:
    """A map of 10,000 items with two steps each, and one of twice as many."""
    variants: list[tuple[str, Callable[[int], dict[str, Any]], int, float]] = [
        ("data.set", graphs.data_map, 1, 8000),
        ("data.transform", graphs.transform_map, 2, 2500),
    ]
    peaks = []
    for name, document, factor, reach in variants:
        bench.processes.forget_peaks()
        once = await _mapped(bench, document(ITEMS), ITEMS, factor)
        peaks.append(bench.processes.worker_peak_mib())
        twice = await _mapped(bench, document(2 * ITEMS), 2 * ITEMS, factor)
        yield Measured(
            id=f"W7.{name}",
            title=f"map of {ITEMS:,}, two {name} each",
            unit="steps/s",
            values=[2 * ITEMS / one.seconds for one in once],
            reach=reach,
            better="higher",
            details=_engine(once),
        )
        yield _doubled(f"W7.{name}", f"{2 * ITEMS:,} items over {ITEMS:,}", once, twice)
    peak = "the worker's most memory"
    yield Measured(id="W7.memory", title=peak, unit="MiB", values=peaks, reach=250)


async def _mapped(bench: Bench, document: dict[str, Any], items: int, factor: int) -> list[Ran]:
    workflow = await bench.workflow(document)
    await bench.run(workflow)
    done = []
    for _ in range(bench.repeat):
        one = await bench.run(workflow)
        check_count(one, 2 * items + 1)
        if await bench.output_of(one, "each") != [factor * index for index in range(items)]:
            raise Wrong(f"{document['name']}: the results are not the items' in their order")
        done.append(one)
    return done


async def idle(bench: Bench) -> AsyncIterator[Measured]:
    """The memory of the product that does nothing."""
    await asyncio.sleep(REST_S)
    taken = []
    for _ in range(3):
        taken.append(bench.processes.memory())
        await asyncio.sleep(0.5)
    own = [sum(parts[part] for part in OWN) for parts in taken]
    whole = [sum(parts[part] for part in (*OWN, "postgres", "redis")) for parts in taken]
    yield Measured(id="idle.own", title="web, workers, beat", unit="MiB", values=own, reach=400)
    yield Measured(
        id="idle.all",
        title="with PostgreSQL and Redis",
        unit="MiB",
        values=whole,
        reach=500,
        details={"parts": taken[-1]},
    )


def _doubled(id: str, title: str, once: list[Ran], twice: list[Ran]) -> Measured:
    ratios = [two.seconds / one.seconds for one, two in zip(once, twice, strict=True)]
    return Measured(id=f"{id}.double", title=title, unit="×", values=ratios, reach=2.2)


def _engine(done: list[Ran]) -> dict[str, float]:
    return {"engine_s": statistics.median(one.engine_s for one in done)}


def _medians(samples: list[dict[str, float]]) -> dict[str, float]:
    return {
        part: round(statistics.median(sample.get(part, 0.0) for sample in samples), 2)
        for part in samples[0]
    }


#: In the order of the table. The idle product comes first: later it has worked.
WORKLOADS: dict[str, Callable[[Bench], AsyncIterator[Measured]]] = {
    "idle": idle,
    "W1": w1,
    "W2": w2,
    "W3": w3,
    "W4": w4,
    "W5": w5,
    "W6": w6,
    "W7": w7,
}
