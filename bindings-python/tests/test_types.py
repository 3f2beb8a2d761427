"""`mcpbolt.types` on its own: what a user of the models may count on."""

import copy
import pickle
import subprocess
import sys
from typing import Any

import pydantic
import pytest
from pydantic import AnyUrl, BaseModel, FileUrl, TypeAdapter, ValidationError

import mcpbolt
import mcpbolt.types as types

MODELS = sorted(
    name
    for name in types.__all__
    if isinstance(getattr(types, name), type) and issubclass(getattr(types, name), BaseModel)
)


def in_fresh_python(code: str) -> str:
    """What a program prints that nothing was imported before."""
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


def test_importing_the_package_imports_neither_pydantic_nor_anyio() -> None:
    heavy = "{'pydantic', 'anyio', 'httpx', 'starlette', 'asyncio', 'typing', 'typing_extensions'}"
    assert in_fresh_python(f"import sys, mcpbolt; print({heavy} & sys.modules.keys())") == "set()"


def test_importing_types_makes_no_model_and_its_constants_need_none() -> None:
    code = """
import sys, mcpbolt.types as types
assert (types.LATEST_PROTOCOL_VERSION, types.INVALID_PARAMS) == ("2025-11-25", -32602)
print([name for name in sys.modules if name.startswith(("pydantic", "mcpbolt._types"))])
"""
    assert in_fresh_python(code) == "[]"


def test_one_model_does_not_make_them_all() -> None:
    code = """
import sys
from mcpbolt.types import TextContent
assert TextContent(type="text", text="x").text == "x"
print("mcpbolt._types.sampling" in sys.modules)
"""
    assert in_fresh_python(code) == "False"


def test_threads_that_want_the_same_models_at_once_all_get_whole_ones() -> None:
    code = """
import sys, threading
import mcpbolt.types as types
sys.setswitchinterval(1e-6)
start, wrong = threading.Barrier(16), []
tool = {"name": "a", "inputSchema": {}, "icons": [{"src": "data:,"}]}
result = {"content": [{"type": "text", "text": "x"}, {"type": "resource_link", "uri": "a:b", "name": "n"}]}
def work(turn):
    start.wait(30)
    try:
        if turn % 2:
            read = types.ListToolsResult.model_validate({"tools": [tool]})
            assert read.tools[0].icons[0].model_dump()["src"] == "data:,", read
        else:
            read = types.CallToolResult.model_validate(result)
            assert type(read.content[1]).__name__ == "ResourceLink", read
            assert read.content[0].model_dump(exclude_none=True) == {"type": "text", "text": "x"}, read
    except BaseException as why:
        wrong.append(repr(why))
threads = [threading.Thread(target=work, args=(turn,)) for turn in range(16)]
for thread in threads: thread.start()
for thread in threads: thread.join(60)
print(wrong)
"""
    assert in_fresh_python(code) == "[]"


@pytest.mark.parametrize("name", MODELS)
def test_a_model_that_is_handed_out_is_built_and_at_home(name: str) -> None:
    model = getattr(types, name)
    assert model.__pydantic_complete__
    assert "defer_build" not in model.model_config
    assert (model.__module__, model.__name__) == ("mcpbolt.types", name)
    assert model.__doc__


def test_every_field_is_documented_in_the_source() -> None:
    import ast
    import inspect
    from pathlib import Path

    missing = []
    folder = Path(inspect.getfile(types)).with_name("_types")
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not path.name.startswith("_"):
                for this, following in zip(node.body, [*node.body[1:], None], strict=True):
                    named = isinstance(this, ast.AnnAssign) and not ast.unparse(this.target).startswith("__")
                    told = isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
                    if named and not told:
                        missing.append(f"{node.name}.{ast.unparse(this.target)}")
    assert missing == []


