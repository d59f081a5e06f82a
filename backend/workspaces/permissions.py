"""Which workspace a request is about, and whether its sender may do it there."""

from typing import Any
from uuid import UUID

from django.http import Http404
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from backend.workspaces.models import Workspace
from backend.workspaces.principal import KeyIdentity, Principal, Scope

WORKSPACE_HEADER = "Heddle-Workspace"
#: Where a request remembers who sent it.
PRINCIPAL = "heddle_principal"


def principal_of(request: Request) -> Principal:
    """Tell who asks and for which workspace.

    Raises:
        Http404: The named workspace is not one of theirs.
        NotAuthenticated: Nobody is signed in.
    """
    known: Principal | None = getattr(request, PRINCIPAL, None)
    if known is None:
        known = _principal_from_key(request) or _principal_from_session(request)
        setattr(request, PRINCIPAL, known)
    return known


def _principal_from_key(request: Request) -> Principal | None:
    identity = request.auth
    if not isinstance(identity, KeyIdentity):
        return None
    named = _named_workspace(request)
    if named is not None and named != identity.workspace_id:
        raise Http404
    return Principal(
        workspace_id=identity.workspace_id,
        user_id=_person(request),
        is_admin=bool(getattr(request.user, "is_admin", False)),
        scopes=identity.scopes,
        api_key_id=identity.api_key_id,
    )


def _principal_from_session(request: Request) -> Principal:
    if not request.user.is_authenticated:
        raise NotAuthenticated
    workspaces = Workspace.objects.of_user(_person(request))
    named = _named_workspace(request)
    if named is not None:
        workspaces = workspaces.filter(id=named)
    workspace_id = workspaces.values_list("id", flat=True).first()
    if workspace_id is None:
        raise Http404
    return Principal(
        workspace_id=workspace_id,
        user_id=_person(request),
        is_admin=bool(getattr(request.user, "is_admin", False)),
    )


def _person(request: Request) -> UUID:
    user_id: UUID = request.user.pk  # type: ignore[assignment]
    return user_id


def _named_workspace(request: Request) -> UUID | None:
    name = request.headers.get(WORKSPACE_HEADER)
    if not name:
        return None
    try:
        return UUID(name)
    except ValueError as error:
        raise Http404 from error


class InWorkspace(BasePermission):
    """A signed-in person in a workspace of theirs, or a key with the scope that the view needs.

    Reading needs `read`; anything else needs the view's `unsafe_scope`, which is `write` unless
    the view says otherwise.
    """

    message = "This API key has not the scope for this."

    def has_permission(self, request: Request, view: Any) -> bool:
        """Check identity, workspace and scope."""
        if not request.user.is_authenticated:
            return False
        safe = request.method in SAFE_METHODS
        needed = Scope.READ if safe else getattr(view, "unsafe_scope", Scope.WRITE)
        return needed in principal_of(request).scopes


class InBrowser(InWorkspace):
    """The same for people alone: a stolen key must not be able to make others."""

    message = "Sign in with a browser to do this; API keys may not."

    def has_permission(self, request: Request, view: Any) -> bool:
        """Check that no key asks."""
        return not isinstance(request.auth, KeyIdentity) and super().has_permission(request, view)


class IsInstallationAdmin(BasePermission):
    """An administrator of the installation, signed in with a browser."""

    message = "Only administrators of this installation may see this."

    def has_permission(self, request: Request, view: Any) -> bool:
        """Check the person, never a key acting for them."""
        by_key = isinstance(request.auth, KeyIdentity)
        return bool(getattr(request.user, "is_admin", False)) and not by_key
