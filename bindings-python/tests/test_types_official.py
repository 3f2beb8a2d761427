"""`mcpbolt.types` beside the official `mcp.types` 1.30, where that is installed."""

import inspect
import json
from typing import Any, get_args

import pytest
from pydantic import BaseModel, TypeAdapter

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


def shape(model: type[BaseModel]) -> list[Any]:
    return [
        (name, field.alias, field.validation_alias, field.is_required(), field.get_default(call_default_factory=True))
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
    assert json.dumps(bare(found), indent=1) == json.dumps(bare(expected), indent=1)
