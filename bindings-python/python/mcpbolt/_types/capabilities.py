"""What each side can do.

Written by `cargo xtask generate`; do not edit.
"""

from typing import Any, ClassVar

from ._model import OpenModel


class RootsCapability(OpenModel):
    """`roots`.

    .. deprecated:: 2026-07-28
       roots, SEP-2577; earliest removal 2027-07-28. Pass folders and files as tool parameters,
       resource URIs or settings of the server.
    """

    listChanged: bool | None = None
    """Whether changes of the list are announced (before 2026-07-28)."""

    @property
    def list_changed(self) -> bool | None:
        """`listChanged`."""
        return self.listChanged


class SamplingContextCapability(OpenModel):
    """The client takes `includeContext` values other than `none`."""


class SamplingToolsCapability(OpenModel):
    """The client lets models use tools."""


class FormElicitationCapability(OpenModel):
    """The client shows forms."""


class UrlElicitationCapability(OpenModel):
    """The client asks the user to visit URLs."""


class ElicitationCapability(OpenModel):
    """`elicitation`; modes since 2025-11-25. Without a mode it means forms."""

    form: FormElicitationCapability | None = None
    """Forms."""
    url: UrlElicitationCapability | None = None
    """URLs the user opens."""


class SamplingCapability(OpenModel):
    """`sampling`; sub-capabilities since 2025-11-25.

    .. deprecated:: 2026-07-28
       sampling, SEP-2577; earliest removal 2027-07-28. Call the model's provider from the
       server.
    """

    context: SamplingContextCapability | None = None
    """`includeContext` other than `none`.

    .. deprecated:: 2025-11-25
       includeContext, SEP-2596; earliest removal 2027-07-28. Leave it out, or say `none`.
    """
    tools: SamplingToolsCapability | None = None
    """`tools` and `toolChoice`."""


class TasksListCapability(OpenModel):
    """Lists of tasks. 2025-11-25 only."""


class TasksCancelCapability(OpenModel):
    """Cancelling tasks. 2025-11-25 only."""


class TasksCreateMessageCapability(OpenModel):
    """Sampling as a task. 2025-11-25 only."""


class TasksSamplingCapability(OpenModel):
    """Which sampling requests may be tasks. 2025-11-25 only."""

    createMessage: TasksCreateMessageCapability | None = None
    """`sampling/createMessage`."""

    @property
    def create_message(self) -> TasksCreateMessageCapability | None:
        """`createMessage`."""
        return self.createMessage


class TasksCreateElicitationCapability(OpenModel):
    """Elicitation as a task. 2025-11-25 only."""


class TasksElicitationCapability(OpenModel):
    """Which elicitations may be tasks. 2025-11-25 only."""

    create: TasksCreateElicitationCapability | None = None
    """`elicitation/create`."""


class ClientTasksRequestsCapability(OpenModel):
    """Which requests to the client may be tasks. 2025-11-25 only."""

    sampling: TasksSamplingCapability | None = None
    """Sampling."""
    elicitation: TasksElicitationCapability | None = None
    """Elicitation."""


class ClientTasksCapability(OpenModel):
    """What the client can do with tasks. 2025-11-25 only."""

    list: TasksListCapability | None = None
    """It answers `tasks/list`."""
    cancel: TasksCancelCapability | None = None
    """It answers `tasks/cancel`."""
    requests: ClientTasksRequestsCapability | None = None
    """What may be a task."""


class ClientCapabilities(OpenModel):
    """What a client can do."""

    experimental: dict[str, dict[str, Any]] | None = None
    """Unofficial features by name."""
    sampling: SamplingCapability | None = None
    """It can ask a model (deprecated since 2026-07-28, SEP-2577).

    .. deprecated:: 2026-07-28
       sampling, SEP-2577; earliest removal 2027-07-28. Call the model's provider from the
       server.
    """
    elicitation: ElicitationCapability | None = None
    """It can ask its user, since 2025-06-18."""
    roots: RootsCapability | None = None
    """It has roots (deprecated since 2026-07-28, SEP-2577).

    .. deprecated:: 2026-07-28
       roots, SEP-2577; earliest removal 2027-07-28. Pass folders and files as tool parameters,
       resource URIs or settings of the server.
    """
    tasks: ClientTasksCapability | None = None
    """It runs requests as tasks. 2025-11-25 only."""

    __later__: ClassVar[tuple[str, ...]] = ("extensions",)

    @property
    def extensions(self) -> dict[str, Any] | None:
        """Extensions by identifier, with their settings."""
        value: dict[str, Any] | None = self.__later_value__("extensions")
        return value


class PromptsCapability(OpenModel):
    """A capability with nothing but a change notification: `tools`, `prompts`."""

    listChanged: bool | None = None
    """Whether changes of the list are announced."""

    @property
    def list_changed(self) -> bool | None:
        """`listChanged`."""
        return self.listChanged


class ResourcesCapability(OpenModel):
    """`resources`."""

    subscribe: bool | None = None
    """Whether changes of single resources are announced."""
    listChanged: bool | None = None
    """Whether changes of the list are announced."""

    @property
    def list_changed(self) -> bool | None:
        """`listChanged`."""
        return self.listChanged


class ToolsCapability(OpenModel):
    """A capability with nothing but a change notification: `tools`, `prompts`."""

    listChanged: bool | None = None
    """Whether changes of the list are announced."""

    @property
    def list_changed(self) -> bool | None:
        """`listChanged`."""
        return self.listChanged


class LoggingCapability(OpenModel):
    """The server sends log messages."""


class CompletionsCapability(OpenModel):
    """The server completes arguments."""


class TasksCallCapability(OpenModel):
    """Tool calls as tasks. 2025-11-25 only."""


class TasksToolsCapability(OpenModel):
    """Which tool requests may be tasks. 2025-11-25 only."""

    call: TasksCallCapability | None = None
    """`tools/call`."""


class ServerTasksRequestsCapability(OpenModel):
    """Which requests to the server may be tasks. 2025-11-25 only."""

    tools: TasksToolsCapability | None = None
    """Tools."""


class ServerTasksCapability(OpenModel):
    """What the server can do with tasks. 2025-11-25 only."""

    list: TasksListCapability | None = None
    """It answers `tasks/list`."""
    cancel: TasksCancelCapability | None = None
    """It answers `tasks/cancel`."""
    requests: ServerTasksRequestsCapability | None = None
    """What may be a task."""


class ServerCapabilities(OpenModel):
    """What a server can do."""

    experimental: dict[str, dict[str, Any]] | None = None
    """Unofficial features by name."""
    logging: LoggingCapability | None = None
    """It sends log messages (deprecated since 2026-07-28, SEP-2577).

    .. deprecated:: 2026-07-28
       logging, SEP-2577; earliest removal 2027-07-28. Write to stderr on stdio; use
       OpenTelemetry elsewhere.
    """
    prompts: PromptsCapability | None = None
    """It has prompts."""
    resources: ResourcesCapability | None = None
    """It has resources."""
    tools: ToolsCapability | None = None
    """It has tools."""
    completions: CompletionsCapability | None = None
    """It completes arguments, since 2025-03-26."""
    tasks: ServerTasksCapability | None = None
    """It runs requests as tasks. 2025-11-25 only."""

    __later__: ClassVar[tuple[str, ...]] = ("extensions",)

    @property
    def extensions(self) -> dict[str, Any] | None:
        """Extensions by identifier, with their settings."""
        value: dict[str, Any] | None = self.__later_value__("extensions")
        return value
