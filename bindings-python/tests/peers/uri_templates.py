"""What either package makes of templates nobody would write: `uri_templates.py mcp | mcpbolt SEED`.

Prints a line of JSON for each: what is wrong with it, or what it is and what it makes of
values and URIs.
"""

import importlib
import json
import random
import sys
from typing import Any

uris = importlib.import_module(f"{sys.argv[1]}.shared.uri_template")
chance = random.Random(int(sys.argv[2]))
TEMPLATES = 4000
LITERALS = ["a", "x://", "/", "-", "?", "#", "&", "=", "a=", "..", "prefix-", "%2F", "id", ";k", ",", "?f=1", "aa", "}"]
NAMES = ["a", "b", "c", "id", "k", "a.b", "x_1"]
WRONG = ["bad-", "a:3", "", "é", "a..b", "*", ".a"]
VALUES: list[Any] = ["", "a", "x/y", "..", "a b", "%41", "%", "é", "a=b", "?", "#", ",", ";k", "k", ".", "&", "prefix-1"]
LISTS: list[Any] = [["a", "b"], [], [""], ["a", "", "c/d"], ["k=1"], ("t", "u"), 3, None, ["a", 1], b"x"]
PIECES = ["/", "?", "#", "&", "=", ".", "a", ";k", ";k=", "%2F", ",", "..", "id", "&a=1", "?a=2", "x"]


def expression() -> str:
    operator = chance.choice(["", "", "+", "#", ".", "/", ";", "?", "&", "!"])
    names = [chance.choice(NAMES if chance.random() < 0.97 else WRONG) for _ in range(chance.choice([1, 1, 1, 2, 3]))]
    return "{" + operator + ",".join(name + "*" * (chance.random() < 0.2) for name in names) + "}"


def written() -> str:
    parts = [chance.choice(LITERALS) if chance.random() < 0.5 else expression() for _ in range(chance.randint(0, 6))]
    return "".join(parts) + "{" * (chance.random() < 0.02)


def changed(uri: str) -> str:
    letters = list(uri)
    for _ in range(chance.randint(1, 3)):
        place = chance.randint(0, len(letters))
        if letters and chance.random() < 0.5:
            letters.pop(min(place, len(letters) - 1))
        else:
            letters.insert(place, chance.choice(PIECES))
    return "".join(letters)


def row(text: str) -> list[Any]:
    try:
        template = uris.UriTemplate.parse(text, max_length=60, max_variables=5)
    except uris.InvalidUriTemplate as error:
        return [text, str(error), error.position, error.template]
    names = template.variable_names
    said: list[Any] = [[v.name, v.operator, v.explode] for v in template.variables]
    said += [names, sorted(template.query_variable_names), str(template), uris.UriTemplate.is_template(text)]
    made: list[str] = []
    for _ in range(6):
        values = {name: chance.choice(VALUES if chance.random() < 0.8 else LISTS) for name in names if chance.random() < 0.9}
        try:
            made.append(template.expand(values))
        except TypeError as error:
            said.append(str(error))
    made += [changed(uri) for uri in made]
    made += ["".join(chance.choice([*LITERALS, "1"]) for _ in range(chance.randint(0, 6))) for _ in range(3)]
    return [text, said, *([uri, list((template.match(uri) or {"no": 0}).items())] for uri in made)]


for _ in range(TEMPLATES):
    print(json.dumps(row(written())))
