"""Tasks of servers (`io.modelcontextprotocol/tasks`, 2026-07-28): tool calls that go on after they
are answered.

Owns: the extension that switches them on, a task as a program holds it, and hearing of its steps.
Must not know: how a task is followed to its end; the engine does that.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, cast

from .._engine.json import dumps, model_dict
from ._results import call_tool_result
from ._watching import ACKNOWLEDGED
from .extension import ClientExtension
from .subscriptions import Listened, listening

if TYPE_CHECKING:
    from typing_extensions import Self

    from ..types import CallToolResult
    from .client import Client
    from .session import ClientSession

__all__ = ["Task", "TaskState", "TaskWatch", "Tasks", "start_tool", "task", "watch"]

TOLD = "notifications/tasks"
FINAL = frozenset({"completed", "failed", "cancelled"})


class Tasks(ClientExtension):
    """The extension for tasks (2026-07-28): `Client(…, extensions=[Tasks()])`.

    A server may then answer a tool call with a task. `call_tool` waits until the task is over and
    returns its result; the client's callbacks answer the questions of the task. `start_tool` does
    not wait, and returns the task.
    """

    identifier = "io.modelcontextprotocol/tasks"
    # What the engine is told.
    engine_options: ClassVar[dict[str, Any]] = {"tasks": "wait"}


@dataclass(frozen=True)
class TaskState:
    """The state of a task, as the server reports it."""

    task_id: str
    """The id of the task."""
    status: str
    """`working`, `input_required`, `completed`, `failed` or `cancelled`; the last three are final."""
    created_at: str
    """When it was created, in ISO 8601."""
    last_updated_at: str
    """When it last changed, in ISO 8601."""
    status_message: str | None = None
    """A text about the progress of the work, for people; `None` without one."""
    ttl_ms: int | None = None
    """For how many milliseconds after its creation the server keeps the task; `None` for no limit."""
    poll_interval_ms: int | None = None
    """How many milliseconds the server wants clients to wait between two requests for the state; `None`
    if it does not say.
    """
    input_requests: dict[str, Any] = field(default_factory=dict[str, Any])
    """The questions that wait for an answer, by key, while the status is `input_required`."""
    result: dict[str, Any] | None = None
    """The result as JSON values, if the status is `completed`."""
    error: dict[str, Any] | None = None
    """The JSON-RPC error, if the status is `failed`."""

    @property
    def is_over(self) -> bool:
        """Whether the status is final: `completed`, `failed` or `cancelled`."""
        return self.status in FINAL

    @classmethod
    def read(cls, said: Mapping[str, Any]) -> Self:
        """Make a state from a task object of the protocol.

        Args:
            said: The task object, with the names of the protocol.

        Raises:
            KeyError: The id, the status or one of the times is missing.
        """
        return cls(
            task_id=said["taskId"],
            status=said["status"],
            created_at=said["createdAt"],
            last_updated_at=said["lastUpdatedAt"],
            status_message=said.get("statusMessage"),
            ttl_ms=said.get("ttlMs"),
            poll_interval_ms=said.get("pollIntervalMs"),
            input_requests=said.get("inputRequests") or {},
            result=said.get("result"),
            error=said.get("error"),
        )


class Task:
    """A task on a server. Where clients are not authenticated, everybody who knows its id can use
    it, so keep the id secret.

    Args:
        session: The session to ask the server on.
        task_id: The id of the task.
    """

    def __init__(self, session: ClientSession, task_id: str) -> None:
        self._session = session
        self.id: str = task_id
        """The id of the task."""

    async def get(self) -> TaskState:
        """Ask the server for the state of the task.

        Raises:
            McpError: There is no such task for this client (-32602).
        """
        return TaskState.read(await self._session.ask("tasks/get", self._params()))

    async def update(self, answers: Mapping[str, Any]) -> None:
        """Answer questions of the task, those in `input_requests` of its state.

        Args:
            answers: The answers, by the keys of the questions: models such as `ElicitResult`, or
                JSON objects. Answers to other keys are ignored.

        Raises:
            McpError: There is no such task for this client (-32602).
        """
        plain = {key: _plain(value) for key, value in answers.items()}
        await self._session.ask("tasks/update", self._params(inputResponses=plain))

    async def cancel(self) -> None:
        """Cancel the task. Does nothing if it is over.

        Raises:
            McpError: There is no such task for this client (-32602).
        """
        await self._session.ask("tasks/cancel", self._params())

    async def wait(self) -> CallToolResult:
        """Wait until the task is over and return its result. The client's callbacks answer its
        questions.

        Raises:
            McpError: The task failed with an error, or was cancelled.
        """
        answer = await self._session.ask("tasks/get", self._params(), more={"task": "wait"})
        return call_tool_result(answer, self._session.models)

    def _params(self, **more: Any) -> str:
        return dumps({"taskId": self.id, **more})


def _plain(value: Any) -> Any:
    return cast("Any", value) if isinstance(value, dict) else model_dict(value)


def _session_of(client: Client | ClientSession) -> ClientSession:
    return cast("ClientSession", getattr(client, "session", client))


def task(client: Client | ClientSession, task_id: str) -> Task:
    """A task that was started earlier, perhaps by another process. Nothing is sent.

    Args:
        client: A client with the extension `Tasks`, or its session.
        task_id: The id of the task.
    """
    return Task(_session_of(client), task_id)


async def start_tool(
    client: Client | ClientSession, name: str, arguments: Mapping[str, Any] | None = None
) -> CallToolResult | Task:
    """Call a tool. If the server makes a task of the call, the task is returned without waiting for
    its end; else the result.

    Args:
        client: A client with the extension `Tasks`, or its session.
        name: The tool's name.
        arguments: The arguments by name. Default: none.

    Raises:
        McpError: The server answered with an error, or did not answer in time.
    """
    session = _session_of(client)
    params = {"name": name, "arguments": dict(arguments or {})}
    answer = await session.ask("tools/call", dumps(params), more={"task": "raw"})
    if answer.get("resultType") == "task":
        return Task(session, answer["taskId"])
    return call_tool_result(answer, session.models)


class TaskWatch(Listened):
    """The new states of some tasks, as they change; iterate over it with `async for`. If a task
    changes faster than its states are read, only the newest is kept. The loop ends when the server
    ends the stream.
    """

    _broke = "the stream of task steps broke: listen again, and get the tasks"

    def __init__(self) -> None:
        super().__init__()
        self.task_ids: list[str] = []
        """The ids of the tasks that the server reports: those that belong to this client."""

    def __aiter__(self) -> TaskWatch:
        return self

    async def __anext__(self) -> TaskState:
        """Wait for the next change of a task.

        Raises:
            SubscriptionLost: The stream broke.
        """
        await self._waiting()
        state: TaskState = self._pending.pop(next(iter(self._pending)))
        return state

    def take(self, method: str, params: Any) -> None:
        """Handle a notification that came on the stream. `watch` calls it.

        Args:
            method: The method of the notification; those that are not about tasks are ignored.
            params: The params.
        """
        if method == ACKNOWLEDGED:
            kinds: dict[str, Any] = params.get("notifications") or {}
            self.task_ids = list(kinds.get("taskIds") or ())
            self._acknowledged.set()
        elif method == TOLD:
            state = TaskState.read(params)
            self._pending[state.task_id] = state
            self._wake.set()


@asynccontextmanager
async def watch(client: Client | ClientSession, task_ids: Sequence[str]) -> AsyncGenerator[TaskWatch, None]:
    """Have the server report changes of tasks while the context is open, instead of asking for their
    states.

    Args:
        client: A client with the extension `Tasks`, or its session.
        task_ids: The ids of the tasks. Tasks that do not belong to this client are not reported.

    Raises:
        ListenNotSupportedError: The connection uses an older revision than 2026-07-28.
        McpError: The server refused.
        TimeoutError: The server did not acknowledge in time.
    """
    wanted = {"taskIds": list(task_ids)}
    async with listening(_session_of(client), TaskWatch(), wanted) as steps:
        yield steps
