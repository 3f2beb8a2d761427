"""What programs import from the official package 2.x of those modules that exist there alone
is here under the same name, with the same parameters.
"""

from __future__ import annotations

import importlib
import inspect
import json
import subprocess
import sys
from typing import Any

import pytest
from bounds import START
from mcpbolt.compat._reexports2 import FOREIGN_2
from peer import MODERN

pytestmark = pytest.mark.skipif(not MODERN, reason="MCPBOLT_TEST_PYTHON_MCP2 names no interpreter")
MODULES = [
    "server.mcpserver",
    "server.mcpserver.resources",
    "server.mcpserver.resources.resource_manager",
    "server.mcpserver.resources.templates",
    "server.mcpserver.resources.types",
    "server.request_state",
    "shared.path_security",
    "shared.uri_template",
]
# Classes of other modules whose constructor is compared too, and what is not served of it.
CLASSES = {
    "server.MCPServer": set[str](),
    "client.client.Client": set[str](),
    # Extensions are given to a `Client`; a session makes its own way to the server.
    "client.session.ClientSession": {"extensions", "result_claims", "notification_bindings", "dispatcher"},
}

PROGRAM = """
import importlib, inspect, json, sys

def parameters(value):
    try:
        return sorted(name for name in inspect.signature(value).parameters if not name.startswith("_"))
    except (TypeError, ValueError):
        return []

def members(value):
    if not inspect.isclass(value):
        return {"": parameters(value)} if inspect.isfunction(value) else {}
    own = {name: vars(value)[name] for name in vars(value) if not name.startswith("_")}
    found = {name: parameters(getattr(value, name)) if callable(getattr(value, name)) else [] for name in own}
    return {"": parameters(value), **found}

modules, classes = json.loads(sys.argv[1])
said = {}
for name in modules:
    module = importlib.import_module("mcp." + name)
    public = getattr(module, "__all__", None) or [
        found for found, value in vars(module).items()
        if not found.startswith("_") and getattr(value, "__module__", None) == module.__name__
    ]
    said[name] = {found: members(getattr(module, found)) for found in public}
for name in classes:
    module, _, found = name.rpartition(".")
    said[name] = parameters(getattr(importlib.import_module("mcp." + module), found))
print(json.dumps(said))
"""
# Of pydantic and dataclasses.
GENERATED = {"model_config", "model_fields", "model_computed_fields", "model_post_init"}


@pytest.fixture(scope="module")
def official() -> Any:
    words = [MODERN, "-c", PROGRAM, json.dumps([MODULES, list(CLASSES)])]
    return json.loads(subprocess.run(words, capture_output=True, check=True, text=True, timeout=START).stdout)


def parameters(value: Any) -> set[str] | None:
    """`None` if it takes any, as exceptions do."""
    try:
        found = inspect.signature(value).parameters
    except ValueError:
        return None
    return None if any(one.kind is one.VAR_KEYWORD for one in found.values()) else set(found)


@pytest.mark.parametrize("name", MODULES)
def test_every_name_and_parameter_is_here(name: str, official: Any) -> None:
    module = importlib.import_module(f"mcpbolt.{name}")
    missing: list[str] = []
    for found, members in official[name].items():
        ours = getattr(module, found, None)
        if ours is None:
            missing.append(found)
            continue
        for member, theirs in members.items():
            mine = getattr(ours, member, None) if member else ours
            fields = {**getattr(ours, "model_fields", {}), **getattr(ours, "__annotations__", {})}
            if mine is None and member not in fields:
                missing.append(f"{found}.{member}")
            elif callable(mine) and (has := parameters(mine)) is not None:
                missing += [f"{found}.{member}({one})" for one in set(theirs) - has]
    assert [one for one in missing if one.split(".")[-1] not in GENERATED] == []


@pytest.mark.parametrize("name", CLASSES)
def test_constructors_take_the_same(name: str, official: Any) -> None:
    module, _, found = name.rpartition(".")
    ours = parameters(getattr(importlib.import_module(f"mcpbolt.{module}"), found))
    assert ours is not None
    assert set(official[name]) - ours == CLASSES[name]


# What programs for 2.x import from where, beside the modules above.
PATHS = {
    "": ["InvalidUriTemplate", "MCPError", "UriTemplate"],
    ".client": ["CacheConfig", "Client", "ClientRequestContext", "ClientSession", "ResultClaim", "advertise"],
    ".client.context": ["ClientRequestContext"],
    ".server.mcpserver.prompts": ["Prompt", "base"],
    ".server.mcpserver.prompts.base": ["AssistantMessage", "Message", "Prompt", "UserMessage"],
    ".server.mcpserver.utilities.types": ["Audio", "Image"],
    ".server.subscriptions": ["ResourceUpdated", "ToolsListChanged"],
}


@pytest.mark.parametrize("module", PATHS)
def test_a_name_is_imported_from_where_2_x_has_it(module: str) -> None:
    lines = "\n".join(f"from PACKAGE{module} import {name}" for name in PATHS[module])
    exec(lines.replace("PACKAGE", "mcpbolt"), {})
    subprocess.run([MODERN, "-c", lines.replace("PACKAGE", "mcp")], check=True, timeout=START)


LOOKS_UP = """
import importlib, json, sys

for module, names in json.loads(sys.argv[1]).items():
    found = importlib.import_module(f"mcp.{module}" if module else "mcp")
    for name in names:
        assert getattr(found, name) is not None, f"{module} {name}"
assert vars(importlib.import_module("mcp"))["Client"].__name__ == "Client"
"""


def test_names_that_a_module_only_imports_are_lent_to_it() -> None:
    entries = {
        module: [entry.partition("=")[0].lstrip("*") for names in homes.values() for entry in names.split()]
        for module, homes in FOREIGN_2.items()
    }
    assert "create_mcp_http_client" in entries["client.streamable_http"]
    for words in ([MODERN, "-c"], [sys.executable, "-m", "mcpbolt.compat", "--api", "2", "-c"]):
        subprocess.run([*words, LOOKS_UP, json.dumps(entries)], check=True, timeout=START)
