"""capabilities."""

from typing import Any
from ._model import OpenModel


class RootsCapability(OpenModel):
    listChanged: bool | None = None

    @property
    def list_changed(self) -> bool | None:
        return self.listChanged


class SamplingContextCapability(OpenModel):
    pass


class SamplingToolsCapability(OpenModel):
    pass


class FormElicitationCapability(OpenModel):
    pass


class UrlElicitationCapability(OpenModel):
    pass


class ElicitationCapability(OpenModel):
    form: FormElicitationCapability | None = None
    url: UrlElicitationCapability | None = None


class SamplingCapability(OpenModel):
    context: SamplingContextCapability | None = None
    tools: SamplingToolsCapability | None = None


class TasksListCapability(OpenModel):
    pass


class TasksCancelCapability(OpenModel):
    pass


class TasksCreateMessageCapability(OpenModel):
    pass


class TasksSamplingCapability(OpenModel):
    createMessage: TasksCreateMessageCapability | None = None

    @property
    def create_message(self) -> TasksCreateMessageCapability | None:
        return self.createMessage


class TasksCreateElicitationCapability(OpenModel):
    pass


class TasksElicitationCapability(OpenModel):
    create: TasksCreateElicitationCapability | None = None


class ClientTasksRequestsCapability(OpenModel):
    sampling: TasksSamplingCapability | None = None
    elicitation: TasksElicitationCapability | None = None


class ClientTasksCapability(OpenModel):
    list: TasksListCapability | None = None
    cancel: TasksCancelCapability | None = None
    requests: ClientTasksRequestsCapability | None = None


class ClientCapabilities(OpenModel):
    experimental: dict[str, dict[str, Any]] | None = None
    sampling: SamplingCapability | None = None
    elicitation: ElicitationCapability | None = None
    roots: RootsCapability | None = None
    tasks: ClientTasksCapability | None = None


class PromptsCapability(OpenModel):
    listChanged: bool | None = None

    @property
    def list_changed(self) -> bool | None:
        return self.listChanged


class ResourcesCapability(OpenModel):
    subscribe: bool | None = None
    listChanged: bool | None = None

    @property
    def list_changed(self) -> bool | None:
        return self.listChanged


class ToolsCapability(OpenModel):
    listChanged: bool | None = None

    @property
    def list_changed(self) -> bool | None:
        return self.listChanged


class LoggingCapability(OpenModel):
    pass


class CompletionsCapability(OpenModel):
    pass


class TasksCallCapability(OpenModel):
    pass


class TasksToolsCapability(OpenModel):
    call: TasksCallCapability | None = None


class ServerTasksRequestsCapability(OpenModel):
    tools: TasksToolsCapability | None = None


class ServerTasksCapability(OpenModel):
    list: TasksListCapability | None = None
    cancel: TasksCancelCapability | None = None
    requests: ServerTasksRequestsCapability | None = None


class ServerCapabilities(OpenModel):
    experimental: dict[str, dict[str, Any]] | None = None
    logging: LoggingCapability | None = None
    prompts: PromptsCapability | None = None
    resources: ResourcesCapability | None = None
    tools: ToolsCapability | None = None
    completions: CompletionsCapability | None = None
    tasks: ServerTasksCapability | None = None



