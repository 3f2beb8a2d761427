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
from .extension import ClientExtension
from .subscriptions import ACKNOWLEDGED, Listened, listening

if TYPE_CHECKING:
    from typing_extensions import Self

    from ..types import CallToolResult
    from .client import Client
    from .session import ClientSession

__all__ = ["Task", "TaskState", "TaskWatch", "Tasks", "start_tool", "task", "watch"]

TOLD = "notifications/tasks"
FINAL = frozenset({"completed", "failed", "cancelled"})


class Tasks(ClientExtension):
    """Switches tasks on: `Client(…, extensions=[Tasks()])`.

    A server may then answer a tool call with a task. `call_tool` goes on until the task is over and
    returns its result; what the task asks meanwhile goes to the client's callbacks. `start_tool`
    returns a handle instead.
    """

    identifier = "io.modelcontextprotocol/tasks"
    # What the engine is told.
    engine_options: ClassVar[dict[str, Any]] = {"tasks": "wait"}


@dataclass(frozen=True)
class TaskState:
    """What a server says of a task."""

    task_id: str
    """Its id."""
    status: str
    """`working`, `input_required`, `completed`, `failed` or `cancelled`; the last three are final."""
    created_at: str
    """When it was created, in ISO 8601."""
    last_updated_at: str
    """When it last changed, in ISO 8601."""
    status_message: str | None = None
    """How the work gets on, for people."""
    ttl_ms: int | None = None
    """Milliseconds from its creation for which the server keeps it; `None`: without end."""
    poll_interval_ms: int | None = None
    """Milliseconds between two questions how it stands, as the server wishes."""
    input_requests: dict[str, Any] = field(default_factory=dict[str, Any])
    """What it asks and has no answer to, by key, while it is `input_required`."""
    result: dict[str, Any] | None = None
    """What came of it, once it is `completed`."""
    error: dict[str, Any] | None = None
    """The JSON-RPC error it failed with, once it is `failed`."""

    @property
    def is_over(self) -> bool:
        """Whether nothing can follow."""
        return self.status in FINAL

    @classmethod
    def read(cls, said: Mapping[str, Any]) -> Self:
        """Make one of what a server said.

        Args:
            said: The task, with the members' names as on the wire.

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
    """A task at a server. Who has its id can ask for it: it is a secret where clients are not told
    apart.

    Args:
        session: The session that asks for it.
        task_id: The task's id.
    """

    def __init__(self, session: ClientSession, task_id: str) -> None:
        self._session = session
        self.id: str = task_id
        """The task's id."""

    async def get(self) -> TaskState:
        """How it stands.

        Raises:
            McpError: There is no such task for this client (-32602).
        """
        return TaskState.read(await self._session.ask("tasks/get", self._params()))

    async def update(self, answers: Mapping[str, Any]) -> None:
        """Answer questions of the work.

        Args:
            answers: The answers, by the keys of the questions: models such as `ElicitResult`, or
                JSON objects. Answers to nothing that is asked change nothing.

        Raises:
            McpError: There is no such task for this client (-32602).
        """
        plain = {key: _plain(value) for key, value in answers.items()}
        await self._session.ask("tasks/update", self._params(inputResponses=plain))

    async def cancel(self) -> None:
        """Give it up. Does nothing once it is over."""
        await self._session.ask("tasks/cancel", self._params())

    async def wait(self) -> CallToolResult:
        """Wait for its end; the client's callbacks answer what it asks.

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
    """A task that was started before, perhaps by another process. Nothing is sent.

    Args:
        client: A client with the extension `Tasks`, or its session.
        task_id: The task's id.
    """
    return Task(_session_of(client), task_id)


async def start_tool(
    client: Client | ClientSession, name: str, arguments: Mapping[str, Any] | None = None
) -> CallToolResult | Task:
    """Call a tool, without waiting for the end where it goes on as a task.

    Args:
        client: A client with the extension `Tasks`, or its session.
        name: The tool's name.
        arguments: The tool's arguments. Default: none.
    """
    session = _session_of(client)
    params = {"name": name, "arguments": dict(arguments or {})}
    answer = await session.ask("tools/call", dumps(params), more={"task": "raw"})
    if answer.get("resultType") == "task":
        return Task(session, answer["taskId"])
    return call_tool_result(answer, session.models)


class TaskWatch(Listened):
    """The steps of some tasks; iterate over it with `async for`. Of each task only the newest state
    waits to be read. The loop ends when the server ends the stream.
    """

    _broke = "the stream of task steps broke: listen again, and get the tasks"

    def __init__(self) -> None:
        super().__init__()
        self.task_ids: list[str] = []
        """The tasks that the server tells of: those of them that are this client's."""

    def __aiter__(self) -> TaskWatch:
        return self

    async def __anext__(self) -> TaskState:
        """Wait for the next step.

        Raises:
            SubscriptionLost: The stream broke without the server having ended it.
        """
        await self._waiting()
        state: TaskState = self._pending.pop(next(iter(self._pending)))
        return state

    def take(self, method: str, params: Any) -> None:
        """Handle a notification that came on the stream. `watch` calls it.

        Args:
            method: The notification's method; others than those of tasks are ignored.
            params: Its parameters.
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
    """Hear of the steps of tasks while the context is open, instead of asking for them.

    Args:
        client: A client with the extension `Tasks`, or its session.
        task_ids: The tasks' ids. Of those that are not this client's nothing is told.

    Raises:
        ListenNotSupportedError: The connection uses a revision of the legacy era.
        McpError: The server refused.
        TimeoutError: The server's acknowledgement did not come in time.
    """
    wanted = {"taskIds": list(task_ids)}
    async with listening(_session_of(client), TaskWatch(), wanted) as steps:
        yield steps
