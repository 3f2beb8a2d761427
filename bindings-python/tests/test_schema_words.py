"""What is said of values that do not fit: as `jsonschema` says it, without that package, in
bounded time, and without a look at anything outside."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import Any

import jsonschema
import pytest
from bounds import WHOLE

from mcpbolt._engine.schemas import Compiled, RefusedSchemaError

DRAFT7 = "http://json-schema.org/draft-07/schema#"
NESTED = {"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"type": "integer", "minimum": 3}}}

# A schema, and values that do not fit it.
CASES: list[tuple[Any, list[Any]]] = [
    ({"type": "integer"}, ["a", 1.5, None, True, [1], {"a": 1}, "it's", 'say "hi"', "\n\u00fc\U0001f600\x00"]),
    ({"type": ["string", "null"]}, [1, {}, []]),
    ({"required": ["x", "y"]}, [{}, {"y": 1}]),
    ({"enum": [1, "a", None, {"b": [True]}]}, [2, "b"]),
    ({"const": {"a": 1}}, [{"a": 2}]),
    ({"minimum": 3}, [2, 2.5]),
    ({"maximum": 3.5}, [4]),
    ({"exclusiveMinimum": 3}, [3]),
    ({"exclusiveMaximum": 3}, [3]),
    ({"multipleOf": 2}, [3]),
    ({"multipleOf": 0.5}, [0.7]),
    ({"minLength": 1}, [""]),
    ({"minLength": 3}, ["ab"]),
    ({"maxLength": 1}, ["ab"]),
    ({"maxLength": 0}, ["ab"]),
    ({"pattern": "^a+$"}, ["b"]),
    ({"minItems": 1}, [[]]),
    ({"minItems": 2}, [[1]]),
    ({"maxItems": 0}, [[1]]),
    ({"maxItems": 1}, [[1, 2]]),
    ({"uniqueItems": True}, [[1, 1]]),
    ({"minProperties": 1}, [{}]),
    ({"minProperties": 2}, [{"a": 1}]),
    ({"maxProperties": 0}, [{"a": 1}]),
    ({"maxProperties": 1}, [{"a": 1, "b": 2}]),
    ({"items": {"type": "string"}}, [["a", 1], [1, 2]]),
    ({"prefixItems": [{"type": "string"}], "items": False}, [["a", 1], ["a", 1, 2], [3]]),
    ({"items": False}, [[1], [1, 2]]),
    ({"contains": {"type": "string"}}, [[1], []]),
    ({"contains": {"type": "string"}, "minContains": 2}, [["a"], [1]]),
    ({"contains": {"type": "string"}, "maxContains": 1}, [["a", "b"]]),
    ({"properties": {"a": {"type": "string"}}}, [{"a": 1}]),
    ({"properties": {"a": False}}, [{"a": 1}]),
    ({"additionalProperties": False}, [{"b": 1}, {"b": 1, "a": 2}]),
    ({"properties": {"a": {}}, "additionalProperties": False}, [{"a": 1, "b": 1}, {"c": 1, "b": 2}]),
    ({"properties": {"a": {}}, "required": ["a"], "additionalProperties": False}, [{"b": 1}, {"a": 1, "b": 1}]),
    ({"patternProperties": {"^x": {"type": "string"}}, "additionalProperties": False}, [{"y": 1}, {"y": 1, "z": 2}, {"x": 1}]),
    ({"additionalProperties": {"type": "string"}}, [{"a": 1}]),
    ({"propertyNames": {"maxLength": 1}}, [{"ab": 1}]),
    ({"propertyNames": False}, [{"ab": 1}]),
    ({"dependentRequired": {"a": ["b"]}}, [{"a": 1}]),
    ({"dependentSchemas": {"a": {"required": ["b"]}}}, [{"a": 1}]),
    ({"not": {"type": "string"}}, ["a"]),
    ({"allOf": [{"type": "string"}, {"minLength": 3}]}, [1, "a"]),
    ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, [None, 1.5]),
    ({"anyOf": [{"type": "string", "maxLength": 1}, {"type": "integer"}]}, ["ab"]),
    ({"anyOf": [{"properties": {"a": {"type": "string"}}, "required": ["a"]}, {"type": "integer"}]}, [{"a": 1}, {}]),
    ({"oneOf": [{"type": "string"}, {"minLength": 1}]}, ["a"]),
    ({"oneOf": [{"type": "string"}, {"minimum": 3}]}, [1]),
    ({"oneOf": [{"properties": {"k": {"const": "a"}, "n": {"type": "integer"}}, "required": ["k"]},
                {"properties": {"k": {"const": "b"}}, "required": ["k"]}]}, [{"k": "a", "n": "x"}, {"k": "c"}, {}]),
    ({"if": {"type": "string"}, "then": {"minLength": 2}, "else": {"minimum": 3}}, ["a", 1]),
    ({"unevaluatedProperties": False, "properties": {"a": {}}}, [{"b": 1}, {"c": 1, "b": 1}]),
    ({"unevaluatedItems": False, "prefixItems": [{}]}, [[1, "b"], [1, 2, 3]]),
    (NESTED, [{"a": "x"}, {"a": 1}]),
    ({"type": "string", "minLength": 3, "pattern": "^x"}, ["a", 1]),
    ({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}, "required": ["a", "b"]},
     [{"a": "x", "b": 1}, {"a": "x"}, {}, [], {"b": 1}]),
    ({"type": "object", "properties": {"rows": {"type": "array", "items": {"type": "object", "required": ["id"],
      "properties": {"id": {"type": "integer"}}}}}}, [{"rows": [{"id": 1}, {"id": "2"}, {}]}, {"rows": {}}]),
    ({"$schema": DRAFT7, "items": [{"type": "string"}], "additionalItems": False}, [["a", 1], [1]]),
    ({"$schema": DRAFT7, "contains": {"type": "string"}}, [[1]]),
    ({"$schema": DRAFT7, "dependencies": {"a": ["b"]}}, [{"a": 1}]),
    ({"$schema": DRAFT7, "items": False}, [[1]]),
    ({"patternProperties": {"^a": False}}, [{"ab": 1}]),
    ({"allOf": [False]}, [1]),
    ({"anyOf": [False, {"type": "string"}]}, [1]),
    ({"prefixItems": [False]}, [[1]]),
    ({"if": {"type": "integer"}, "then": False}, [1]),
    (False, [1]),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "values"), CASES, ids=lambda case: json.dumps(case)[:60])
def test_a_fault_is_told_as_the_package_tells_it(schema: Any, values: list[Any]) -> None:
    for value in values:
        with pytest.raises(jsonschema.ValidationError) as expected:
            jsonschema.validate(value, schema)
        fault = Compiled(schema).fault(value)
        assert fault is not None, value
        assert fault.message == expected.value.message
        assert str(fault) == str(expected.value)


def test_numbers_keep_their_digits() -> None:
    fault = Compiled({"type": "string"}).fault({"n": 12345678901234567890123})
    assert fault is not None and fault.message == "{'n': 12345678901234567890123} is not of type 'string'"


@pytest.mark.parametrize("wrong", [{"pattern": "^(a|a)*$"}, {"patternProperties": {"^(a|a)*$": {}}, "additionalProperties": False}])
def test_a_pattern_that_backtracks_for_ever_ends_in_bounds(wrong: dict[str, Any]) -> None:
    text = "a" * 40 + "!"
    value: Any = text if "pattern" in wrong else {text: 1}
    begun = time.monotonic()
    assert Compiled(wrong).fault(value) is not None
    assert time.monotonic() - begun < WHOLE


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "http://127.0.0.1:9/schema.json"},
        {"type": "no such type"},
        {"pattern": "("},
        {"$schema": "https://example.org/mine"},
    ],
)
def test_a_schema_that_is_refused_is_a_named_error(schema: dict[str, Any]) -> None:
    with pytest.raises(RefusedSchemaError):
        Compiled(schema).fault("x")


SERVER = """
import asyncio, sys, json
sys.modules["jsonschema"] = None  # as where it is not installed
from mcpbolt.server.lowlevel._validation import Checker
from mcpbolt.client._structured import OutputSchemas

print(Checker({"type": "integer"}).fault("a"))
print(Checker({"$ref": "http://127.0.0.1:9/x"}).fault("a"))
known = OutputSchemas()
known["t"] = {"properties": {"a": {"pattern": "^((a|a)*)*$"}}}
try:
    known.check("t", {"a": "a" * 60 + "!"})
except RuntimeError as error:
    print("refused")
"""


def test_no_other_library_looks_at_schemas() -> None:
    done = subprocess.run([sys.executable, "-c", SERVER], capture_output=True, text=True, timeout=WHOLE, check=True)
    first, second, third = done.stdout.splitlines()
    assert first == "'a' is not of type 'integer'"
    assert second.startswith("the tool's schema is refused: ") and "never fetched" in second
    assert third == "refused"
