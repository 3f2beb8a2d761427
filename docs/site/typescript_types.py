"""Types and signatures of TypeScript as text, from the JSON of TypeDoc.

Owns: how each kind of type is written, and where a long line is broken. Must not know: which
names are shown, or their comments.
"""

from __future__ import annotations

from typing import Any

# What stands beside the navigation without being scrolled.
WIDE = 80
# The kind of signature that makes an object.
CONSTRUCTS = 16384
# In front of these, `[]` and `|` would belong to a part of them.
COMPOUND = ("union", "intersection", "conditional", "typeOperator", "inferred")


def written(of: dict[str, Any], indent: str = "", before: int = 0) -> str:
    """A type, over several lines where one would be too long; `before` is what stands left of it."""
    flat = text(of)
    if len(indent) + before + len(flat) <= WIDE:
        return flat
    kind = of["type"]
    inner = indent + "  "
    if kind == "reflection" and not of["declaration"].get("signatures"):
        lines = [f"{inner}{line};\n" for line in members(of["declaration"], inner)]
        return "{\n" + "".join(lines) + indent + "}" if lines else flat
    if kind == "reflection" and is_function(of):
        return signature(of["declaration"]["signatures"][0], "", indent, arrow=True)
    if kind == "union":
        return "".join(f"\n{inner}| {enclosed(each, written(each, inner, 2))}" for each in of["types"])
    if kind == "intersection":
        return " & ".join(written(each, indent) for each in of["types"])
    if kind == "reference" and len(of.get("typeArguments", ())) == 1:
        return f"{of['name']}<{written(of['typeArguments'][0], indent).strip()}>"
    if kind == "reference" and of.get("typeArguments"):
        given = ",".join(f"\n{inner}{written(each, inner).lstrip()}" for each in of["typeArguments"])
        return f"{of['name']}<{given}\n{indent}>"
    if kind == "conditional":
        test = f"{text(of['checkType'])} extends {text(of['extendsType'])}"
        deeper = inner + "  "
        either = f"\n{deeper}? {written(of['trueType'], deeper)}\n{deeper}: {written(of['falseType'], deeper)}"
        return f"\n{inner}{test}{either}"
    return flat


def text(of: dict[str, Any]) -> str:
    """A type in one line."""
    kind = of["type"]
    if kind in ("intrinsic", "unknown"):
        return str(of["name"])
    if kind == "literal":
        return literal(of["value"])
    if kind == "reference":
        given = ", ".join(text(each) for each in of.get("typeArguments", ()))
        return f"{of['name']}<{given}>" if given else str(of["name"])
    if kind in ("union", "intersection"):
        return (" | " if kind == "union" else " & ").join(enclosed(each, text(each)) for each in of["types"])
    if kind == "array":
        return f"{enclosed(of['elementType'], text(of['elementType']), COMPOUND)}[]"
    if kind == "typeOperator":
        return f"{of['operator']} {text(of['target'])}"
    if kind == "query":
        return f"typeof {text(of['queryType'])}"
    if kind == "reflection":
        return declared(of["declaration"])
    return rare(of, kind)


def rare(of: dict[str, Any], kind: str) -> str:
    """The kinds that few types have."""
    if kind == "tuple":
        return f"[{', '.join(text(each) for each in of.get('elements', ()))}]"
    if kind == "namedTupleMember":
        return f"{of['name']}{'?' if of['isOptional'] else ''}: {text(of['element'])}"
    if kind in ("optional", "rest"):
        inner = text(of["elementType"])
        return f"{inner}?" if kind == "optional" else f"...{inner}"
    if kind == "indexedAccess":
        return f"{enclosed(of['objectType'], text(of['objectType']))}[{text(of['indexType'])}]"
    if kind == "conditional":
        test = f"{text(of['checkType'])} extends {text(of['extendsType'])}"
        return f"{test} ? {text(of['trueType'])} : {text(of['falseType'])}"
    if kind == "inferred":
        return f"infer {of['name']}"
    if kind == "mapped":
        mark = {"+": "?", "-": "-?"}.get(of.get("optionalModifier", ""), "")
        renamed = f" as {text(of['nameType'])}" if "nameType" in of else ""
        key = f"[{of['parameter']} in {text(of['parameterType'])}{renamed}]"
        return f"{{ {key}{mark}: {text(of['templateType'])} }}"
    if kind == "predicate":
        asserts = "asserts " if of["asserts"] else ""
        return f"{asserts}{of['name']}" + (f" is {text(of['targetType'])}" if "targetType" in of else "")
    if kind == "templateLiteral":
        tail = "".join(f"${{{text(each)}}}{after}" for each, after in of["tail"])
        return f"`{of['head']}{tail}`"
    raise ValueError(f"docs/site/typescript_types.py does not know types of the kind {kind}")


def literal(value: Any) -> str:
    if isinstance(value, str):
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
    if isinstance(value, dict):
        return ("-" if value["negative"] else "") + str(value["value"]) + "n"
    return "null" if value is None else str(value).lower()


def enclosed(of: dict[str, Any], shown: str, kinds: tuple[str, ...] = ("conditional",)) -> str:
    """In parentheses, if it would else be read together with what is beside it."""
    return f"({shown})" if of["type"] in kinds or is_function(of) else shown


