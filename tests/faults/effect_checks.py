"""I8: effects are had once per key, by steps that succeeded, and never before their time."""

import asyncio
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any

import psycopg

from tests.faults.harness.effects import EffectRecorder
from tests.faults.harness.starter import Book
from tests.faults.snapshot import FINAL_STEP, Snapshot
from tests.faults.verdicts import Verdict

NAME = "I8"
SENTENCE = "Effects keep one key a step, and wait for what they depend on to be durable"
BEFORE = "SELECT path, status FROM runs_step WHERE run_id = %s AND path = ANY(%s)"


def effects_fit(snapshot: Snapshot, recorder: EffectRecorder, *, crashes: int = 0) -> Verdict:
    """I8, when everything is over.

    An attempt sends once; only a database that crashed may have forgotten a claim, and with it the
    number of the attempt that sent.
    """
    verdict = Verdict(NAME, SENTENCE)
    keys: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    owners: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for effect in list(recorder.effects):
        keys[effect.run_id, effect.path][effect.key] += 1
        owners[effect.key].add((effect.run_id, effect.path))
    for key, found in owners.items():
        verdict.expect(len(found) == 1 and key != "", f"key {key} is used by {sorted(found)}")
    for run_id, graph in snapshot.graphs.items():
        effects = set(graph.effects())
        for path, step in snapshot.steps.get(run_id, {}).items():
            if path.rpartition("/")[2] not in effects:
                continue
            sent = keys[run_id, path]
            verdict.expect(len(sent) <= 1, f"{step} sent {len(sent)} keys")
            verdict.expect(
                step.status != "succeeded" or sent.total() > 0, f"{step} succeeded without effect"
            )
            verdict.expect(
                sent.total() <= step.attempt + crashes,
                f"{step} sent {sent.total()} times in {step.attempt} attempts",
            )
    return verdict


@dataclass
class EffectWitness:
    """Looks into the database whenever an effect arrives: is what it depends on committed?"""

    url: str
    book: Book
    verdict: Verdict = field(default_factory=lambda: Verdict(NAME, SENTENCE))
    #: Effects that came while the database was away, or before the test knew the run.
    unseen: int = 0
    _connection: "psycopg.AsyncConnection[tuple[Any, ...]] | None" = None
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def look(self, run_id: str, path: str) -> None:
        """Look for the steps before this one."""
        graph = self.book.graphs.get(run_id)
        if graph is None:
            self.unseen += 1
            return
        try:
            async with self._lock:
                rows = await self._read(run_id, graph.before(path))
        except psycopg.OperationalError:
            self.unseen += 1
            await self._drop()
            return
        ended = sum(status in FINAL_STEP for _, status in rows)
        self.verdict.expect(
            ended >= min(graph.needed(path), len(rows)),
            f"{path} of {run_id} had its effect when the steps before it were {rows}",
        )

    async def _read(self, run_id: str, paths: list[str]) -> list[tuple[Any, ...]]:
        if self._connection is None:
            self._connection = await psycopg.AsyncConnection.connect(
                self.url, autocommit=True, application_name="tests"
            )
        cursor = await self._connection.execute(BEFORE, [run_id, paths])
        return await cursor.fetchall()

    async def _drop(self) -> None:
        if self._connection is not None:
            await self._connection.close()
            self._connection = None

    async def close(self) -> None:
        """Close the connection."""
        await self._drop()
