"""`mcpbolt.types` beside the official `mcp.types` 1.30, where that is installed."""

import inspect
import json
from typing import Any, get_args

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

import mcpbolt.types as ours

official = pytest.importorskip("mcp.types", reason="the official package is not installed")
if official.LATEST_PROTOCOL_VERSION != "2025-11-25":
    pytest.skip("the official package is not 1.30", allow_module_level=True)


def is_model(value: Any) -> bool:
    return inspect.isclass(value) and issubclass(value, BaseModel)


NAMES = sorted(name for name in dir(official) if not name.startswith("_") and "[" not in name)
MODELS = [name for name in NAMES if is_model(getattr(official, name))]
UNIONS = [name for name in NAMES if get_args(getattr(official, name)) and name not in MODELS]


@pytest.mark.parametrize("name", NAMES)
def test_every_official_name_exists(name: str) -> None:
    theirs, mine = getattr(official, name), getattr(ours, name)
    assert type(theirs) is type(mine)
    if isinstance(theirs, (str, int)):
        assert mine == theirs


# What ours take beyond the official ones: values that a peer of the modern era sends.
WIDER: dict[tuple[str, str], dict[str, Any]] = {
    ("ElicitRequestURLParams", "elicitationId"): {
        "anyOf": [{"type": "string"}, {"type": "null"}],
        "default": None,
        "title": "Elicitationid",
    },
    ("CallToolResult", "structuredContent"): {"default": None, "title": "Structuredcontent"},
    ("ToolResultContent", "structuredContent"): {"default": None, "title": "Structuredcontent"},
}


def shape(model: type[BaseModel]) -> list[Any]:
    return [
        (name, field.alias, field.validation_alias)
        + ((False, None) if (model.__name__, name) in WIDER else (field.is_required(), field.get_default()))
        for name, field in model.model_fields.items()
    ]


@pytest.mark.parametrize("name", MODELS)
def test_fields_have_the_same_names_order_aliases_and_defaults(name: str) -> None:
    assert shape(getattr(ours, name)) == shape(getattr(official, name))


def bare(schema: Any) -> Any:
    """Without descriptions, which are our own words."""
    if isinstance(schema, dict):
        return {k: bare(v) for k, v in schema.items() if k != "description" or not isinstance(v, str)}
    return [bare(v) for v in schema] if isinstance(schema, list) else schema


