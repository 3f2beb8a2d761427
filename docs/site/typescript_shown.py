"""One name of the TypeScript package as Markdown, from the JSON of TypeDoc.

Owns: what is said of a class, an interface, a function or a type, and in which order. Must not
know: which names there are, or how a type is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from typescript_types import is_function, literal, signature, text, type_of, written
from typescript_types import generic as variables
from typescript_types import property_ as property_line

ENUM, VARIABLE, FUNCTION, CLASS, INTERFACE, ALIAS = 8, 32, 64, 128, 256, 2097152
ENUM_MEMBER, CONSTRUCTOR = 16, 512
Node = dict[str, Any]


class Links:
    """Where other names are shown: `to` gives the link of a name by its id, and the node of an id."""

    def __init__(self, by_id: dict[int, Node], to: Callable[[int], str | None]) -> None:
        self.by_id = by_id
        self.to = to

    def of(self, types: Iterable[Node]) -> str:
        """The names in types that are shown, as links."""
        found: dict[str, None] = {}
        for each in types:
            for target, name in named(each):
                link = self.to(target)
                if link is not None:
                    found[f"[`{name}`]({link})"] = None
        return ", ".join(found)


def named(of: Any) -> Iterable[tuple[int, str]]:
    """The references in a type."""
    if isinstance(of, dict):
        if of.get("type") == "reference" and isinstance(of.get("target"), int):
            yield of["target"], of["name"]
        for key, value in of.items():
            if key != "comment":
                yield from named(value)
    elif isinstance(of, list):
        for each in of:
            yield from named(each)


def shown(nodes: list[Node], links: Links) -> list[str]:
    """What a name is: a class, a function, a type, or a type and a value."""
    lines: list[str] = []
    for node in sorted(nodes, key=lambda node: node["kind"] == VARIABLE):
        kind = node["kind"]
        if kind == CLASS:
            lines += class_(node, links)
        elif kind in (FUNCTION, VARIABLE) and (calls := signatures(node)):
            lines += functions(calls, f"{'function ' if kind == FUNCTION else 'const '}{node['name']}", links)
        elif kind == ENUM:
            lines += [*enum(node), *comment(node)]
        elif kind in (INTERFACE, ALIAS) and parts_of(node, links) is not None:
            lines += object_(node, links)
        else:
            lines += [*alias(node), *comment(node), *details(node, links)]
    return lines


def signatures(node: Node) -> list[Node]:
    of = node.get("type", {})
    found = of.get("declaration", {}).get("signatures", ()) if of.get("type") == "reflection" else ()
    return [{**each, "comment": each.get("comment") or node.get("comment")} for each in node.get("signatures", found)]


def code(lines: str) -> list[str]:
    return ["```ts", lines, "```", ""]


def class_(node: Node, links: Links) -> list[str]:
    children = node.get("children", ())
    made = [each for each in children if each["kind"] == CONSTRUCTOR and each.get("signatures")]
    calls = made[0]["signatures"] if made else []
    lines: list[str] = []
    if calls:
        lines += code(";\n".join(signature({**each, "typeParameters": node.get("typeParameters", [])}, f"new {node['name']}") for each in calls))
    lines += comment(node)
    for each in calls[:1]:
        lines += [*comment(each), *parameters(calls, links)]
    return [*lines, *members(node, [each for each in children if each["kind"] != CONSTRUCTOR], links, "class")]


def object_(node: Node, links: Links) -> list[str]:
    """An interface, or the type of an object: what it is made of, and its own members."""
    own, bases = parts_of(node, links) or ({}, [])
    lines = comment(node)
    if bases:
        lines += [f"Has the members of {' and '.join(bases)} too.", ""]
    calls = [one for one in own.get("signatures", ()) if one.get("comment")]
    lines += functions(calls, "", links) if calls else []
    return [*lines, *members(node, own.get("children", []), links, "interface")]


def parts_of(node: Node, links: Links) -> tuple[Node, list[str]] | None:
    """The members of an interface, or of the type of an object."""
    return object_parts(node["type"], links) if "type" in node else (node, [])


def object_parts(of: Node, links: Links) -> tuple[Node, list[str]] | None:
    """The members of an object's type, those of its parts too, and links to parts that are shown
    themselves; nothing if it is of another kind.
    """
    if of["type"] == "reflection" and not of["declaration"].get("signatures"):
        return of["declaration"], []
    if of["type"] == "reference" and isinstance(of.get("target"), int):
        target = links.by_id.get(of["target"])
        if (link := links.to(of["target"])) is not None:
            return {}, [f"[`{of['name']}`]({link})"]
        return parts_of(target, links) if target is not None else None
    if of["type"] != "intersection":
        return None
    parts = [object_parts(each, links) for each in of["types"]]
    if None in parts:
        return None
    children: dict[str, Node] = {}
    bases: list[str] = []
    for own, others in (part for part in parts if part is not None):
        children |= {each["name"]: each for each in own.get("children", ())}
        bases += others
    return {"children": list(children.values())}, bases


def members(node: Node, children: list[Node], links: Links, kind: str) -> list[str]:
    """Properties as one block and one table, then each function under a heading."""
    documented = [each for each in children if not each["name"].startswith(("_", "[")) and has_words(each)]
    plain = [each for each in documented if not each.get("signatures")]
    lines: list[str] = []
    if plain:
        body = "".join(f"  {property_line(each, '  ')};\n" for each in plain)
        lines += code(f"{kind} {node['name']}{variables(node)} {{\n{body}}}")
        lines += table("member", [(f"`{each['name']}`", meaning(each, links)) for each in plain])
    for each in sorted((each for each in documented if each.get("signatures")), key=lambda each: each["name"]):
        static = "static " if each["flags"].get("isStatic") else ""
        optional = "?" if each["flags"].get("isOptional") else ""
        lines += [f"### `{node['name']}.{each['name']}`", ""]
        lines += functions(each["signatures"], f"{static}{each['name']}{optional}", links)
    return lines


def has_words(node: Node) -> bool:
    return bool(words(comment_of(node))) or any(words(each.get("comment")) for each in node.get("signatures", ()))


def functions(calls: list[Node], name: str, links: Links) -> list[str]:
    """The ways to call a function; those that say nothing new stand together."""
    groups: list[list[Node]] = []
    for each in calls:
        said = words(each.get("comment"))
        if groups and (not said or said == words(groups[-1][0].get("comment"))):
            groups[-1].append(each)
        else:
            groups.append([each])
    lines: list[str] = []
    for group in groups:
        lines += code(";\n".join(line_of(each, name) for each in group))
        lines += [*comment(group[0]), *parameters(group, links)]
    return lines


def line_of(call: Node, name: str) -> str:
    """A constant has a function as its type; all else is one."""
    return f"{name}: {signature(call, '', arrow=True)}" if name.startswith("const ") else signature(call, name)


def parameters(calls: list[Node], links: Links) -> list[str]:
    """What each parameter means, also the members of objects whose type has no name, and which names
    the result is made of.
    """
    rows: dict[str, str] = {}
    results: list[Node] = []
    for call in calls:
        results.append(call.get("type", {}))
        for each in call.get("parameters", ()):
            name = "options" if each["name"] == "__namedParameters" else each["name"]
            if said := meaning(each, links):
                rows.setdefault(f"`{name}`", said)
            of = each["type"]
            inside = of["declaration"].get("children", ()) if of["type"] == "reflection" else ()
            for member in inside:
                if said := meaning(member, links):
                    rows.setdefault(f"`{name}.{member['name']}`", said)
    lines = table("parameter", list(rows.items())) if rows else []
    found = links.of(results) if calls and calls[0]["kind"] != 16384 else ""
    return [*lines, f"Returns {found}.", ""] if found else lines


def details(node: Node, links: Links) -> list[str]:
    """What the parameters of a function's type mean."""
    of = node.get("type", {})
    calls = of["declaration"]["signatures"] if is_function(of) else []
    found = parameters(calls, links) if calls else []
    if not found and (others := links.of([of])):
        return [f"See {others}.", ""]
    return found


