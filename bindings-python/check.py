"""The boundary from Python, in memory and over a child's stdio.

Run by check.sh with the built extension on the path.
"""

import asyncio
import contextvars
import json
import subprocess
import sys
import threading
import time

from mcpbolt._mcpbolt import Inbox, Server

BATCH = (64, 1 << 20)
TOOLS = [
    {"tool": {"name": "echo", "inputSchema": {"type": "object"}}},
    {"tool": {"name": "sync", "inputSchema": {"type": "object"}}, "worker": True},
]
FORM = json.dumps({"message": "?", "requestedSchema": {"type": "object", "properties": {}}})
DONE = json.dumps({"content": []})


def new_server(inbox, **options):
    server = Server(json.dumps(options), [inbox])
    about = {"serverInfo": {"name": "py", "version": "1"}, "capabilities": {"tools": {}}}
    server.set_snapshot("server", 0, json.dumps(about))
    server.set_snapshot("tools", 0, json.dumps(TOOLS))
    return server


def message(id, method, **params):
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).encode()


def call(id, name="echo", **arguments):
    return message(id, "tools/call", name=name, arguments=arguments)


def modern(id, **more):
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
    }
    return message(id, "tools/call", name="echo", arguments={}, _meta=meta, **more)


HELLO = message(
    0, "initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "t", "version": "1"}
)
INITIALIZED = b'{"jsonrpc":"2.0","method":"notifications/initialized"}'


class Loop:
    """A small facade: one task per call, woken through the inbox's descriptor."""

    def __init__(self, inbox, handler):
        self.inbox, self.handler = inbox, handler
        self.loop = asyncio.get_running_loop()
        self.tasks, self.waiting, self.contexts = {}, {}, {}
        self.done, self.other = [], asyncio.Queue()
        # In an empty context, so that no call inherits another's.
        contextvars.Context().run(self.loop.add_reader, inbox.fileno(), self.drain)

    def drain(self):
        for item in self.inbox.take(*BATCH):
            kind = item[0]
            if kind == "request":
                context = self.contexts.get(item[3]) or contextvars.Context()
                task = context.run(self.loop.create_task, self.run(item))
                self.tasks[item[1]] = task
            elif kind == "cancel":
                if task := self.tasks.get(item[1]):
                    task.cancel()
            elif kind in ("response", "writable") and item[1] in self.waiting:
                self.waiting.pop(item[1]).set_result(item)
            elif kind == "closed":
                self.other.put_nowait(item)
            else:
                self.other.put_nowait(item)
        self.loop.call_soon(self.inbox.drained)

    async def run(self, item):
        try:
            result = await self.handler(self, item)
        except asyncio.CancelledError:
            result = DONE  # dropped: the client does not want it
        self.tasks.pop(item[1], None)
        if not self.done:
            self.loop.call_soon(self.flush)
        self.done.append((item[1], result))

    def flush(self):
        done, self.done = self.done, []
        self.inbox.complete_many(done)

    def wait(self, number):
        self.waiting[number] = self.loop.create_future()
        return self.waiting[number]

    async def item(self, kind):
        while (item := await asyncio.wait_for(self.other.get(), 5))[0] != kind:
            pass
        return item


USER = contextvars.ContextVar("user", default="nobody")


async def handler(host, item):
    _, call, _, origin, _, name, params, _ = item
    what = params.get("arguments", {}).get("do")
    if what == "hang":
        await asyncio.Event().wait()
    if what == "who":
        return json.dumps({"content": [{"type": "text", "text": USER.get()}]})
    if what == "ask":
        answer = await host.wait(host.inbox.request_in_turn(call, "elicitation/create", FORM))
        return json.dumps({"content": [{"type": "text", "text": answer[4]["action"]}]})
    if what == "flood":
        n = 0
        while host.inbox.send(call, "notifications/progress", json.dumps({"progress": n, "message": "x" * 99})) == "sent":
            n += 1
        await host.wait(call)
        assert host.inbox.send(call, "notifications/progress", json.dumps({"progress": n})) == "sent"
    return json.dumps({"content": [{"type": "text", "text": params.get("arguments", {}).get("text", "")}]})


