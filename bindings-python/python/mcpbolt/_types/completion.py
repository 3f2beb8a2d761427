"""completion."""

from pydantic import ConfigDict
from typing import Literal
from typing_extensions import deprecated
from ._model import OpenModel
from .base import Request, RequestParams, Result


class ResourceTemplateReference(OpenModel):
    type: Literal['ref/resource']
    uri: str


@deprecated("`ResourceReference` is deprecated, you should use `ResourceTemplateReference`.")
class ResourceReference(ResourceTemplateReference):
    pass


class PromptReference(OpenModel):
    type: Literal['ref/prompt']
    name: str


class CompletionArgument(OpenModel):
    name: str
    value: str


class CompletionContext(OpenModel):
    arguments: dict[str, str] | None = None


class CompleteRequestParams(RequestParams):
    model_config = ConfigDict(extra="allow")
    ref: ResourceTemplateReference | PromptReference
    argument: CompletionArgument
    context: CompletionContext | None = None


class CompleteRequest(Request[CompleteRequestParams, Literal['completion/complete']]):
    method: Literal['completion/complete'] = 'completion/complete'
    params: CompleteRequestParams


class Completion(OpenModel):
    values: list[str]
    total: int | None = None
    hasMore: bool | None = None

    @property
    def has_more(self) -> bool | None:
        return self.hasMore


class CompleteResult(Result):
    completion: Completion



