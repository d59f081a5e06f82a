"""A keeper whose database answers when a test lets it, and whose attempts end when it says so."""

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, cast
from uuid import UUID

from backend.engine.outcomes import Outcome, Succeeded
from backend.runs import results
from backend.runs.live import Claimed
from backend.runs.services.finish import Completion, Seat, Timer, finish
from backend.runs.services.follow_up import follow_up
from backend.runs.services.pull import pull
from backend.runs.services.sessions import open_session
from backend.runs.taken import Announcement
from backend.runs.transaction import commit
from workers.keeper import Hooks, Keeper
from workers.sandbox.evaluator import Evaluator


class Asked:
    """What the loop asks of the database. It is done between the loop's turns, by its driver."""

    def __init__(self) -> None:
        self.may_commit = True
        self.commit: Callable[..., Any] = commit
        #: Names of the functions that were called.
        self.names: list[str] = []
        self._waiting: list[tuple[asyncio.Future[Any], Callable[..., Any], Any, Any]] = []

    async def run(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        self.names.append(function.__name__)
        future = asyncio.get_running_loop().create_future()
        self._waiting.append((future, function, args, kwargs))
        return await future

    insist = run

    def answer(self) -> None:
        """Do what was asked for, but for commits that are held up."""
        waiting, self._waiting = self._waiting, []
        for asked in waiting:
            future, function, args, kwargs = asked
            if function is commit and not self.may_commit:
                self._waiting.append(asked)
                continue
            try:
                future.set_result(
                    (self.commit if function is commit else function)(*args, **kwargs)
                )
            except Exception as error:  # noqa: BLE001 - for whoever asked
                future.set_exception(error)


class Slots:
    """Attempts that were launched, by lease; `running` are those that have not ended."""

    def __init__(self) -> None:
        self.running: dict[str, Claimed] = {}
        self.unstored: set[str] = set()
        #: Ended, and not stored yet.
        self.ended: set[str] = set()
        self.stopped: list[str] = []
        self.launched: list[str] = []

    def __len__(self) -> int:
        return len(self.running)

    def count_of(self, run_id: UUID) -> int:
        return sum(claimed.run.id == run_id for claimed in self.running.values())

    def launch(
        self, claimed: Sequence[Claimed], *, prepared: Any = None, is_stored: bool = True
    ) -> None:
        del prepared
        for item in claimed:
            self.running[item.lease_id] = item
            self.launched.append(item.path)
            if not is_stored:
                self.unstored.add(item.lease_id)

    def confirm(self, leases: Iterable[str]) -> None:
        self.unstored -= set(leases)

    def free(self, lease: str) -> None:
        if self.running.pop(lease, None) is not None and lease not in self.unstored:
            self.ended.add(lease)

    def forget(self, lease: str) -> None:
        self.running.pop(lease, None)
        self.ended.discard(lease)

    def stop(self, leases: Iterable[str]) -> None:
        for lease in list(leases):
            if (claimed := self.running.pop(lease, None)) is not None:
                self.stopped.append(claimed.path)

    def stop_run(self, run_id: UUID) -> None:
        self.stop([i for i, claimed in self.running.items() if claimed.run.id == run_id])


class Scene:
    """One worker process with a keeper, whose loop goes on turn by turn.

    What the keeper lets go is completed the ordinary way, when a test says so.
    """

    def __init__(self, evaluator: Evaluator, *, slots: int = 100) -> None:
        self.evaluator = evaluator
        self.slots = slots
        self.session_id = open_session(lane="io", slots=slots)
        self.database = Asked()
        self.attempts = Slots()
        self.resubmitted: list[Completion] = []
        self.timers: list[Timer] = []
        self.announced: list[Announcement] = []
        self._followed = 0
        self.keeper = Keeper(
            cast("Any", self.database),
            cast("Any", self.attempts),
            Hooks(
                resolve=evaluator.evaluate_batch,
                seat=self.seat,
                submit=self.resubmitted.append,
                announce=self.announced.append,
                set_timer=self.timers.append,
                on_free=lambda: None,
            ),
        )
        self.loop = asyncio.new_event_loop()
        self.storing = self.loop.create_task(self.keeper.run())

    def close(self) -> None:
        """End the loop, which must not have met a fault."""
        assert not self.storing.done(), self.storing.exception()
        self.storing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            self.loop.run_until_complete(self.storing)
        self.loop.close()

    def until(self, condition: Callable[[], object]) -> None:
        """Let the loop go on until something is so."""
        for _ in range(10_000):
            if condition():
                return
            self.turn()
        raise AssertionError("it never came to be so")

    def turn(self) -> None:
        """Let the loop go on for one turn, then the database."""
        self.loop.call_soon(self.loop.stop)
        self.loop.run_forever()
        self.database.answer()
        for announcement in self.announced[self._followed :]:
            self._followed += 1
            follow_up(announcement, resolve=self.evaluator.evaluate_batch)

    def do(self, act: Callable[[], Any]) -> Any:
        """Do something on the loop."""

        async def call() -> Any:
            return act()

        return self.loop.run_until_complete(call())

    def seat(self) -> Seat | None:
        free = self.slots - len(self.attempts)
        return Seat(session_id=self.session_id, lane="io", free=free) if free > 0 else None

    def pull(self) -> list[str]:
        """Pull, launch and keep, as the loop does; gives the paths that run."""
        seat = self.seat()
        assert seat is not None
        resolve = self.evaluator.evaluate_batch
        pulled = pull(seat, resolve=resolve, busy=self.keeper.runs, ahead=True)
        self.attempts.launch(pulled.claimed)
        for live in pulled.lives:
            self.do(partial(self.keeper.keep, live))
        return self.paths

    @property
    def paths(self) -> list[str]:
        """The paths of what runs."""
        return sorted(claimed.path for claimed in self.attempts.running.values())

    def end(self, outputs: Mapping[str, Any]) -> None:
        """Let attempts end, by their paths; what is no outcome is the output of a success."""
        for path, output in outputs.items():
            claimed = next(c for c in self.attempts.running.values() if c.path == path)
            outcome = output if isinstance(output, Outcome) else Succeeded(output)
            encoded = results.encode(outcome.output) if isinstance(outcome, Succeeded) else None
            completion = Completion(
                run_id=claimed.run.id,
                key=claimed.key,
                lease_id=claimed.lease_id,
                outcome=outcome,
                encoded=encoded,
            )
            if not self.do(partial(self.keeper.take, completion)):
                self.resubmitted.append(completion)

    def complete_resubmitted(self) -> list[Completion]:
        """Do as the committer does; gives what was fenced."""
        completions, self.resubmitted = self.resubmitted, []
        finished = finish(completions, resolve=self.evaluator.evaluate_batch, seat=self.seat())
        for completion in completions:
            self.attempts.forget(completion.lease_id)
        self.attempts.launch(finished.claimed)
        return finished.fenced