def test_the_root_has_the_types_under_their_own_names() -> None:
    assert mcpbolt.Tool is types.Tool
    assert mcpbolt.SamplingRole is types.Role
    assert mcpbolt.types is types
    homes = {"client", "server", "shared"}
    own = [name for name in mcpbolt.__all__ if name in types.__all__]
    assert all(getattr(mcpbolt, name) is getattr(types, name) for name in own)
    assert homes < set(mcpbolt.__all__) <= set(dir(mcpbolt))


def test_an_unknown_name_is_an_attribute_error_that_names_the_module() -> None:
    with pytest.raises(AttributeError, match=r"mcpbolt\.types.*Nothing"):
        _ = types.Nothing
    with pytest.raises(AttributeError, match=r"mcpbolt.*Nothing"):
        _ = mcpbolt.Nothing


def test_fields_read_write_and_construct_in_snake_case_too() -> None:
    tool = types.Tool(name="a", input_schema={"type": "object"}, output_schema=None)
    assert tool.inputSchema == tool.input_schema == {"type": "object"}
    assert tool.model_dump(exclude_unset=True) == {"name": "a", "inputSchema": {"type": "object"}, "outputSchema": None}
    tool.input_schema = {}
    assert tool.inputSchema == {}
    params = types.RequestParams.Meta(progress_token=1)
    assert params.progressToken == params.progress_token == 1


def test_meta_can_be_given_by_its_attribute() -> None:
    block = types.TextContent(type="text", text="x", meta={"a": 1})
    assert block.meta == {"a": 1}
    assert block.model_dump(by_alias=True, exclude_none=True)["_meta"] == {"a": 1}


def test_what_a_peer_sends_in_snake_case_stays_an_unknown_member() -> None:
    sent = {"name": "a", "inputSchema": {}, "input_schema": "theirs", "x": None}
    tool = types.Tool.model_validate(sent)
    assert tool.inputSchema == {}
    assert tool.model_dump(by_alias=True, exclude_unset=True) == sent
    with pytest.raises(ValidationError):
        types.Tool.model_validate({"name": "a", "input_schema": {}})
    inside = types.ListToolsResult.model_validate({"tools": [sent]})
    assert inside.model_dump(by_alias=True, exclude_unset=True) == {"tools": [sent]}


def test_members_of_later_revisions_are_read_written_and_sent() -> None:
    page = types.ListToolsResult(tools=[], ttl_ms=5)
    assert (page.ttlMs, page.ttl_ms, page.cacheScope) == (5, 5, None)
    page.cacheScope = "public"
    assert page.cache_scope == "public"
    assert page.model_dump(exclude_none=True) == {"tools": [], "ttlMs": 5, "cacheScope": "public"}
    assert types.Annotations.model_validate({"lastModified": "2025"}).last_modified == "2025"


def test_models_survive_pickling_and_copying() -> None:
    result = types.CallToolResult(content=[types.TextContent(type="text", text="x")], extra={"kept": [1]})
    for made in (pickle.loads(pickle.dumps(result)), copy.copy(result), copy.deepcopy(result), result.model_copy()):
        assert made == result
        assert made.model_extra == {"extra": {"kept": [1]}}
    meta = types.RequestParams.Meta(progressToken="t")
    assert pickle.loads(pickle.dumps(meta)) == meta
    assert pickle.loads(pickle.dumps(types.Tool)) is types.Tool


def test_a_pickle_makes_its_model_in_a_process_that_has_none() -> None:
    pickled = pickle.dumps(types.Tool(name="a", inputSchema={"type": "object"}))
    code = f"import pickle; print(pickle.loads({pickled!r}).input_schema)"
    assert in_fresh_python(code) == "{'type': 'object'}"


def test_classes_of_users_derive_as_from_any_model() -> None:
    class Mine(types.Tool):
        rank: int = 0
        longName: str = "n"

    mine = Mine(name="a", input_schema={}, rank="3", long_name="m")
    assert (mine.rank, mine.longName, mine.input_schema) == (3, "m", {})
    assert isinstance(mine, types.Tool)
    assert Mine.__pydantic_complete__

    params = types.Request[dict[str, int], str](method="x", params={"a": 1})
    assert params.params == {"a": 1}
    with pytest.raises(ValidationError):
        types.Request[dict[str, int], str](method="x", params={"a": "no"})


