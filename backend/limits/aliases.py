"""Steps that use the default credential or model name it so; this tells which one that is now."""

from collections.abc import Iterable, Mapping
from uuid import UUID

from backend.api.sql import query

#: A limit, as it is unique in the installation: workspace and step key.
Place = tuple[UUID, str]
Aliases = Mapping[Place, Place]

ENDPOINTS = """
SELECT workspace_id, id, is_default, COALESCE(NULLIF(default_model, ''), model_names->>0)
FROM credentials_credential WHERE kind = 'openai' AND workspace_id = ANY(%s)
"""


def aliases(workspace_ids: Iterable[UUID]) -> Aliases:
    """Tell what `credential:default`, `model:default` and `model:default:<credential>` mean."""
    ids = list(set(workspace_ids))
    found: dict[Place, Place] = {}
    for workspace_id, credential_id, is_default, model in query(ENDPOINTS, [ids]) if ids else ():
        meant = {f"model:default:{credential_id}": f"model:{model}"} if model else {}
        if is_default:
            meant["credential:default"] = f"credential:{credential_id}"
        if is_default and model:
            meant["model:default"] = f"model:{model}"
        found.update({(workspace_id, alias): (workspace_id, key) for alias, key in meant.items()})
    return found


def aliases_in(places: Iterable[Place]) -> Aliases:
    """The same, as far as any of these places needs it."""
    return aliases(workspace_id for workspace_id, key in places if is_alias(key))


def is_alias(key: str) -> bool:
    """Whether a step key names what is the default."""
    return key in ("credential:default", "model:default") or key.startswith("model:default:")
