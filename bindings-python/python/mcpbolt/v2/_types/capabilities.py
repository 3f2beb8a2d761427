"""What each side can do.

Written by `cargo xtask generate`; do not edit.
"""

from typing import Any

from ._model import Model


class RootsCapability(Model):
    """`roots`.

    .. deprecated:: 2026-07-28
       roots, SEP-2577; earliest removal 2027-07-28. Pass folders and files as tool parameters,
       resource URIs or settings of the server.
    """

    list_changed: bool | None = None
    """Whether changes of the list are announced (before 2026-07-28)."""


class SamplingContextCapability(Model):
    """The client takes `includeContext` values other than `none`."""


class SamplingToolsCapability(Model):
    """The client lets models use tools."""


class FormElicitationCapability(Model):
    """The client shows forms."""


class UrlElicitationCapability(Model):
    """The client asks the user to visit URLs."""


class ElicitationCapability(Model):
    """`elicitation`; modes since 2025-11-25. Without a mode it means forms."""

    form: FormElicitationCapability | None = None
    """Forms."""
    url: UrlElicitationCapability | None = None
    """URLs the user opens."""


class SamplingCapability(Model):
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


class TasksListCapability(Model):
    """Lists of tasks. 2025-11-25 only."""


class TasksCancelCapability(Model):
    """Cancelling tasks. 2025-11-25 only."""


class TasksCreateMessageCapability(Model):
    """Sampling as a task. 2025-11-25 only."""


class TasksSamplingCapability(Model):
    """Which sampling requests may be tasks. 2025-11-25 only."""

    create_message: TasksCreateMessageCapability | None = None
    """`sampling/createMessage`."""


class TasksCreateElicitationCapability(Model):
    """Elicitation as a task. 2025-11-25 only."""


class TasksElicitationCapability(Model):
    """Which elicitations may be tasks. 2025-11-25 only."""

    create: TasksCreateElicitationCapability | None = None
    """`elicitation/create`."""


class ClientTasksRequestsCapability(Model):
    """Which requests to the client may be tasks. 2025-11-25 only."""

    sampling: TasksSamplingCapability | None = None
    """Sampling."""
    elicitation: TasksElicitationCapability | None = None
    """Elicitation."""


class ClientTasksCapability(Model):
    """What the client can do with tasks. 2025-11-25 only."""

    list: TasksListCapability | None = None
    """It answers `tasks/list`."""
    cancel: TasksCancelCapability | None = None
    """It answers `tasks/cancel`."""
    requests: ClientTasksRequestsCapability | None = None
    """What may be a task."""


class ClientCapabilities(Model):
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
    extensions: dict[str, dict[str, Any]] | None = None
    """Extensions by identifier, with their settings."""
    tasks: ClientTasksCapability | None = None
    """It runs requests as tasks. 2025-11-25 only."""


class UnsupportedProtocolVersionErrorData(Model):
    """What comes with the error for a revision that the server does not speak. Since
    2026-07-28.
    """

    supported: list[str]
    """The revisions it speaks."""
    requested: str
    """The one that was asked for."""


class MissingRequiredClientCapabilityErrorData(Model):
    """What comes with the error for a capability that the client did not declare. Since
    2026-07-28.
    """

    required_capabilities: ClientCapabilities
    """The capabilities the server needs."""


class PromptsCapability(Model):
    """A capability with nothing but a change notification: `tools`, `prompts`."""

    list_changed: bool | None = None
    """Whether changes of the list are announced."""


class ResourcesCapability(Model):
    """`resources`."""

    subscribe: bool | None = None
    """Whether changes of single resources are announced."""
    list_changed: bool | None = None
    """Whether changes of the list are announced."""


class ToolsCapability(Model):
    """A capability with nothing but a change notification: `tools`, `prompts`."""

    list_changed: bool | None = None
    """Whether changes of the list are announced."""


class LoggingCapability(Model):
    """The server sends log messages."""


class CompletionsCapability(Model):
    """The server completes arguments."""


class TasksCallCapability(Model):
    """Tool calls as tasks. 2025-11-25 only."""


class TasksToolsCapability(Model):
    """Which tool requests may be tasks. 2025-11-25 only."""

    call: TasksCallCapability | None = None
    """`tools/call`."""


class ServerTasksRequestsCapability(Model):
    """Which requests to the server may be tasks. 2025-11-25 only."""

    tools: TasksToolsCapability | None = None
    """Tools."""


class ServerTasksCapability(Model):
    """What the server can do with tasks. 2025-11-25 only."""

    list: TasksListCapability | None = None
    """It answers `tasks/list`."""
    cancel: TasksCancelCapability | None = None
    """It answers `tasks/cancel`."""
    requests: ServerTasksRequestsCapability | None = None
    """What may be a task."""


class ServerCapabilities(Model):
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
    extensions: dict[str, dict[str, Any]] | None = None
    """Extensions by identifier, with their settings."""
    tasks: ServerTasksCapability | None = None
    """It runs requests as tasks. 2025-11-25 only."""
