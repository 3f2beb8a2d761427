"""The settings of servers as programs give them: in their types, as text, and wrong."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import anyio
import httpx
import pytest
from aliased import compat, python
from beside_2 import official as official_2
from beside_2 import ours as ours_2
from bounds import LIMIT
from peer import MODERN, official, soon
from pydantic import ValidationError

from mcpbolt.server.auth.settings import AuthSettings
from mcpbolt.server.fastmcp import FastMCP
from mcpbolt.server.mcpserver import MCPServer
from mcpbolt.server.transport_security import TransportSecuritySettings

GIVEN: list[dict[str, Any]] = [
    {"port": "8001", "stateless_http": "false", "json_response": "1"},
    {"port": 8001.0, "session_idle_timeout": "5", "max_sessions": "7"},
    {"max_sessions": None, "session_idle_timeout": None},
    {"port": "abc", "debug": "maybe"},
    {"port": 8.5},
    {"host": None},
    {"log_level": "debug"},
    {"lifespan": 5},
    {"dependencies": ("numpy", 1)},
    {"dependencies": "ab"},
    {"auth": {"issuer_url": "https://a.example"}},
    {"auth": "x"},
]


def found(kind: Any, given: dict[str, Any]) -> Any:
    """What becomes of settings, or the words that refuse them."""
    try:
        settings = kind("x", **given).settings
    except ValueError as error:
        return type(error).__name__, str(error)
    return {name: (type(value), value) for name in given for value in [getattr(settings, name)]}


@pytest.mark.parametrize("given", GIVEN, ids=lambda given: "-".join(given))
def test_settings_become_what_they_are_officially(given: dict[str, Any]) -> None:
    official()
    from mcp.server.fastmcp import FastMCP as Official

    assert found(FastMCP, given) == found(Official, given)


def test_models_may_be_given_by_their_members() -> None:
    about = {
        "issuer_url": "https://a.example",
        "resource_server_url": "https://b.example",
        "validate_token_resource": False,
    }
    for kind in (FastMCP, MCPServer):
        settings = kind("x", auth=about, token_verifier=object()).settings
        assert type(settings.auth) is AuthSettings and str(settings.auth.issuer_url) == "https://a.example/"
    security = FastMCP("x", transport_security={"allowed_hosts": ["a"]}).settings.transport_security
    assert type(security) is TransportSecuritySettings and security.allowed_hosts == ["a"]


def test_registries_have_what_the_text_says() -> None:
    mcp: Any = FastMCP("x", warn_on_duplicate_tools="false")  # type: ignore[arg-type]
    assert mcp._tool_manager.warn_on_duplicate_tools is False


@pytest.mark.skipif(not MODERN, reason="no interpreter with the official package 2.x")
def test_those_of_2_are_read_in_the_same_way() -> None:
    program = """
def found(**given):
    try:
        settings = MCPServer("x", **given).settings
    except ValueError as error:
        return [type(error).__name__, str(error)]
    return [getattr(settings, name) for name in given]

async def main():
    return [
        found(debug="true", warn_on_duplicate_tools="off"),
        found(debug="maybe", log_level="loud"),
        found(auth={"issuer_url": 1}),
        found(lifespan=1),
    ]

run(main)
"""
    assert ours_2(program) == official_2(program)


@pytest.mark.parametrize("option", [{"shutdown_delay": "soon"}, {"docs": "perhaps"}, {"health": 1}])
def test_options_of_this_package_have_types_too(option: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match=next(iter(option))):
        FastMCP("x", **option)


async def _answers(mcp: FastMCP, port: int) -> int:
    async with anyio.create_task_group() as tasks, httpx.AsyncClient(timeout=LIMIT) as http:
        tasks.start_soon(mcp.run_streamable_http_async)
        while True:
            try:
                response = await http.get(f"http://127.0.0.1:{port}/here")
            except httpx.ConnectError:
                await anyio.sleep(0)
            else:
                tasks.cancel_scope.cancel()
                return response.status_code


@pytest.mark.parametrize("afterwards", [False, True], ids=["constructed", "changed"])
def test_a_port_that_is_text_is_served(afterwards: bool, port: int) -> None:
    mcp = FastMCP("x", port=1 if afterwards else str(port))  # type: ignore[arg-type]
    if afterwards:
        mcp.settings.port = str(port)  # type: ignore[assignment]
    assert anyio.run(soon, _answers(mcp, port)) == 404


def test_types_that_fit_load_no_pydantic() -> None:
    code = (
        "import sys; from mcpbolt.server.fastmcp import FastMCP\n"
        "FastMCP('x', port=1, session_idle_timeout=5, max_sessions=None, dependencies=['a'], log_level='INFO')\n"
        "print('pydantic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LIMIT)
    assert done.stdout.strip() == "False", done.stderr


def test_variables_of_the_environment_change_nothing_as_officially() -> None:
    code = "from mcp.server.fastmcp import FastMCP; print(FastMCP('x').settings.port)"
    assert compat(code, FASTMCP_PORT="9") == "8000"


DUMPED = """
import json
from mcp.server.fastmcp import FastMCP
from mcp.server.fastmcp.prompts.base import Prompt, PromptArgument
from mcp.server.fastmcp.tools.base import Tool

def ask(topic: str) -> str: return topic

settings, tool, prompt = FastMCP("x").settings, Tool.from_function(ask), Prompt.from_function(ask)
inner = {"fn", "fn_metadata"}
found = [
    settings.model_dump(),
    settings.model_dump(mode="json", exclude_none=True),
    settings.model_dump(include={"host", "port"}),
    settings.model_dump(exclude={"transport_security": {"allowed_hosts"}}),
    settings.model_dump_json(exclude={"lifespan"}),
    settings.model_copy(update={"port": 9}).port,
    settings.port,
    tool.model_dump(include={"name"}),
    tool.model_dump(exclude=inner),
    tool.model_dump(exclude_none=True, exclude=inner),
    tool.model_dump_json(exclude=inner, indent=1),
    prompt.model_dump(exclude={"fn"}),
    prompt.model_dump_json(include={"name", "arguments"}),
    PromptArgument(name="a").model_dump(exclude_none=True),
]
print(json.dumps(found))
"""


@pytest.mark.parametrize("options", [(), ("--fixes",)])
def test_programs_dump_settings_tools_and_prompts_as_officially(options: tuple[str, ...]) -> None:
    official()
    assert compat(DUMPED, *options) == python("-c", DUMPED)


def test_settings_of_this_package_are_dumped_under_its_own_name() -> None:
    settings = FastMCP("x", health="/health").settings
    assert settings.model_dump(include={"health", "docs"}) == {"docs": False, "health": "/health"}
    assert '"health":"/health"' in settings.model_dump_json()
    changed = settings.model_copy(update={"port": 9}, deep=True)
    changed.dependencies.append("numpy")
    assert (changed.port, settings.port, settings.dependencies) == (9, 8000, [])