def widened(schema: Any) -> Any:
    """The official schema with what ours take beyond it. Each change must be one."""
    if isinstance(schema, list):
        return [widened(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    schema = {name: widened(part) for name, part in schema.items()}
    for (model, field), wider in WIDER.items():
        if schema.get("title") == model and "properties" in schema:
            assert schema["properties"][field] != wider, f"{model}.{field} is no wider than the official one"
            schema["properties"][field] = wider
            if field in schema.get("required", []):
                schema["required"] = [name for name in schema["required"] if name != field]
    return schema


@pytest.mark.parametrize("mode", ["validation", "serialization"])
@pytest.mark.parametrize("name", MODELS + UNIONS)
def test_json_schemas_are_equal(name: str, mode: Any) -> None:
    try:
        expected = TypeAdapter(getattr(official, name)).json_schema(mode=mode)
    except Exception as why:  # callables have no schema, here as there
        with pytest.raises(type(why)):
            TypeAdapter(getattr(ours, name)).json_schema(mode=mode)
        return
    found = TypeAdapter(getattr(ours, name)).json_schema(mode=mode)
    assert json.dumps(bare(found), indent=1) == json.dumps(widened(bare(expected)), indent=1)


@pytest.mark.parametrize("name", MODELS)
def test_configuration_and_ancestry_are_the_same(name: str) -> None:
    theirs, mine = getattr(official, name), getattr(ours, name)
    assert mine.model_config.get("extra", "ignore") == theirs.model_config.get("extra", "ignore")
    mine_known = {base.__name__ for base in mine.__mro__}
    assert {base.__name__ for base in theirs.__mro__ if base.__module__ == "mcp.types"} <= mine_known


ICON = {"src": "data:,", "sizes": ["any"], "theme": "dark"}
TEXT = {"type": "text", "text": "x", "annotations": {"audience": ["user"], "priority": 1, "new": 2}}
TOOL = {
    "name": "t",
    "title": "T",
    "inputSchema": {"type": "object", "properties": {"a": {"default": None}}},
    "icons": [ICON],
    "annotations": {"readOnlyHint": True},
    "execution": {"taskSupport": "optional"},
    "_meta": {"a/b": [1, None]},
    "later": {"x": 1},
}
RESOURCE = {"uri": "https://h", "name": "r", "size": 3, "mimeType": "a/b"}
TASK = {"taskId": "1", "status": "working", "createdAt": "2025-11-25T10:00:00Z", "lastUpdatedAt": "2025-11-25T10:00:00.5+02:00", "ttl": None}
CORPUS: list[tuple[str, Any]] = [
    ("Tool", TOOL),
    ("ListToolsResult", {"tools": [TOOL], "nextCursor": "c", "ttlMs": 5}),
    ("CallToolRequest", {"method": "tools/call", "params": {"name": "t", "arguments": {"a": None}, "_meta": {"progressToken": 1}}}),
    ("CallToolResult", {"content": [TEXT, {"type": "resource_link", **RESOURCE}], "structuredContent": {"a": 1}}),
    ("CallToolResult", {"content": [], "isError": True, "_meta": {}}),
    ("CallToolResult", {"content": [{"type": "resource", "resource": {"uri": "a:b", "blob": "AA=="}}]}),
    ("ReadResourceResult", {"contents": [{"uri": "file:///x", "text": "é"}, {"uri": "x:y", "blob": ""}]}),
    ("ListResourcesResult", {"resources": [RESOURCE]}),
    ("GetPromptResult", {"messages": [{"role": "user", "content": TEXT}], "description": "d"}),
    ("InitializeResult", {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}, "x": 1}, "serverInfo": {"name": "s", "version": "1"}}),
    ("InitializeRequest", {"params": {"protocolVersion": 1, "capabilities": {"roots": {"listChanged": True}}, "clientInfo": {"name": "c", "version": "1", "description": "d"}}}),
    ("SamplingMessage", {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "t", "input": {}}]}),
    ("CreateMessageRequest", {"params": {"messages": [{"role": "user", "content": TEXT}], "maxTokens": 5, "tools": [TOOL], "temperature": 0}}),
    ("CreateMessageResultWithTools", {"role": "assistant", "model": "m", "content": {"type": "tool_result", "toolUseId": "1"}, "stopReason": "other"}),
    ("ElicitRequest", {"params": {"message": "?", "requestedSchema": {"type": "object", "properties": {}}}}),
    ("ElicitRequest", {"params": {"mode": "url", "message": "?", "url": "https://h/x", "elicitationId": "1"}}),
    ("ElicitResult", {"action": "accept", "content": {"a": 1, "b": ["x"], "c": True, "d": 1.5}}),
    ("CompleteRequest", {"params": {"ref": {"type": "ref/prompt", "name": "p"}, "argument": {"name": "a", "value": ""}}}),
    ("CompleteResult", {"completion": {"values": ["a"], "total": 1, "hasMore": False}}),
    ("ListRootsResult", {"roots": [{"uri": "file:///x", "name": "h"}]}),
    ("LoggingMessageNotification", {"params": {"level": "info", "data": None}}),
    ("ProgressNotification", {"params": {"progressToken": "t", "progress": 1, "total": 2.5}}),
    ("CancelledNotification", {"params": {"requestId": 7, "reason": "r"}}),
    ("PingRequest", {}),
    ("ListToolsRequest", {"params": {"cursor": "c"}}),
    ("GetTaskResult", TASK),
    ("TaskStatusNotification", {"params": {**TASK, "pollInterval": 5}}),
    ("CreateTaskResult", {"task": TASK}),
    ("ErrorData", {"code": -1, "message": "m", "data": {"x": None}}),
    ("JSONRPCMessage", {"jsonrpc": "2.0", "id": "1", "method": "ping", "params": {"a": None}}),
    ("JSONRPCMessage", {"jsonrpc": "2.0", "method": "notifications/x"}),
    ("JSONRPCMessage", {"jsonrpc": "2.0", "id": 1, "result": {"a": None}}),
    ("JSONRPCMessage", {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "m"}}),
    ("ClientRequest", {"method": "resources/read", "params": {"uri": "a:b"}}),
    ("ServerResult", {"tools": [TOOL]}),
    ("ServerResult", {"content": [TEXT]}),
    ("ServerNotification", {"method": "notifications/tools/list_changed"}),
]
DUMPS: list[dict[str, Any]] = [
    {},
    {"by_alias": True},
    {"by_alias": True, "mode": "json"},
    {"by_alias": True, "mode": "json", "exclude_none": True},
    {"exclude_unset": True, "mode": "json"},
    {"exclude_defaults": True, "mode": "json"},
]


@pytest.mark.parametrize(("name", "sent"), CORPUS)
def test_what_was_read_is_written_alike(name: str, sent: Any) -> None:
    theirs, mine = getattr(official, name).model_validate(sent), getattr(ours, name).model_validate(sent)
    for how in DUMPS:
        expected, found = theirs.model_dump(**how), mine.model_dump(**how)
        assert found == expected
        # The order of members too.
        assert json.dumps(found, default=str) == json.dumps(expected, default=str)
    assert mine.model_dump_json(by_alias=True) == theirs.model_dump_json(by_alias=True)
    assert repr(mine) == repr(theirs)


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("Tool", {"name": "t"}),
        ("Tool", {"name": 1, "inputSchema": {}}),
        ("CallToolResult", {"content": [{"type": "text"}]}),
        ("CallToolResult", {"content": [{"type": "unknown"}]}),
        ("Resource", {"uri": "no scheme", "name": "r"}),
        ("TaskMetadata", {"ttl": "5"}),
        ("JSONRPCRequest", {"jsonrpc": "2.0", "id": True, "method": "x"}),
        ("Annotations", {"priority": 2}),
        ("SetLevelRequest", {"params": {"level": "loud"}}),
        ("ClientRequest", {"method": "unknown"}),
    ],
)
def test_what_is_refused_is_refused_in_the_same_words(name: str, sent: Any) -> None:
    with pytest.raises(ValidationError) as theirs:
        getattr(official, name).model_validate(sent)
    with pytest.raises(ValidationError) as mine:
        getattr(ours, name).model_validate(sent)
    assert str(mine.value) == str(theirs.value)
