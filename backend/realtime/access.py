"""Who may watch what, asked at the start and again while they watch."""

from importlib import import_module
from uuid import UUID

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.utils.crypto import constant_time_compare

from backend.realtime.reading import on_thread
from backend.runs.models import Run
from backend.workspaces.models import Workspace

_engine = import_module(settings.SESSION_ENGINE)


@on_thread
def may_watch_run(user_id: UUID, run_id: UUID) -> bool:
    """Whether the run belongs to a workspace of the person."""
    return Run.objects.filter(id=run_id, workspace__members__user_id=user_id).exists()


@on_thread
def may_watch_workspace(user_id: UUID, workspace_id: UUID) -> bool:
    """Whether the person belongs to the workspace."""
    return Workspace.objects.of_user(user_id).filter(id=workspace_id).exists()


@on_thread
def may_watch_installation(user_id: UUID) -> bool:
    """Whether the person administers the installation."""
    people = get_user_model().objects
    return people.filter(id=user_id, is_active=True, is_superuser=True).exists()


@on_thread
def session_is_live(session_key: str, user_id: UUID) -> bool:
    """Whether the session still signs the person in: not signed out, password not changed."""
    session = _engine.SessionStore(session_key)
    if str(session.get(SESSION_KEY)) != str(user_id):
        return False
    user = get_user_model().objects.filter(id=user_id, is_active=True).first()
    known = session.get(HASH_SESSION_KEY, "")
    return user is not None and constant_time_compare(known, user.get_session_auth_hash())
