"""jsonrpc."""

from pydantic import RootModel
from typing import Any, Literal
from ._model import OpenModel
from .base import Notification, Request, RequestId


class ErrorData(OpenModel):
    code: int
    message: str
    data: Any | None = None


class JSONRPCRequest(Request[dict[str, Any] | None, str]):
    jsonrpc: Literal['2.0']
    id: RequestId
    method: str
    params: dict[str, Any] | None = None


class JSONRPCNotification(Notification[dict[str, Any] | None, str]):
    jsonrpc: Literal['2.0']
    params: dict[str, Any] | None = None


class JSONRPCResponse(OpenModel):
    jsonrpc: Literal['2.0']
    id: RequestId
    result: dict[str, Any]


class JSONRPCError(OpenModel):
    jsonrpc: Literal['2.0']
    id: str | int
    error: ErrorData


class JSONRPCMessage(RootModel[JSONRPCRequest | JSONRPCNotification | JSONRPCResponse | JSONRPCError]):
    pass



