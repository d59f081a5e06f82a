"""Invariants of the rows: ends, counters, and how often something was tried."""

from tests.faults.snapshot import Snapshot
from tests.faults.verdicts import Verdict

#: A step that lost so many workers is given up.
MAX_LOSSES = 3


def nothing_moves_after_the_end(snapshot: Snapshot) -> Verdict:
    """I1, as far as it holds at every moment."""
    verdict = Verdict("I1", "Every run ends, and no step of an ended run is open")
    for run in snapshot.runs.values():
        if run.is_final:
            open_ = [str(s) for s in snapshot.steps[run.id].values() if not s.is_final]
            verdict.expect(not open_, f"{run.id} is {run.status}, and open is {open_}")
    return verdict


def every_run_ends(snapshot: Snapshot) -> Verdict:
    """I1, when everything is said to be over."""
    verdict = nothing_moves_after_the_end(snapshot)
    for run in snapshot.runs.values():
        verdict.expect(run.is_final, f"{run.id} is still {run.status}")
    for missing in set(snapshot.graphs) - set(snapshot.runs):
        verdict.expect(holds=False, otherwise=f"{missing} was acknowledged and is gone")
    return verdict


def counters_fit(snapshot: Snapshot) -> Verdict:
    """I7: what is counted is what a recount gives."""
    verdict = Verdict("I7", "Counters of open steps and open inputs are what a recount gives")
    for run in snapshot.runs.values():
        steps = snapshot.steps[run.id]
        open_ = sum(not step.is_final for step in steps.values())
        verdict.expect(
            run.open_steps == open_, f"{run.id} counts {run.open_steps} open steps of {open_}"
        )
        graph = snapshot.graphs.get(run.id)
        for step in steps.values() if graph else ():
            if graph is None or step.status != "pending":
                continue
            waits = sum(
                path in steps and not steps[path].is_final for path in graph.before(step.path)
            )
            verdict.expect(step.pending == waits, f"{step} counts {step.pending} inputs of {waits}")
    return verdict


def tries_are_bounded(snapshot: Snapshot) -> Verdict:
    """I12: attempts, failures and losses stay within what policy and engine allow."""
    verdict = Verdict("I12", "Attempts and failures keep to the policy, losses to their cap")
    for run_id, steps in snapshot.steps.items():
        logs = snapshot.step_events(run_id)
        graph = snapshot.graphs.get(run_id)
        for path, step in steps.items():
            started = sum(event.type == "step.started" for event in logs.get(path, ()))
            verdict.expect(
                step.attempt == started, f"{step}: {started} starts, but attempt {step.attempt}"
            )
            verdict.expect(step.losses <= MAX_LOSSES, f"{step} was lost {step.losses} times")
            allowed = graph.max_attempts(path) if graph else step.failures
            gave_up = step.losses == MAX_LOSSES
            verdict.expect(
                step.failures <= allowed + gave_up, f"{step} failed {step.failures} of {allowed}"
            )
    return verdict