def alias(node: Node) -> list[str]:
    if node["kind"] == VARIABLE:
        start = f"const {node['name']}"
        return code(f"{start}: {written(node['type'], '', len(start) + 2)}")
    start = f"type {node['name']}{variables(node)} ="
    shown = written(node["type"], "", len(start) + 1)
    return code(f"{start}{'' if shown.startswith(chr(10)) else ' '}{shown}")


def enum(node: Node) -> list[str]:
    values = [(each["name"], literal(each["type"]["value"]), meaning(each)) for each in node["children"]]
    rows = [(f"`{name}`", f"`{value}`", said) for name, value, said in values]
    return ["| name | value | meaning |", "|---|---|---|", *(f"| {' | '.join(row)} |" for row in rows), ""]


def comment_of(node: Node) -> Node | None:
    for each in (node, node.get("getSignature", {}), node.get("setSignature", {})):
        if each.get("comment"):
            return dict(each["comment"])
    return None


def words(said: Node | None) -> str:
    return "".join(part["text"] for part in said["summary"]).strip() if said else ""


def comment(node: Node) -> list[str]:
    """The words of a comment: a warning first, what it throws, and examples."""
    said = comment_of(node)
    if said is None:
        return []
    lines: list[str] = []
    tags = said.get("blockTags", ())
    for each in tags:
        if each["tag"] == "@deprecated":
            lines += [f"**Deprecated.** {of_tag(each)}", ""]
    if "@experimental" in said.get("modifierTags", ()):
        lines += ["**Experimental.**", ""]
    lines += [words(said), ""] if words(said) else []
    for each in tags:
        if each["tag"] == "@returns":
            lines += [f"Returns {of_tag(each)}", ""]
        elif each["tag"] == "@throws":
            lines += [f"Throws {of_tag(each)}", ""]
        elif each["tag"] == "@example":
            lines += [of_tag(each), ""]
    return lines


def of_tag(tag: Node) -> str:
    said = "".join(part["text"] for part in tag["content"]).strip()
    return re.sub(r"^\{(\w+)\}", r"`\1`", said)


def meaning(node: Node, links: Links | None = None) -> str:
    """The words about a member or parameter in one line, and where its type is shown."""
    said = comment_of(node)
    found = words(said)
    for each in said.get("blockTags", ()) if said else ():
        if each["tag"] == "@deprecated":
            found = f"Deprecated. {of_tag(each)} {found}"
    line = " ".join(found.split()).replace("|", "\\|")
    others = links.of([type_of(node)]) if links is not None and line else ""
    return f"{line} ({others})" if others else line


def table(title: str, rows: list[tuple[str, str]]) -> list[str]:
    return [f"| {title} | meaning |", "|---|---|", *(f"| {name} | {said} |" for name, said in rows), ""]
