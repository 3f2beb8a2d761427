"""One name of the TypeScript package as Markdown, from the JSON of TypeDoc.

Owns: what is said of a class, an interface, a function or a type, and in which order. Must not
know: which names there are, or how a type is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from references import table
from typescript_types import CONSTRUCTS, WIDE, called, is_function, joined, literal, signature, text, type_of, written
from typescript_types import generic as variables
from typescript_types import property_ as property_line

ENUM, VARIABLE, FUNCTION, CLASS, INTERFACE, ALIAS = 8, 32, 64, 128, 256, 2097152
CONSTRUCTOR = 512
FOLLOWED = ("reference", "reflection", "conditional", "union")
Node = dict[str, Any]


class Links:
    """Where other names are shown: `to` gives the link of a name by its id, and the node of an id."""

    def __init__(self, by_id: dict[int, Node], to: Callable[[int], str | None]) -> None:
        self.by_id = by_id
        self.to = to

    def of(self, types: Iterable[Node], depth: int = 2) -> str:
        """The names in types that are shown, as links."""
        return ", ".join(dict.fromkeys(link for each in types for link in self.within(each, depth)))

    def within(self, of: Node, depth: int) -> Iterable[str]:
        """The same for one type. Names of functions and of other names, where they are not shown
        themselves, are followed so deep.
        """
        for target in named(of):
            node = self.by_id.get(target, {})
            link = self.one(target)
            if link is not None:
                yield link
            elif depth > 0 and node.get("type", {}).get("type") in FOLLOWED and self.is_ours(target):
                yield from self.within(node["type"], depth - 1)

    def one(self, target: int) -> str | None:
        """The link of a name that is shown, which may have another where it is used."""
        link = self.to(target)
        return None if link is None else f"[`{self.by_id[target]['name']}`]({link})"

    def is_ours(self, target: int) -> bool:
        """Whether a type belongs to a face, and not to the protocol, which has a reference of its own."""
        sources = self.by_id[target].get("sources", [{"fileName": "generated"}])
        return not sources[0]["fileName"].startswith(("generated/", "protocol/"))


def named(of: Any) -> Iterable[int]:
    """The references in a type."""
    if isinstance(of, dict):
        if of.get("type") == "reference" and isinstance(of.get("target"), int):
            yield of["target"]
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
            lines += [*comment(node), *enum(node)]
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
    made = [call for each in children if each["kind"] == CONSTRUCTOR for call in each["signatures"]]
    own, bases = without_bases(node, links)
    lines: list[str] = []
    if made:
        of_class = {"typeParameters": node.get("typeParameters", [])}
        lines += code(";\n".join(signature({**each, **of_class}, f"new {node['name']}") for each in made))
    lines += comment(node)
    if bases:
        lines += [f"Extends {', '.join(bases)}.", ""]
    lines += [*comment(made[0]), *parameters(made, links)] if made else []
    return [*lines, *members(node, [each for each in own if each["kind"] != CONSTRUCTOR], links, "class")]


def object_(node: Node, links: Links) -> list[str]:
    """An interface, or the type of an object: what it is made of, and its own members."""
    own, bases = parts_of(node, links) or ({}, [])
    lines = comment(node)
    if bases:
        lines += [f"Has the members of {' and '.join(bases)} too.", ""]
    calls = [one for one in own.get("signatures", ()) if one.get("comment")]
    lines += functions(calls, "", links) if calls else []
    return [*lines, *members(node, own.get("children", []), links, "interface")]


def without_bases(node: Node, links: Links) -> tuple[list[Node], list[str]]:
    """The members of a class or interface without those of bases that are shown themselves, and links
    to these bases.
    """
    bases: list[str] = []
    theirs: set[str] = set()
    waiting = list(node.get("extendedTypes", ()))
    while waiting:
        each = waiting.pop(0)
        target = each.get("target")
        base = links.by_id.get(target, {}) if isinstance(target, int) else {}
        link = links.one(target) if isinstance(target, int) else None
        if link is not None:
            bases.append(link)
            theirs |= {member["name"] for member in base.get("children", ())}
        elif each.get("package") == "typescript":
            bases.append(f"`{each['name']}`")
        waiting += base.get("extendedTypes", ()) if link is None else ()
    own = [each for each in node.get("children", ()) if "inheritedFrom" not in each or each["name"] not in theirs]
    return own, bases


def parts_of(node: Node, links: Links) -> tuple[Node, list[str]] | None:
    """The members of an interface, or of the type of an object, and links to parts that are shown
    themselves.
    """
    if "type" in node:
        return object_parts(node["type"], links, node["name"])
    own, bases = without_bases(node, links)
    return {**node, "children": [each for each in own if each["kind"] != CONSTRUCTOR]}, bases


def object_parts(of: Node, links: Links, name: str) -> tuple[Node, list[str]] | None:
    """The same of a type that has this name; nothing if it is none of an object."""
    if of["type"] == "reflection" and not of["declaration"].get("signatures"):
        return of["declaration"], []
    if of["type"] == "reference" and isinstance(of.get("target"), int):
        target = links.by_id.get(of["target"])
        if target is None:
            return None
        # What 2.x adds to has the same name there, and is shown as a whole.
        link = links.one(of["target"]) if target["name"] != name else None
        return ({}, [link]) if link is not None else parts_of(target, links)
    if of["type"] == "reference" and of.get("package") == "typescript" and of["name"] in ("Omit", "Pick"):
        return {}, [f"`{text(of)}`"]
    if of["type"] != "intersection":
        return None
    parts = [object_parts(each, links, name) for each in of["types"]]
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
        head = f"{kind} {node['name']}"
        named_only = f"<{', '.join(each['name'] for each in node.get('typeParameters', ()))}>".replace("<>", "")
        # A class has them with its constructor; else they stay, unless the line is too long.
        short = kind == "class" or len(head + variables(node)) > WIDE
        lines += code(f"{head}{named_only if short else variables(node)} {{\n{body}}}")
        lines += table("member", [row for each in plain for row in rows_of(each, each["name"], links)])
    for each in sorted((each for each in documented if each.get("signatures")), key=lambda each: each["name"]):
        static = "static " if each["flags"].get("isStatic") else ""
        optional = "?" if each["flags"].get("isOptional") else ""
        lines += [f"### `{node['name']}.{each['name']}`", ""]
        lines += functions(each["signatures"], f"{static}{each['name']}{optional}", links)
    return lines


def rows_of(member: Node, name: str, links: Links) -> list[tuple[str, str]]:
    """A member of an object, and those of the object that it is, where that has no name."""
    rows = [(f"`{name}`", said)] if (said := meaning(member, links)) else []
    of = type_of(member)
    parts = of["types"] if of["type"] == "intersection" else [of]
    children = [each for part in parts if part["type"] == "reflection" for each in inside(part, links)]
    return [*rows, *(row for each in children for row in rows_of(each, f"{name}.{each['name']}", links))]


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
    known: dict[str, str] = {}
    for group in groups:
        lines += code(";\n".join(line_of(each, name) for each in group))
        lines += [*comment(group[0]), *parameters(group, links, known)]
    return lines


def line_of(call: Node, name: str) -> str:
    """A constant has a function as its type, or a class; all else is one."""
    if name.startswith("const ") and call["kind"] == CONSTRUCTS:
        return signature(call, f"new {name.removeprefix('const ')}")
    return f"{name}: {signature(call, '', arrow=True)}" if name.startswith("const ") else signature(call, name)


def parameters(calls: list[Node], links: Links, known: dict[str, str] | None = None) -> list[str]:
    """What each parameter means, also the members of objects whose type is not shown itself unless
    that is `known`, and which names the result is made of.
    """
    rows: dict[str, str] = {}
    known = {} if known is None else known
    for call in calls:
        for each in call.get("parameters", ()):
            if said := meaning(each, links):
                rows.setdefault(f"`{called(each)}`", said)
            for member in inside(each["type"], links):
                for name, said in rows_of(member, f"{called(each)}.{member['name']}", links):
                    if known.get(name) != said:
                        rows.setdefault(name, said)
    known |= rows
    lines = table("parameter", list(rows.items())) if rows else []
    made = calls[0]["kind"] == CONSTRUCTS
    found = "" if made else links.of((call.get("type", {}) for call in calls), depth=0)
    return [*lines, f"Returns {found}.", ""] if found else lines


def inside(of: Node, links: Links) -> list[Node]:
    """The members of a type that has no name of its own, or none that is shown."""
    if of["type"] == "reflection":
        return list(of["declaration"].get("children", ()))
    target = of.get("target")
    node = links.by_id.get(target, {}) if isinstance(target, int) else {}
    if node.get("kind") not in (INTERFACE, ALIAS) or links.to(node["id"]) is not None or not links.is_ours(node["id"]):
        return []
    return list((parts_of(node, links) or ({}, []))[0].get("children", ()))


def details(node: Node, links: Links) -> list[str]:
    """What the parameters of a function's type mean, or the members of the objects it may be."""
    of = node.get("type", {})
    calls = of["declaration"]["signatures"] if is_function(of) else []
    found = parameters(calls, links) if calls else []
    either = [member for each in of.get("types", ()) if each["type"] == "reflection" for member in inside(each, links)]
    if rows := [row for each in either for row in rows_of(each, each["name"], links)]:
        found += table("member", rows)
    if not found and (others := links.of([of])):
        return [f"See {others}.", ""]
    return found


def alias(node: Node) -> list[str]:
    if node["kind"] == VARIABLE:
        start = f"const {node['name']}: "
    else:
        start = f"type {node['name']}{variables(node)} = "
    return code(joined(start, written(node["type"], "", len(start))))


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
    tags = [(each["tag"], of_tag(each)) for each in said.get("blockTags", ())]
    lines: list[str] = []
    for tag, what in tags:
        if tag == "@deprecated":
            lines += [f"**Deprecated.** {what[:1].upper()}{what[1:]}", ""]
    if "@experimental" in said.get("modifierTags", ()):
        lines += ["**Experimental.**", ""]
    lines += [words(said), ""] if words(said) else []
    for tag, what in tags:
        if tag == "@returns":
            lines += [f"Returns {what}", ""]
        elif tag == "@throws":
            lines += [f"Throws {re.sub('^If', 'if', what)}", ""]
        elif tag == "@example":
            lines += [what, ""]
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
    others = links.of([type_of(node)], depth=1) if links is not None and line else ""
    return f"{line} See {others}." if others else line
