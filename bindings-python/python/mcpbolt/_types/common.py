"""common."""

from pydantic import ConfigDict, Field
from typing import Annotated, Literal, TypeAlias
from ._model import Model, OpenModel


Role: TypeAlias = Literal['user', 'assistant']

class BaseMetadata(Model):
    name: str
    title: str | None = None


class Icon(OpenModel):
    src: str
    mimeType: str | None = None
    sizes: list[str] | None = None

    @property
    def mime_type(self) -> str | None:
        return self.mimeType


class Implementation(BaseMetadata):
    model_config = ConfigDict(extra="allow")
    version: str
    websiteUrl: str | None = None
    icons: list[Icon] | None = None

    @property
    def website_url(self) -> str | None:
        return self.websiteUrl


class Annotations(OpenModel):
    audience: list[Role] | None = None
    priority: Annotated[float, Field(ge=0.0, le=1.0)] | None = None



