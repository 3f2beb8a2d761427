"""Whether a client can answer requests as tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...exceptions import McpError

if TYPE_CHECKING:
    from ....types import ClientCapabilities, ClientTasksCapability

INVALID_REQUEST = -32600


def check_tasks_capability(required: ClientTasksCapability, client: ClientTasksCapability) -> bool:
    """Whether a client has all capabilities that are required.

    Args:
        required: The capabilities that are required.
        client: The capabilities that the client declared.
    """
    if required.requests is None:
        return True
    if client.requests is None:
        return False
    wants, has = required.requests, client.requests
    if wants.elicitation is not None:
        if has.elicitation is None or (wants.elicitation.create is not None and has.elicitation.create is None):
            return False
    if wants.sampling is not None:
        if has.sampling is None or (wants.sampling.createMessage is not None and has.sampling.createMessage is None):
            return False
    return True


def has_task_augmented_elicitation(caps: ClientCapabilities) -> bool:
    """Whether the client can ask the user as a task.

    Args:
        caps: The capabilities that the client declared.
    """
    requests = caps.tasks.requests if caps.tasks else None
    return requests is not None and requests.elicitation is not None and requests.elicitation.create is not None


def has_task_augmented_sampling(caps: ClientCapabilities) -> bool:
    """Whether the client can ask its model as a task.

    Args:
        caps: The capabilities that the client declared.
    """
    requests = caps.tasks.requests if caps.tasks else None
    return requests is not None and requests.sampling is not None and requests.sampling.createMessage is not None


def require_task_augmented_elicitation(client_caps: ClientCapabilities | None) -> None:
    """Check that the client can ask the user as a task.

    Args:
        client_caps: The capabilities that the client declared; `None` if it declared none.

    Raises:
        McpError: The client cannot; code -32600.
    """
    if client_caps is None or not has_task_augmented_elicitation(client_caps):
        raise McpError(INVALID_REQUEST, "Client does not support task-augmented elicitation")


def require_task_augmented_sampling(client_caps: ClientCapabilities | None) -> None:
    """Check that the client can ask its model as a task.

    Args:
        client_caps: The capabilities that the client declared; `None` if it declared none.

    Raises:
        McpError: The client cannot; code -32600.
    """
    if client_caps is None or not has_task_augmented_sampling(client_caps):
        raise McpError(INVALID_REQUEST, "Client does not support task-augmented sampling")
