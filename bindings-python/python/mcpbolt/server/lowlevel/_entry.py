"""What a server says of a handler it has."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic

from ._bymethod import LifespanResultT

if TYPE_CHECKING:
    from pydantic import BaseModel

    from ..context import ServerRequestContext


@dataclass(frozen=True)
class HandlerEntry(Generic[LifespanResultT]):
    """A registered handler and the model its params are read into."""

    params_type: type[BaseModel]
    """The model."""
    handler: Callable[[ServerRequestContext[LifespanResultT, Any], Any], Awaitable[Any]]
    """The function of a context and params."""