def is_function(of: dict[str, Any]) -> bool:
    declaration = of.get("declaration", {})
    return len(declaration.get("signatures", ())) == 1 and not declaration.get("children")


def declared(declaration: dict[str, Any]) -> str:
    """A function or an object, in one line."""
    signatures = declaration.get("signatures", ())
    if len(signatures) == 1 and not declaration.get("children"):
        return call(signatures[0], " => ")
    inside = "; ".join([*(call(each, ": ") for each in signatures), *members(declaration)])
    return f"{{ {inside} }}" if inside else "{}"


def members(declaration: dict[str, Any], indent: str | None = None) -> list[str]:
    """The members of an object: over several lines where they are indented and long."""
    lines: list[str] = []
    for each in declaration.get("indexSignatures", ()):
        key = each["parameters"][0]
        lines.append(f"[{key['name']}: {text(key['type'])}]: {text(each['type'])}")
    for each in declaration.get("children", ()):
        if each.get("signatures"):
            lines += [signature(one, name(each), indent or "", flat=indent is None) for one in each["signatures"]]
        else:
            lines.append(property_(each, indent))
    return lines


def name(member: dict[str, Any]) -> str:
    plain = member["name"].replace("_", "a").replace("$", "a").isalnum()
    mark = "?" if member["flags"].get("isOptional") else ""
    return (member["name"] if plain else literal(member["name"])) + mark


def property_(member: dict[str, Any], indent: str | None) -> str:
    """A property or accessor, as an interface has it."""
    of = type_of(member)
    fixed = member["flags"].get("isReadonly") or ("getSignature" in member and "setSignature" not in member)
    start = ("static " if member["flags"].get("isStatic") else "") + ("readonly " if fixed else "") + name(member)
    return joined(f"{start}: ", text(of) if indent is None else written(of, indent, len(start) + 3))


def joined(before: str, shown: str) -> str:
    """A type after what is left of it; one that begins on a line of its own needs no space."""
    return (before.rstrip(" ") if shown.startswith("\n") else before) + shown


def type_of(member: dict[str, Any]) -> dict[str, Any]:
    """The type of a property, accessor or parameter."""
    accessor = member.get("getSignature") or member.get("setSignature")
    if accessor is not None:
        return dict(accessor["type"] if "getSignature" in member else accessor["parameters"][0]["type"])
    return dict(member.get("type", {"type": "intrinsic", "name": "unknown"}))


def call(signature_: dict[str, Any], before_result: str, result: bool = True) -> str:
    """Parameters and result, in one line."""
    shown = ", ".join(parameter(each) for each in given(signature_))
    new = "new " if signature_["kind"] == CONSTRUCTS and before_result == " => " else ""
    end = before_result + text(signature_["type"]) if result else ""
    return f"{new}{generic(signature_)}({shown}){end}"


def signature(of: dict[str, Any], name_: str, indent: str = "", arrow: bool = False, flat: bool = False) -> str:
    """A function by its name: one parameter a line where one line would be too long."""
    before = " => " if arrow else ": "
    # What a constructor makes is its class.
    result = of["kind"] != CONSTRUCTS or arrow
    line = name_ + call(of, before, result)
    if flat or len(indent) + len(line) <= WIDE:
        return line
    inner = indent + "  "
    lines = "".join(f"{inner}{parameter(each, inner)},\n" for each in given(of))
    start = name_ + generic(of)
    if len(indent) + len(start) > WIDE:
        start = f"{name_}<\n" + "".join(f"{inner}{variable(each)},\n" for each in of["typeParameters"]) + f"{indent}>"
    end = joined(before, written(of["type"], indent, 3)) if result else ""
    return f"{start}(\n{lines}{indent}){end}" if lines else f"{start}(){end}"


def given(of: dict[str, Any]) -> list[dict[str, Any]]:
    """What a caller writes between the parentheses: all parameters but `this`."""
    return [each for each in of.get("parameters", ()) if each["name"] != "this"]


def parameter(of: dict[str, Any], indent: str | None = None) -> str:
    flags = of["flags"]
    optional = "?" if flags.get("isOptional") or "defaultValue" in of else ""
    start = ("..." if flags.get("isRest") else "") + called(of) + optional
    return joined(f"{start}: ", text(of["type"]) if indent is None else written(of["type"], indent, len(start) + 3))


def called(of: dict[str, Any]) -> str:
    """A parameter's name: one that the function takes apart has none, and in front of one that a class
    keeps, or a function does not use, is a mark that is of no use to who calls it.
    """
    return "options" if of["name"] == "__namedParameters" else str(of["name"]).removeprefix("_")


def generic(of: dict[str, Any]) -> str:
    given = ", ".join(variable(each) for each in of.get("typeParameters", ()))
    return f"<{given}>" if given else ""


def variable(of: dict[str, Any]) -> str:
    """A type parameter."""
    bound = f" extends {text(of['type'])}" if "type" in of else ""
    default = f" = {text(of['default'])}" if "default" in of else ""
    return f"{of['name']}{bound}{default}"
