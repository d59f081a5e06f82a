"""Measures the workloads, prints a table, writes JSON. `--help` tells the options."""

import argparse
import asyncio
import os
import resource
from pathlib import Path
from typing import Any

from tests.benchmarks import measures
from tests.benchmarks.bench import Bench
from tests.benchmarks.measures import Measured
from tests.benchmarks.product import Product, endpoint, product
from tests.benchmarks.wire import Api
from tests.benchmarks.workloads import WORKLOADS

MANY_FILES = 8192


def main() -> None:
    """Run what was asked for."""
    options = _parse()
    _allow_many_connections()
    load = os.getloadavg()
    with endpoint() as called, product(data=options.data, port=options.port) as running:
        results = asyncio.run(_measure(running, called, options))
        content = measures.report(results, folder=running.folder, load=load)
    measures.write(options.out, content)
    missed = [one for one in results if one.reached is False]
    machine = content["machine"]
    print(
        f"\n{machine['cores']} cores, load {load[0]:.1f} before and {machine['load_after'][0]:.1f}"
        f" after, fsync {machine['fsync_ms']} ms, Python {machine['python']}"
    )
    print("from the request over HTTP to the result; one repetition before is not counted")
    print(f"{len(missed)} of {len(results)} not reached; written to {options.out}")


def _parse() -> argparse.Namespace:
    names = ", ".join(WORKLOADS)
    parser = argparse.ArgumentParser(prog="bin/bench", description="Measure the product's speed.")
    parser.add_argument(
        "--only", type=_chosen, default=list(WORKLOADS), metavar="W1,W6", help=f"some of: {names}"
    )
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="repetitions (3)")
    parser.add_argument("--out", type=Path, default=Path("bench.json"), help="the JSON's path")
    parser.add_argument("--data", type=Path, help="the product's folder (else one that is removed)")
    parser.add_argument("--port", type=int, help="the product's port (else a free one)")
    return parser.parse_args()


def _chosen(text: str) -> list[str]:
    by_name = {name.lower(): name for name in WORKLOADS}
    wanted = [word.strip().lower() for word in text.split(",") if word.strip()]
    if unknown := [word for word in wanted if word not in by_name]:
        raise argparse.ArgumentTypeError(
            f"{unknown[0]} is none of {', '.join(WORKLOADS)}; name some, with commas between"
        )
    return [name for low, name in by_name.items() if low in wanted]


async def _measure(running: Product, called: str, options: argparse.Namespace) -> list[Measured]:
    bench = Bench(
        api=Api(running.address, running.key),
        endpoint_api=Api(called, ""),
        endpoint=called,
        processes=running.processes,
        repeat=options.repeat,
    )
    await bench.api.call("POST", "credentials/", _credential(called))
    results: list[Measured] = []
    print(measures.HEADING)
    try:
        for name in options.only:
            async for one in WORKLOADS[name](bench):
                print(one.to_line(), flush=True)
                results.append(one)
    finally:
        bench.api.close()
        bench.endpoint_api.close()
    return results


def _credential(called: str) -> dict[str, Any]:
    return {
        "kind": "openai",
        "name": "Mock",
        "base_url": f"{called}/v1",
        "api_key": "none",
        "models": ["sleep-1000ms"],
        "default_model": "sleep-1000ms",
        "default": True,
    }


def _allow_many_connections() -> None:
    """Raise the number of open files, for the endpoint too."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < MANY_FILES and hard != resource.RLIM_INFINITY:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(MANY_FILES, hard), hard))


if __name__ == "__main__":
    main()
