import pytest
from django.conf import LazySettings

from backend.config.errors import handle_error
from backend.limits.open_work import TooMuchOpenWork, refuse_when_full
from backend.runs.models import Run
from tests.integration.limits.work import Work
from tests.integration.people import Person


def test_a_workspace_with_as_many_runs_as_it_may_have_takes_on_no_more(
    work: Work, settings: LazySettings
) -> None:
    settings.HEDDLE_MAX_OPEN_RUNS = 2
    refuse_when_full(work.workspace_id)
    Work(work.person)

    with pytest.raises(
        TooMuchOpenWork, match=r"2 unfinished runs.*HEDDLE_MAX_OPEN_RUNS"
    ) as refusal:
        refuse_when_full(work.workspace_id)

    assert refusal.value.extra == {"setting": "HEDDLE_MAX_OPEN_RUNS", "depth": 2, "limit": 2}


def test_a_workspace_with_as_many_steps_as_it_may_have_takes_on_no_more(
    work: Work, settings: LazySettings
) -> None:
    settings.HEDDLE_MAX_OPEN_STEPS = 100
    Run.objects.filter(id=work.run.id).update(open_steps=99)
    refuse_when_full(work.workspace_id)
    Run.objects.filter(id=work.run.id).update(open_steps=100)

    with pytest.raises(TooMuchOpenWork, match=r"100 open steps.*HEDDLE_MAX_OPEN_STEPS"):
        refuse_when_full(work.workspace_id)


@pytest.mark.parametrize("status", ["succeeded", "failed", "cancelled"])
def test_what_has_ended_does_not_count(work: Work, settings: LazySettings, status: str) -> None:
    settings.HEDDLE_MAX_OPEN_RUNS = 1
    Run.objects.update(status=status)

    refuse_when_full(work.workspace_id)


@pytest.mark.parametrize("status", ["queued", "running", "paused"])
def test_what_has_not_ended_does(work: Work, settings: LazySettings, status: str) -> None:
    settings.HEDDLE_MAX_OPEN_RUNS = 1
    Run.objects.update(status=status)

    with pytest.raises(TooMuchOpenWork):
        refuse_when_full(work.workspace_id)


def test_the_work_of_other_workspaces_does_not_count(
    work: Work, charlie: Person, settings: LazySettings
) -> None:
    settings.HEDDLE_MAX_OPEN_RUNS = 1

    refuse_when_full(charlie.workspace.id)


def test_the_refusal_says_when_to_come_back(work: Work, settings: LazySettings) -> None:
    settings.HEDDLE_MAX_OPEN_RUNS = 1
    with pytest.raises(TooMuchOpenWork) as refusal:
        refuse_when_full(work.workspace_id)

    answer = handle_error(refusal.value, {})

    assert answer is not None
    assert answer.status_code == 429
    assert answer.data["code"] == "too_much_open_work"
    assert answer.headers["Retry-After"] == "10"


def test_a_run_over_the_bound_is_refused_and_not_half_started(
    work: Work, settings: LazySettings
) -> None:
    settings.HEDDLE_MAX_OPEN_RUNS = 1

    answer = work.person.browser.post(
        f"/api/v1/workflows/{work.run.workflow_id}/runs/", {}, format="json"
    )

    assert answer.status_code == 429
    assert answer.json()["depth"] == 1
    assert answer["Retry-After"] == "10"
    assert Run.objects.count() == 1
