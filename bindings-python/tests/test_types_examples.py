"""The specification's own example payloads through the models, where they are at hand."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

import mcpbolt.types as types

BESIDE = Path(__file__).parents[3] / "shared/spec/schema"
FOLDER = Path(os.environ.get("MCPBOLT_SPEC_SCHEMA", BESIDE)) / "2026-07-28/examples"
if not FOLDER.is_dir():
    pytest.skip(f"no example payloads at {FOLDER}", allow_module_level=True)

# Taken by a class of another name, in the official package too.
REFUSED = {"CreateMessageResult/tool-use-response.json": "CreateMessageResultWithTools"}
# Form fields are plain dictionaries here.
NOT_MODELS = ("Schema", "InputResponses")


def model(name: str, sent: Any) -> Any:
    if name.endswith("Response"):
        return types.JSONRPCResponse
    if name.endswith("Error") and "jsonrpc" not in sent:
        return types.ErrorData
    if name.endswith("Error"):
        return types.JSONRPCError
    return getattr(types, name)


FILES = sorted(
    str(path.relative_to(FOLDER))
    for path in FOLDER.glob("*/*.json")
    if not path.parent.name.endswith(NOT_MODELS)
)


@pytest.mark.parametrize("file", FILES)
def test_an_example_comes_back_as_it_went_in(file: str) -> None:
    sent = json.loads((FOLDER / file).read_text(encoding="utf-8"))
    adapter = TypeAdapter(model(file.split("/")[0], sent))
    try:
        read = adapter.validate_python(sent)
    except ValueError:
        assert file in REFUSED
        getattr(types, REFUSED[file]).model_validate(sent)
        return
    assert file not in REFUSED, "it is taken: remove it from the list"
    assert adapter.dump_python(read, by_alias=True, mode="json", exclude_unset=True) == sent