def test_adapters_tell_the_kinds_of_content_apart() -> None:
    read = TypeAdapter(list[types.ContentBlock]).validate_python(
        [{"type": "image", "data": "", "mimeType": "a/b"}, {"type": "resource_link", "uri": "a:b", "name": "n"}]
    )
    assert [type(block) for block in read] == [types.ImageContent, types.ResourceLink]


def test_messages_are_root_models() -> None:
    message = types.JSONRPCMessage.model_validate_json('{"jsonrpc":"2.0","id":1,"method":"ping"}')
    assert isinstance(message.root, types.JSONRPCRequest)
    request = types.ClientRequest(types.PingRequest())
    assert isinstance(request.root, types.PingRequest)
    assert request.model_dump(exclude_none=True) == {"method": "ping"}


def test_roots_may_be_any_absolute_uri() -> None:
    assert isinstance(types.Root(uri="file:///x").uri, FileUrl)
    web = types.Root(uri="https://api.example.com/v1")
    assert type(web.uri) is AnyUrl
    assert web.model_dump(mode="json", exclude_none=True) == {"uri": "https://api.example.com/v1"}
    with pytest.raises(ValidationError):
        types.Root(uri="no/scheme")


def test_uris_are_pydantic_urls() -> None:
    resource = types.Resource(uri="custom:thing", name="n")
    assert isinstance(resource.uri, AnyUrl)
    assert str(types.Resource(uri="https://x", name="n").uri) == "https://x/"


@pytest.mark.parametrize(
    "name",
    ["Root", "ListRootsRequest", "CreateMessageRequest", "SamplingMessage", "SetLevelRequest", "LoggingMessageNotification"],
)
def test_what_is_deprecated_says_so_with_its_decision_and_its_end(name: str) -> None:
    text = getattr(types, name).__doc__
    assert ".. deprecated:: 2026-07-28" in text
    assert "SEP-2577" in text and "2027-07-28" in text


def test_the_old_reference_class_warns_when_it_is_used() -> None:
    with pytest.warns(DeprecationWarning, match="ResourceTemplateReference"):
        types.ResourceReference(type="ref/resource", uri="a:b")


def test_unknown_members_are_kept_wherever_the_official_package_keeps_them() -> None:
    sent: dict[str, Any] = {
        "protocolVersion": "x",
        "capabilities": {"future": {"a": [1, None]}, "tools": {"listChanged": True, "more": 1}},
        "serverInfo": {"name": "s", "version": "1", "theme": "dark"},
        "_meta": {"a/b": 1},
    }
    read = types.InitializeResult.model_validate(sent)
    assert read.model_dump(by_alias=True, exclude_unset=True) == sent


def test_the_floor_of_pydantic_is_what_the_package_asks_for() -> None:
    assert tuple(map(int, pydantic.VERSION.split(".")[:2])) >= (2, 11)


def test_blocks_and_references_need_not_be_told_their_kind() -> None:
    assert types.TextContent(text="x").type == "text"  # type: ignore[call-arg]
    assert types.ImageContent(data="", mime_type="image/png").type == "image"  # type: ignore[call-arg]
    assert types.PromptReference(name="x").type == "ref/prompt"  # type: ignore[call-arg]
    assert types.ResourceLink(name="x", uri="a:b").type == "resource_link"  # type: ignore[call-arg, arg-type]
    # A peer has to say it.
    with pytest.raises(ValidationError):
        types.TextContent.model_validate({"text": "x"})


def test_the_official_name_demands_the_kind() -> None:
    code = (
        "import mcpbolt.compat; mcpbolt.compat.install(); from mcp.types import TextContent\n"
        "try: TextContent(text='x')\nexcept ValueError: print('refused')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "refused\n", done.stderr
