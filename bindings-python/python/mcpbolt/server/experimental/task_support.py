"""What a server needs to run tasks: a store, a queue, who answers, and where the work runs.

Owns: these parts, and the life of the work. Must not know: servers, or how a session sends.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from anyio import create_task_group

from ...shared.experimental.tasks.in_memory_task_store import InMemoryTaskStore
from ...shared.experimental.tasks.message_queue import InMemoryTaskMessageQueue, TaskMessageQueue
from ...shared.experimental.tasks.store import TaskStore
from .task_result_handler import TaskResultHandler
from .task_scope import new_session_scope

if TYPE_CHECKING:
    from anyio.abc import TaskGroup


def _no_groups() -> list[TaskGroup]:
    return []


@dataclass
class TaskSupport:
    """The parts with which a server runs tasks."""

    store: TaskStore
    """Where tasks are stored."""
    queue: TaskMessageQueue
    """Where messages of tasks wait for their client."""
    handler: TaskResultHandler = field(init=False)
    """What answers `tasks/result`."""
    # One for each run of the server that goes on, the newest last.
    _groups: list[TaskGroup] = field(init=False, repr=False, default_factory=_no_groups)

    def __post_init__(self) -> None:
        self.handler = TaskResultHandler(self.store, self.queue)

    @property
    def task_group(self) -> TaskGroup:
        """Where the work of tasks runs.

        Raises:
            RuntimeError: The server does not run.
        """
        if not self._groups:
            raise RuntimeError("TaskSupport not running. Ensure Server.run() is active.")
        return self._groups[-1]

    @asynccontextmanager
    async def run(self) -> AsyncGenerator[None, None]:
        """Run the work of tasks inside the context. At its end work goes on until it is done, but
        gets no answers any more if no other run goes on; `Server.run()` does this. An exception
        ends the work.
        """
        failure: Exception | None = None
        async with create_task_group() as group:
            self._groups.append(group)
            self.handler.give_up(None)
            try:
                yield
            except Exception as error:
                # The group would raise it inside a group of exceptions.
                failure = error
                group.cancel_scope.cancel()
            finally:
                self._groups.remove(group)
                if not self._groups:
                    self.handler.give_up("Connection closed")
        if failure is not None:
            raise failure

    def configure_session(self, session: Any, *, stateless: bool = False) -> None:
        """Prepare a session for tasks: the client's answers find their way to the work, and the
        session gets a scope, by which only its own client is given its tasks. May be called again.

        Args:
            session: The session.
            stateless: Whether each request of the client has a session of its own. These get no
                scope: the next request could not use the task. Default: no.
        """
        session.add_response_router(self.handler)
        tasks = session._experimental
        if not stateless and tasks.task_session_scope is None:
            tasks.task_session_scope = new_session_scope()

    @classmethod
    def in_memory(cls) -> TaskSupport:
        """Make the parts for a server whose tasks are kept in the memory of this process."""
        return cls(store=InMemoryTaskStore(), queue=InMemoryTaskMessageQueue())
