"""The types of the protocol: pydantic models, read in either spelling."""

from typing import Any

from pydantic import AnyUrl, TypeAdapter
from typing_extensions import assert_type

from mcpbolt import types

tool = types.Tool(name="a", inputSchema={"type": "object"}, _meta={"own": 1})
assert_type(tool.inputSchema, dict[str, Any])
assert_type(tool.input_schema, dict[str, Any])
assert_type(tool.meta, dict[str, Any] | None)
assert_type(tool.annotations, types.ToolAnnotations | None)
assert_type(types.Tool.model_validate({"name": "a", "inputSchema": {}}), types.Tool)
assert_type(tool.model_dump(by_alias=True, exclude_none=True), dict[str, Any])

resource = types.Resource(uri=AnyUrl("a://b"), name="b", mimeType="text/plain", size=3)
assert_type(resource.uri, AnyUrl)
assert_type(resource.mime_type, str | None)

message = types.JSONRPCMessage(types.JSONRPCRequest(jsonrpc="2.0", id=1, method="ping"))
root = message.root
if isinstance(root, types.JSONRPCRequest):
    assert_type(root.method, str)
    assert_type(root.id, int | str)
elif isinstance(root, types.JSONRPCError):
    assert_type(root.error, types.ErrorData)

blocks: TypeAdapter[list[types.ContentBlock]] = TypeAdapter(list[types.ContentBlock])
for block in blocks.validate_python([]):
    if block.type == "text":
        assert_type(block, types.TextContent)
    elif block.type == "resource_link":
        assert_type(block.uri, AnyUrl)

capabilities = types.ServerCapabilities(tools=types.ToolsCapability(listChanged=True))
assert_type(capabilities.tools, types.ToolsCapability | None)
level: types.LoggingLevel = "warning"
role: types.Role = "user"


class OwnParams(types.RequestParams):
    value: int


class OwnRequest(types.Request[OwnParams, str]):
    method: str = "own/method"
    params: OwnParams


class OwnResult(types.Result):
    doubled: int


assert_type(OwnRequest(params=OwnParams(value=1)).params.value, int)
assert_type(OwnResult(doubled=2).meta, dict[str, Any] | None)