async def in_memory():
    inbox = Inbox()
    server = new_server(inbox, send_queue={"bytes": 2000})
    host = Loop(inbox, handler)
    connection = server.connect(False)
    feed = lambda data, origin=0: [json.loads(m) for m in server.feed(connection, data, origin)]
    out = lambda: [json.loads(m) for m in server.take_outgoing(connection)]
    assert feed(HELLO)[0]["result"]["serverInfo"]["name"] == "py"
    feed(INITIALIZED)

    assert feed(call(1, text="hi")) == []
    await host.item("outgoing")
    assert out()[0]["result"]["content"][0]["text"] == "hi"

    # Cancelled while queued: never delivered. Cancelled while running: the task is.
    feed(call(2, do="hang"))
    feed(b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}')
    feed(call(3, do="hang"))
    while not host.tasks:
        await asyncio.sleep(0)
    assert len(host.tasks) == 1
    feed(b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}')
    while host.tasks:
        await asyncio.sleep(0)
    host.flush()
    assert out() == []

    # A cancelled wait loses nothing: the data is taken by nobody but take().
    waiting = asyncio.create_task(host.item("never"))
    await asyncio.sleep(0)
    waiting.cancel()
    feed(call(4, text="kept"))
    await host.item("outgoing")
    assert out()[0]["id"] == 4

    # Full, then Writable.
    flood = message(5, "tools/call", name="echo", arguments={"do": "flood"}, _meta={"progressToken": 1})
    feed(flood)
    while 5 not in [m.get("id") for m in out()]:
        await asyncio.sleep(0)

    # Each call in the context its origin names.
    for origin, user in ((7, "ann"), (8, "bob")):
        context = contextvars.Context()
        context.run(USER.set, user)
        host.contexts[origin] = context
        feed(call(origin, do="who"), origin)
    users = []
    while len(users) < 2:
        users += [m["result"]["content"][0]["text"] for m in out()]
        await asyncio.sleep(0)
    assert users == ["ann", "bob"], users

    # Park and go on with the retry.
    other = server.connect(False)
    ask = {"name": "echo", "arguments": {"do": "ask"}}
    meta = json.loads(modern(1))["params"]["_meta"]
    server.feed(other, message(1, "tools/call", **ask, _meta=meta), 0)
    replies = []
    while not replies:
        replies = server.take_outgoing(other)
        await asyncio.sleep(0)
    reply = json.loads(replies[0])
    assert reply["result"]["resultType"] == "input_required", reply
    answers = {key: {"action": "decline"} for key in reply["result"]["inputRequests"]}
    state = reply["result"]["requestState"]
    server.feed(other, message(2, "tools/call", **ask, _meta=meta, inputResponses=answers, requestState=state), 0)
    replies = []
    while not replies:
        replies = server.take_outgoing(other)
        await asyncio.sleep(0)
    assert json.loads(replies[0])["result"]["content"][0]["text"] == "decline", replies

    # A service of the host's: asked on another thread, answered on the loop.
    asked = asyncio.get_running_loop().run_in_executor(None, inbox.ask_host, "store.get", '{"key":"k"}')
    item = await host.item("ask")
    assert item[2:] == ("store.get", {"key": "k"})
    assert inbox.complete(item[1], '"value"')
    assert await asked == "value"

    # Sync tools on Python's own threads.
    def work():
        item = inbox.take_sync(5)
        inbox.complete(item[1], json.dumps({"content": [], "thread": threading.current_thread().name}))

    thread = threading.Thread(target=work, name="worker")
    thread.start()
    feed(call(9, "sync"))
    thread.join()
    assert out()[0]["result"]["thread"] == "worker"

    server.disconnect(connection)
    await host.item("closed")
    assert inbox.settle(5)
    print("ok: in memory")


def bench_in_memory(total=64_000):
    inbox = Inbox()
    server = new_server(inbox)
    connection = server.connect(True)
    server.feed(connection, HELLO + b"\n" + INITIALIZED + b"\n", 0)
    inbox.take(*BATCH)
    lines = b"".join(call(n, text="hello") + b"\n" for n in range(1, 65))
    start = time.perf_counter()
    for _ in range(total // 64):
        server.feed(connection, lines, 0)
        done = []
        while len(done) < 64:
            done += [(i[1], DONE) for i in inbox.take(*BATCH) if i[0] == "request"]
        inbox.complete_many(done)
        assert len(server.take_outgoing(connection)) == 64
    print(f"bench: feed, take, complete_many: {total / (time.perf_counter() - start):,.0f} calls/s")


def child():
    async def main():
        inbox = Inbox()
        server = new_server(inbox)
        host = Loop(inbox, handler)
        def work():
            while item := inbox.take_sync(3600):
                inbox.complete(item[1], json.dumps({"content": [{"type": "text", "text": item[6]["arguments"]["text"]}]}))
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        server.listen_stdio()
        while (await host.other.get())[0] != "closed":
            pass
        inbox.close()
    asyncio.run(main())


def over_stdio(total=32_000):
    process = subprocess.Popen([sys.executable, __file__, "child"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    read, write = open(process.stdout.fileno(), "rb", closefd=False), process.stdin.write
    write(HELLO + b"\n" + INITIALIZED + b"\n")
    assert json.loads(read.readline())["result"]["serverInfo"]["name"] == "py"
    for name in ("echo", "sync"):
        write(call(1, name, text=name) + b"\n")
        assert json.loads(read.readline())["result"]["content"][0]["text"] == name
        lines = b"".join(call(n, name, text="hello") + b"\n" for n in range(1, 65))
        start = time.perf_counter()
        for _ in range(total // 64):
            write(lines)
            for _ in range(64):
                assert read.readline()
        print(f"bench: stdio, 64 in flight, {name}: {total / (time.perf_counter() - start):,.0f} calls/s")
    process.stdin.close()
    assert process.wait(5) == 0
    print("ok: stdio")


if __name__ == "__main__":
    if sys.argv[1:] == ["child"]:
        child()
    else:
        asyncio.run(in_memory())
        bench_in_memory()
        over_stdio()
