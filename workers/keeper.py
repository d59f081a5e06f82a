"""Runs that this process keeps in memory, so that what follows starts before it is stored.

Completions are applied in memory at once. Steps without effects start at once from what they gave;
paid and outward ones start when it is stored. All changes of all runs that have gathered are
stored together. If somebody else has moved a run meanwhile, it is let go: completions of claims
that are stored go the ordinary way, and what ran ahead is stopped and runs again.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from uuid import UUID

from backend.engine.step_state import Draft
from backend.runs.live import Claimed, LiveRun
from backend.runs.prepare import Prepared, Resolve
from backend.runs.services.ahead import Advanced, Due, Happened, advance, take_if_changed
from backend.runs.services.finish import Completion, Seat, Timer
from backend.runs.services.sweep import release
from backend.runs.taken import Announcement, Taken
from backend.runs.transaction import commit
from workers.attempts import Attempts
from workers.database import Database

logger = logging.getLogger(__name__)

#: Runs that one transaction stores at most.
BATCH = 100
#: Seconds for which a run is not kept again once somebody else has moved it.
SHARED_S = 1.0


@dataclass
class _Kept:
    live: LiveRun
    completions: list[Completion] = field(default_factory=list)
    dues: list[Due] = field(default_factory=list)
    #: A pass is under way in a thread.
    is_busy: bool = False
    #: What is being stored, and what starts when it is.
    taken: Taken | None = None
    later: list[Claimed] = field(default_factory=list)
    later_when_stored: list[Claimed] = field(default_factory=list)
    prepared: dict[str, Prepared] = field(default_factory=dict)
    #: Claims that were made in memory and are not stored, by lease.
    unstored: dict[str, Claimed] = field(default_factory=dict)
    unstored_when_stored: dict[str, Claimed] = field(default_factory=dict)
    #: Completions that are applied and not stored: by what is being stored, and since.
    applied: list[Completion] = field(default_factory=list)
    applied_being_stored: list[Completion] = field(default_factory=list)
    #: Drafts that are stored; to be told to the run when no pass is under way.
    stored: list[Draft] = field(default_factory=list)
    stays: bool = True

    @property
    def has_input(self) -> bool:
        """Whether there is something to apply."""
        return bool(self.completions or self.dues)

    @property
    def wants_pass(self) -> bool:
        """Whether there is something to do: one pass at most is ahead of what is being stored."""
        unfinished = self.live.unfinished and self.live.end is None and self.live.draft.is_empty
        return self.has_input or unfinished

    @property
    def wants_storing(self) -> bool:
        """Whether there is something to store, and nothing is being stored."""
        return self.taken is None and not self.live.draft.is_empty

    def told(self) -> list[Draft]:
        """What is stored and the run has not been told."""
        stored, self.stored = self.stored, []
        return stored


@dataclass(frozen=True, kw_only=True)
class Hooks:
    """What the keeper asks of the loop that it is part of."""

    resolve: Resolve
    seat: Callable[[], Seat | None]
    #: Takes completions of runs that are let go.
    submit: Callable[[Completion], None]
    announce: Callable[[Announcement], None]
    set_timer: Callable[[Timer], None]
    #: Slots, or runs that others may work on, have become free.
    on_free: Callable[[], None]


class Keeper:
    """The runs in memory, by their ids."""

    def __init__(self, database: Database, attempts: Attempts, hooks: Hooks) -> None:
        self._database = database
        self._attempts = attempts
        self._hooks = hooks
        self._kept: dict[UUID, _Kept] = {}
        self._shared: dict[UUID, float] = {}
        self._waiting: deque[_Kept] = deque()
        self._wake = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._passes = 0
        #: Set whenever a run may have come to rest.
        self._rested = asyncio.Event()

    # -- what others ask --------------------------------------------------------------------------

    @property
    def runs(self) -> list[UUID]:
        """Runs that are in memory."""
        return list(self._kept)

    def keep(self, live: LiveRun) -> None:
        """Keep a run whose state is just as it is stored, if something of it runs here.

        A run in memory is passed over by pulls. So it is not kept if it has steps that only they
        start, or if it has nothing to do here until somebody else moves it.
        """
        if live.end is not None or live.has_ready_steps or self._is_shared(live):
            return
        has_work = live.unfinished or self._attempts.count_of(live.row.id) > 0
        if live.starts_by_pull or not has_work:
            return
        kept = self._kept[live.row.id] = _Kept(live)
        if kept.wants_pass:
            self._schedule(kept)

    def take(self, completion: Completion) -> bool:
        """Take a completion, if its run is in memory."""
        kept = self._kept.get(completion.run_id)
        if kept is None:
            return False
        kept.completions.append(completion)
        self._schedule(kept)
        return True

    def due(self, timer: Timer) -> bool:
        """Take a timer that has come, if its run is in memory."""
        kept = self._kept.get(timer.run_id)
        if kept is None:
            return False
        kept.dues.append(Due(key=timer.key))
        self._schedule(kept)
        return True

    def drop(self, runs: Iterable[UUID]) -> None:
        """Let go of runs that have ended elsewhere, with everything that runs for them."""
        for run_id in list(runs):
            if (kept := self._kept.get(run_id)) is not None and kept.live.end is None:
                self._let_go(kept, redo=False)
            self._attempts.stop_run(run_id)

    async def run(self) -> None:
        """Store for ever."""
        while True:
            await self._wake.wait()
            # Passes that end in the same turn of the loop belong together.
            await asyncio.sleep(0)
            batch = [self._waiting.popleft() for _ in range(min(BATCH, len(self._waiting)))]
            if not self._waiting:
                self._wake.clear()
            if batch:
                await self._store(batch)

    async def drained(self) -> None:
        """Wait until everything that was applied is stored."""
        while any(k.is_busy or k.wants_pass or k.taken for k in self._kept.values()):
            self._rested.clear()
            await self._rested.wait()

    # -- passes -----------------------------------------------------------------------------------

    def _schedule(self, kept: _Kept) -> None:
        if kept.is_busy:
            return
        kept.is_busy = True
        task = asyncio.create_task(self._work(kept))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _work(self, kept: _Kept) -> None:
        try:
            while self._is_kept(kept):
                if kept.wants_pass:
                    await self._advance(kept)
                elif kept.wants_storing:
                    await self._take(kept)
                else:
                    break
        finally:
            kept.is_busy = False
        self._release_if_done(kept)

    async def _advance(self, kept: _Kept) -> None:
        completions, kept.completions = kept.completions, []
        dues, kept.dues = kept.dues, []
        kept.applied.extend(completions)
        for completion in completions:
            # The slot is free for what follows; the lease is held until this is stored.
            self._attempts.free(completion.lease_id)
        self._passes += 1
        try:
            advanced = await self._database.run(
                advance,
                kept.live,
                Happened(completions=completions, dues=dues, stored=kept.told()),
                seat=self._share_of_slots(),
                resolve=self._hooks.resolve,
                takes=kept.taken is None,
            )
        except Exception:
            # Memory may not be what is stored: what was read late may be newer than the rest.
            logger.warning("kept_run_let_go", exc_info=True, extra={"run": str(kept.live.row.id)})
            self._let_go(kept, redo=True)
            return
        finally:
            self._passes -= 1
        if self._is_kept(kept):
            self._carry_on(kept, advanced)

    def _share_of_slots(self) -> Seat | None:
        seat = self._hooks.seat()
        if seat is None or self._passes <= 1:
            return seat
        return Seat(session_id=seat.session_id, lane=seat.lane, free=max(1, seat.free // 2))

    def _carry_on(self, kept: _Kept, advanced: Advanced) -> None:
        claimed = [*advanced.now, *advanced.later]
        kept.unstored.update((item.lease_id, item) for item in claimed)
        kept.later.extend(advanced.later)
        kept.prepared.update({i.lease_id: advanced.prepared[i.lease_id] for i in advanced.later})
        kept.stays = advanced.stays
        for completion in advanced.fenced:
            self._attempts.forget(completion.lease_id)
            logger.info("fenced", extra={"run": str(completion.run_id), "step": completion.key})
        self._attempts.launch(advanced.now, prepared=advanced.prepared, is_stored=False)
        for timer in advanced.timers:
            self._hooks.set_timer(timer)
        if advanced.taken is not None:
            self._begin_storing(kept, advanced.taken)

    def _begin_storing(self, kept: _Kept, taken: Taken) -> None:
        kept.taken = taken
        kept.later_when_stored, kept.later = kept.later, []
        kept.unstored_when_stored, kept.unstored = kept.unstored, {}
        kept.applied_being_stored, kept.applied = kept.applied, []
        self._waiting.append(kept)
        self._wake.set()

    # -- storing ----------------------------------------------------------------------------------

    async def _store(self, batch: list[_Kept]) -> None:
        wanted = [kept for kept in batch if self._is_kept(kept) and kept.taken is not None]
        taken = [kept.taken for kept in wanted if kept.taken is not None]
        if not taken:
            return
        try:
            good, announcement = await self._database.insist(commit, taken)
        except Exception as error:  # noqa: BLE001 - one run must not keep the others from being stored
            await self._store_apart(wanted, error)
            return
        stored = {id(one) for one in good}
        for kept in wanted:
            if id(kept.taken) in stored:
                await self._stored(kept)
            elif self._is_kept(kept):
                logger.info("run_moved_elsewhere", extra={"run": str(kept.live.row.id)})
                self._let_go(kept, redo=True)
        self._hooks.announce(announcement)

    async def _store_apart(self, batch: list[_Kept], error: Exception) -> None:
        logger.error("commit_failed", exc_info=error, extra={"runs": len(batch)})
        if len(batch) == 1:
            self._let_go(batch[0], redo=True)
            return
        middle = len(batch) // 2
        await self._store(batch[:middle])
        await self._store(batch[middle:])

    async def _stored(self, kept: _Kept) -> None:
        if kept.taken is None:
            return
        kept.stored.append(kept.taken.draft)
        kept.taken = None
        claimed, kept.unstored_when_stored = kept.unstored_when_stored, {}
        later, kept.later_when_stored = kept.later_when_stored, []
        for completion in kept.applied_being_stored:
            self._attempts.forget(completion.lease_id)
        kept.applied_being_stored = []
        if not self._is_kept(kept):
            # It was let go while it was being stored: nobody here runs what was claimed with it.
            left = {(c.run.id, c.key): lease for lease, c in claimed.items()}
            await self._database.insist(release, left)
            return
        self._attempts.confirm(claimed)
        prepared = {item.lease_id: kept.prepared.pop(item.lease_id) for item in later}
        self._attempts.launch(later, prepared=prepared, is_stored=True)
        self._hooks.on_free()
        # A pass that is under way goes on to what has gathered.
        if kept.wants_pass or kept.wants_storing:
            self._schedule(kept)
        self._release_if_done(kept)

    async def _take(self, kept: _Kept) -> None:
        try:
            taken = await self._database.run(take_if_changed, kept.live, stored=kept.told())
        except Exception:
            logger.warning("kept_run_let_go", exc_info=True, extra={"run": str(kept.live.row.id)})
            self._let_go(kept, redo=True)
            return
        if taken is not None and self._is_kept(kept):
            self._begin_storing(kept, taken)

    # -- letting go -------------------------------------------------------------------------------

    def _is_kept(self, kept: _Kept) -> bool:
        return self._kept.get(kept.live.row.id) is kept

    def _is_shared(self, live: LiveRun) -> bool:
        until = self._shared.get(live.row.id, 0.0)
        return until > time.monotonic()

    def _release_if_done(self, kept: _Kept) -> None:
        """Forget a run that has ended, or that others shall have a share in."""
        self._rested.set()
        is_at_rest = not (kept.is_busy or kept.has_input or kept.taken or kept.later)
        if not is_at_rest or not self._is_kept(kept) or not kept.live.draft.is_empty:
            return
        has_work = self._attempts.count_of(kept.live.row.id) > 0
        if kept.live.end is not None or not kept.stays or not has_work:
            del self._kept[kept.live.row.id]
            self._hooks.on_free()

    def _let_go(self, kept: _Kept, *, redo: bool) -> None:
        """Forget what is not stored. What is claimed and stored goes on, the ordinary way."""
        run_id = kept.live.row.id
        self._kept.pop(run_id, None)
        self._rested.set()
        self._shared = {k: v for k, v in self._shared.items() if v > time.monotonic()}
        self._shared[run_id] = time.monotonic() + SHARED_S
        unstored = kept.unstored | kept.unstored_when_stored
        self._attempts.stop(unstored)
        for completion in [*kept.applied_being_stored, *kept.applied, *kept.completions]:
            if completion.lease_id in unstored or not redo:
                self._attempts.forget(completion.lease_id)
            else:
                self._hooks.submit(completion)
        if redo:
            for due in kept.dues:
                self._hooks.set_timer(Timer(run_id=run_id, key=due.key, in_s=0.0, parked=True))
        self._hooks.on_free()
