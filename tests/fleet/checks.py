"""What a fleet has to do.

Owns: one function for each promise of docs/guide/nodes.md. Must not know: how programs are started.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from processes import Balancer, Failed, Program, until
from talk import Client, Refused, Stream, Talker, health, text_of


@dataclass
class Fleet:
    """A store, its nodes, and what is in front of them."""

    store: Program
    nodes: list[Program]
    balancer: Balancer
    # Where nodes write what they ran, a line each.
    runs: Path
    # What starts the official clients, by their names.
    official: dict[str, list[str]]
    # What starts ours, which look at something for each line.
    readers: dict[str, list[str]]


def expect(holds: bool, what: str) -> None:
    """Raises unless something is as it has to be.

    Raises:
        Failed: It is not.
    """
    if not holds:
        raise Failed(what)


def any_node_serves_a_session(fleet: Fleet) -> str:
    client = Client.open(fleet.balancer.port)
    answers = [client.call("echo", text=f"call {n}") for n in range(4 * len(fleet.nodes))]
    expect([answer.partition(":")[2] for answer in answers] == [f"call {n}" for n in range(len(answers))], str(answers))
    names = {answer.partition(":")[0] for answer in answers}
    expect(names == {node.name for node in fleet.nodes}, f"only {names} answered")
    return f"{len(answers)} calls of one session, answered by {', '.join(sorted(names))}"


def a_stream_resumes_on_another_node(fleet: Fleet) -> str:
    for here, there in zip(fleet.nodes, fleet.nodes[1:] + fleet.nodes[:1], strict=True):
        client = Client.open(here.port)
        stream = client.stream("count", to=6, pause_ms=150)
        seen, last = _read(stream, 2)
        stream.leave()
        expect(last is not None, f"{here.name}: events have no ids")
        rest, _ = _read(client.at(there.port).resume(last or ""), None)
        expect([*seen, *rest] == [1, 2, 3, 4, 5, 6, "counted to 6"], f"{here.name}, then {there.name}: {seen}, {rest}")
    return "each node's streams, on the next: no gap, nothing twice"


def _read(stream: Stream, most: int | None) -> tuple[list[Any], str | None]:
    """Steps and the answer, at most so many, and the id of the last event."""
    seen: list[Any] = []
    last = None
    for event in stream:
        last = event.id or last
        if event.message is None:
            continue
        if "id" in event.message:
            seen.append(text_of(event.message))
            break
        seen.append(event.message["params"]["progress"])
        if len(seen) == most:
            break
    return seen, last


def a_killed_node_loses_no_session(fleet: Fleet) -> str:
    for killed in fleet.nodes:
        client = Client.open(killed.port)
        client.call("echo", text="before")
        killed.kill()
        others = [node for node in fleet.nodes if node is not killed]
        for node in others:
            said = client.at(node.port).call("echo", text="after")
            expect(said == f"{node.name}:after", said)
        # Whatever the balancer still believes, it finds a node that lives.
        expect(client.at(fleet.balancer.port).call("echo", text="balanced").endswith(":balanced"), "no answer")
        killed.start()
        said = client.call("echo", text="again")
        expect(said == f"{killed.name}:again", said)
    return "each node killed once: its sessions go on elsewhere, and at itself when it is back"


def what_happens_without_the_store(fleet: Fleet) -> str:
    old = Client.open(fleet.balancer.port)
    old.call("echo", text="before")
    watched = [node for node in fleet.nodes if health_of(node) == "200 ok"]
    with ThreadPoolExecutor() as pool:
        streams = [Client.open(node.port).stream("count", to=5, pause_ms=600) for node in fleet.nodes]
        running = [pool.submit(_read, stream, None) for stream in streams]
        fleet.store.kill()
        until(lambda: _refusal(fleet) is not None, "a new session is refused")
        status, headers = _refusal(fleet) or (0, {})
        expect(status == 503 and "retry-after" in headers, f"a new session gets {status} {headers}")
        for node in watched:
            expect("store" in health_of(node), f"{node.name} says {health_of(node)}")
        for node, call in zip(fleet.nodes, running, strict=True):
            seen, _ = call.result()
            expect(seen == [1, 2, 3, 4, 5, "counted to 5"], f"{node.name}: a running call had {seen}")
    fleet.store.start()
    until(lambda: all(opens(node.port) for node in fleet.nodes), "new sessions on all nodes")
    for node in fleet.nodes:
        expect(old.at(node.port).call("echo", text="after") == f"{node.name}:after", "the old session is lost")
    for node in watched:
        until(lambda node=node: health_of(node) == "200 ok", f"{node.name} is well again")
    return "running calls end, new sessions wait with 503, health says why, and all is there again"


def health_of(node: Program) -> str:
    return health(node.port)


def _refusal(fleet: Fleet) -> tuple[int, dict[str, str]] | None:
    try:
        Client.open(fleet.balancer.port)
    except Refused as refused:
        return refused.status, refused.headers
    return None


def opens(port: int) -> bool:
    """Whether a session can be begun there."""
    try:
        Client.open(port)
    except Refused:
        return False
    return True


def a_stream_of_a_killed_node_ends(fleet: Fleet) -> str:
    for killed, there in zip(fleet.nodes, fleet.nodes[1:] + fleet.nodes[:1], strict=True):
        client = Client.open(killed.port)
        stream = client.stream("count", to=1000, pause_ms=100)
        _, last = _read(stream, 2)
        killed.kill()
        stream.leave()
        rest = [event.message for event in client.at(there.port).resume(last or "") if event.message is not None]
        *steps, answer = rest or [{}]
        expect(all("progress" in step.get("params", {}) for step in steps), f"{killed.name}: {steps}")
        reason = answer.get("error", {}).get("data", {}).get("reason")
        expect("id" in answer and reason == "node_gone", f"{killed.name}: the stream ends with {answer}")
        killed.start()
    return "what was written before can be read, then the request ends with an error"


def official_clients_go_on(fleet: Fleet) -> str:
    url = f"http://127.0.0.1:{fleet.balancer.port}/mcp"
    for name, command in fleet.official.items():
        with Talker([*command, url]) as client:
            said = [client.say(f"call {n}") for n in range(4 * len(fleet.nodes))]
            expect([one.partition(":")[2] for one in said] == [f"call {n}" for n in range(len(said))], f"{name}: {said}")
            for killed in fleet.nodes:
                killed.kill()
                said = [client.say("on"), client.say("and on")]
                names = {one.partition(":")[0] for one in said}
                expect(said[1].endswith(":and on") and killed.name not in names, f"{name}: {said}")
                killed.start()
    return f"{', '.join(fleet.official) or 'none is here'}: each over all nodes, each of which was killed"


def our_clients_ask_again(fleet: Fleet) -> str:
    url = f"http://127.0.0.1:{fleet.balancer.port}/mcp"
    for name, command in fleet.readers.items():
        with Talker([*command, url]) as client, ThreadPoolExecutor() as pool:
            for number in range(len(fleet.nodes)):
                what = f"{name}-{number}".replace(" ", "-")
                said = pool.submit(client.say, what)
                until(lambda what=what: bool(_looking(fleet, what)), f"{name}: a node looks")
                killed = _looking(fleet, what)[0]
                killed.kill()
                node, _, text = said.result().partition(":")
                expect(text == what and node != killed.name, f"{name}, whose {killed.name} was killed: {said.result()}")
                killed.start()
    return f"{', '.join(fleet.readers)}: what was asked of a node that was killed is answered by another"


def _looking(fleet: Fleet, what: str) -> list[Program]:
    """The nodes that looked at something, the first one first."""
    lines = fleet.runs.read_text().splitlines()
    nodes = {f"{node.name} looks at {what}": node for node in fleet.nodes}
    return [nodes[line] for line in lines if line in nodes]


# These take a minute.
LONG_CHECKS: list[Callable[[Fleet], str]] = [a_stream_of_a_killed_node_ends]

CHECKS: list[Callable[[Fleet], str]] = [
    any_node_serves_a_session,
    a_stream_resumes_on_another_node,
    a_killed_node_loses_no_session,
    what_happens_without_the_store,
    official_clients_go_on,
    our_clients_ask_again,
]
