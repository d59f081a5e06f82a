"""Measures the workloads, prints a table, writes JSON. `--help` tells the options."""

import argparse
import json
import os
import platform
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import httpx2

from tests.benchmarks.product import product
from tests.benchmarks.workloads import Workload, workloads
from tests.live_endpoint import LiveEndpoint, live_endpoint

WAIT_S = 60


@dataclass(frozen=True)
class Measured:
    """Seconds from the request to the result as the client saw them, over several repetitions."""

    name: str
    median_s: float
    least_s: float
    most_s: float
    repetitions: int
    #: Most calls that the endpoint saw at the same time.
    in_flight: int
    reach_s: float | None


def main() -> None:
    """Run what was asked for."""
    options = _parse()
    with live_endpoint() as endpoint, product() as api:
        _connect(api, endpoint)
        chosen = [w for w in workloads(endpoint.url) if options.only.lower() in w.name.lower()]
        results = [_measure(api, endpoint, workload, options.repeat) for workload in chosen]
    _print(results)
    _write(results, options.out)


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bin/bench", description="Measure the product's speed.")
    parser.add_argument("--only", default="", metavar="TEXT", help="workloads whose name holds it")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="repetitions (3)")
    parser.add_argument("--out", type=Path, default=Path("bench.json"), help="the JSON's path")
    return parser.parse_args()


def _connect(api: httpx2.Client, endpoint: LiveEndpoint) -> None:
    body = {
        "kind": "openai",
        "name": "Mock",
        "base_url": endpoint.base_url,
        "api_key": "none",
        "models": ["sleep-0ms"],
        "default_model": "sleep-0ms",
        "default": True,
    }
    api.post("credentials/", json=body).raise_for_status()


def _measure(
    api: httpx2.Client, endpoint: LiveEndpoint, workload: Workload, repeat: int
) -> Measured:
    answer = api.post("workflows/", json={"document": workload.document})
    workflow = answer.raise_for_status().json()["id"]
    _run(api, workflow, workload.at_once)
    endpoint.reset()
    times = [_run(api, workflow, workload.at_once) for _ in range(repeat)]
    measured = Measured(
        name=workload.name,
        median_s=statistics.median(times),
        least_s=min(times),
        most_s=max(times),
        repetitions=repeat,
        in_flight=endpoint.stats()["max_in_flight"],
        reach_s=workload.reach_s,
    )
    print(_line(measured), flush=True)
    return measured


def _run(api: httpx2.Client, workflow: str, at_once: int) -> float:
    began = time.perf_counter()
    with ThreadPoolExecutor(at_once) as threads:
        answers = list(threads.map(lambda _: _run_once(api, workflow), range(at_once)))
    took = time.perf_counter() - began
    for answer in answers:
        if answer["status"] != "succeeded":
            raise SystemExit(f"{answer['workflow_name']}: {answer['status']} {answer['error']}")
    return took


def _run_once(api: httpx2.Client, workflow: str) -> dict[str, Any]:
    answer = api.post(f"workflows/{workflow}/runs/", params={"wait": WAIT_S}, json={})
    return dict(answer.raise_for_status().json())


def _print(results: list[Measured]) -> None:
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    print(f"\n{os.cpu_count()} cores, load {load}, Python {platform.python_version()}")
    print("seconds from the request over HTTP to the result; one repetition before is not counted")
    missed = [one for one in results if one.reach_s is not None and one.median_s > one.reach_s]
    for one in missed:
        print(f"not reached: {one.name}: {one.median_s:.2f} s, to reach {one.reach_s:g} s")


def _line(one: Measured) -> str:
    reach = f"  to reach {one.reach_s:g}" if one.reach_s is not None else ""
    spread = f"{one.least_s:.3f} – {one.most_s:.3f}"
    flight = f"  {one.in_flight} in flight" if one.in_flight else ""
    return f"{one.name:34} median {one.median_s:7.3f} s  ({spread}){flight}{reach}"


def _write(results: list[Measured], path: Path) -> None:
    data = {
        "cores": os.cpu_count(),
        "load": os.getloadavg(),
        "python": platform.python_version(),
        "results": [asdict(one) for one in results],
    }
    path.write_text(json.dumps(data, indent=2) + "\n")
    print(f"written to {path}")


if __name__ == "__main__":
    main()
