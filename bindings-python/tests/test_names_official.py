"""What programs import from the official package's server side is here under the same name."""

import importlib
import inspect
import json
from typing import Any

import pytest
from aliased import compat, python

pytest.importorskip("mcp.server.fastmcp", reason="the official package is not installed")

MODULES = [
    "client.experimental.task_handlers",
    "client.experimental.tasks",
    "client.auth.exceptions",
    "client.auth.extensions.client_credentials",
    "client.auth.oauth2",
    "client.auth.utils",
    "shared.auth",
    "shared.auth_utils",
    "server",
    "server.auth",
    "server.auth.errors",
    "server.auth.handlers.authorize",
    "server.auth.handlers.metadata",
    "server.auth.handlers.register",
    "server.auth.handlers.revoke",
    "server.auth.handlers.token",
    "server.auth.json_response",
    "server.auth.middleware.auth_context",
    "server.auth.middleware.bearer_auth",
    "server.auth.middleware.client_auth",
    "server.auth.provider",
    "server.auth.routes",
    "server.auth.settings",
    "server.elicitation",
    *(
        f"server.experimental.{name}"
        for name in (
            "request_context",
            "session_features",
            "task_context",
            "task_result_handler",
            "task_scope",
            "task_support",
        )
    ),
    "server.fastmcp",
    "server.fastmcp.exceptions",
    "server.fastmcp.prompts",
    "server.fastmcp.prompts.base",
    "server.fastmcp.prompts.manager",
    "server.fastmcp.resources",
    "server.fastmcp.resources.base",
    "server.fastmcp.resources.resource_manager",
    "server.fastmcp.resources.templates",
    "server.fastmcp.resources.types",
    "server.fastmcp.server",
    "server.fastmcp.tools",
    "server.fastmcp.tools.base",
    "server.fastmcp.tools.tool_manager",
    "server.fastmcp.utilities.context_injection",
    "server.fastmcp.utilities.func_metadata",
    "server.fastmcp.utilities.logging",
    "server.fastmcp.utilities.types",
    "server.lowlevel",
    "server.lowlevel.experimental",
    "server.lowlevel.func_inspection",
    "server.lowlevel.helper_types",
    "server.lowlevel.server",
    "server.models",
    "server.session",
    "server.sse",
    "server.stdio",
    "server.streamable_http",
    "server.streamable_http_manager",
    "server.transport_security",
    "server.validation",
    "server.websocket",
    "shared.context",
    "shared.exceptions",
    *(
        f"shared.experimental.tasks.{name}"
        for name in ("capabilities", "context", "helpers", "in_memory_task_store", "message_queue", "polling", "resolver", "store")
    ),
    "shared.memory",
    "shared.message",
    "shared.metadata_utils",
    "shared.progress",
    "shared.response_router",
    "shared.session",
    "shared.tool_name_validation",
    "shared.version",
]
# A helper of the official server's own; `Context` is no model here.
ABSENT = {
    "Context.model_post_init",
    "lifespan_wrapper",
    "UNKNOWN",
}


def defined(module: Any) -> dict[str, Any]:
    """Classes and functions a module defines itself."""
    return {
        name: value
        for name, value in vars(module).items()
        if not name.startswith("_")
        and getattr(value, "__module__", None) == module.__name__
        and type(value).__name__ != "Sentinel"
        # pydantic leaves what it parametrises in the module.
        and "[" not in name
    }


@pytest.mark.parametrize("name", MODULES)
def test_every_name_of_a_module_is_here(name: str) -> None:
    theirs, ours = importlib.import_module(f"mcp.{name}"), importlib.import_module(f"mcpbolt.{name}")
    missing = {found for found in defined(theirs) if not hasattr(ours, found)} - ABSENT
    assert not missing


@pytest.mark.parametrize("name", MODULES)
def test_every_method_and_parameter_is_here(name: str) -> None:
    theirs, ours = importlib.import_module(f"mcp.{name}"), importlib.import_module(f"mcpbolt.{name}")
    missing: list[str] = []
    for found, value in defined(theirs).items():
        if found in ABSENT:
            continue
        if inspect.isfunction(value):
            missing += _parameters(found, value, getattr(ours, found, None))
        elif inspect.isclass(value):
            for member, function in vars(value).items():
                if not member.startswith("_") or member == "__init__":
                    mine = inspect.getattr_static(getattr(ours, found), member, None)
                    if mine is None and not isinstance(function, (dict, type(None))):
                        missing.append(f"{found}.{member}")
                    elif inspect.isfunction(function):
                        missing += _parameters(f"{found}.{member}", function, getattr(getattr(ours, found), member))
    assert not set(missing) - ABSENT


def _parameters(name: str, theirs: Any, ours: Any) -> list[str]:
    if not callable(ours):
        return [name]
    mine = inspect.signature(ours).parameters
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in mine.values()):
        return []
    return [f"{name}({parameter})" for parameter in inspect.signature(theirs).parameters if parameter not in mine]


LISTED = """
import importlib, inspect, json

LATER = ("Client", "MCPError", "MCPServer", "UriTemplate", "CacheHint", "CacheConfig", "ServerRequestContext", "nothing")
found = {}
for name in ("mcp", "mcp.server", "mcp.client"):
    module, members = importlib.import_module(name), {}
    exec(f"from {name} import *", members)
    assert all(hasattr(module, one) for one in dir(module)) and inspect.getmembers(module)
    later = [one for one in (*LATER, "mcpserver") if hasattr(module, one) or getattr(module, one, None) is not None]
    found[name] = sorted(members.keys() - {"__builtins__"}), later
print(json.dumps(found))
"""


@pytest.mark.parametrize("options", [(), ("--fixes",)])
def test_modules_of_that_name_list_and_have_no_names_of_a_later_release(options: tuple[str, ...]) -> None:
    # Programs for both lines of the official package look for them to learn which they have.
    assert json.loads(compat(LISTED, *options)) == json.loads(python("-c", LISTED))


def test_a_program_that_also_uses_this_package_by_name_keeps_what_is_its_own() -> None:
    code = """
import mcp, mcpbolt
from mcpbolt import Context, FastMCP, Host, Image, SyncClient
print(mcpbolt.FastMCP is FastMCP, "FastMCP" in mcp.__all__)
"""
    assert compat(code) == "True False"


@pytest.mark.parametrize(
    "options, module",
    [((), "shared.exceptions"), ((), "shared.session"), (("--api", "2"), "shared.exceptions")],
)
def test_importing_all_of_a_module_leaves_the_timeouts_of_python(options: tuple[str, ...], module: str) -> None:
    code = """
from mcp.MODULE import *
import anyio

async def main():
    try:
        with anyio.fail_after(0):
            await anyio.sleep_forever()
    except TimeoutError:
        print("caught")

anyio.run(main)
"""
    code = code.replace("MODULE", module)
    assert compat(code, *options) == python("-c", code.replace("from mcp.", "from mcpbolt.")) == "caught"
