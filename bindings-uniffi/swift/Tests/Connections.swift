// How connections begin and end, and what a program learns when they, or what comes on them, are not as they should be.
import Foundation

@testable import MCPBolt

/// A server of a few lines: shakes hands, and ends when it is told `acme/end`.
private let smallServer = #"""
    while read -r line; do
      case "$line" in
        *acme/end*) exit 1 ;;
        *'"initialize"'*)
          id=$(printf '%s' "$line" | sed 's/.*"id": *\([0-9]*\).*/\1/')
          printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"small","version":"1"}}}\n' "$id" ;;
      esac
    done
    """#

func small(_ script: String = smallServer) -> StdioClientTransport { StdioClientTransport(command: "sh", args: ["-c", script]) }

func someone() -> Client { Client(name: "tests", version: "1") }

/// Whether a process runs that was started here.
private func hasChildren() -> Bool {
    let me = ProcessInfo.processInfo.processIdentifier
    let all = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).filter { Int($0) != nil }
    return all.contains { process in
        // After the name, which may have blanks: the state, then the parent.
        let stat = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
        let words = stat.split(separator: ")").last?.split(separator: " ") ?? []
        return words.count > 1 && words[0] != "Z" && words[1] == "\(me)"
    }
}

/// Until no process that was started here is left.
func noChildren() async throws { try await until({ "a process stays" }) { !hasChildren() } }

/// Runs a body where programs close what they have: in a task that was cancelled.
private func whereCancelled(_ body: @escaping @Sendable () async -> Void) async throws {
    let task = Task {
        await cancelled()
        await body()
    }
    task.cancel()
    try await soon { await task.value }
}

/// One that shakes hands, closes its standard input, says so, and stays.
private let deafServer = #"""
    read -r line
    id=$(printf '%s' "$line" | sed 's/.*"id": *\([0-9]*\).*/\1/')
    printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"deaf","version":"1"}}}\n' "$id"
    read -r line
    exec 0<&-
    printf '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n'
    sleep 60
    """#

/// What something is found by that it does not keep.
private final class Weak<T: AnyObject>: @unchecked Sendable { weak var value: T? }

/// An ask, and a result for it that is none.
private let shapeless: [(method: String, result: Value, ask: @Sendable (Client) async throws -> Void)] = [
    ("tools/list", ["tools": 5], { _ = try await $0.listTools() }),
    ("tools/list", [:], { _ = try await $0.listTools() }),
    ("prompts/get", ["messages": [["role": "user"]]], { _ = try await $0.getPrompt(name: "p") }),
    ("resources/read", ["contents": "x"], { _ = try await $0.readResource(uri: "a:b") }),
    ("tools/call", ["content": 5], { _ = try await $0.callTool(name: "t") }),
]

let connectionCases: [Case] = [
    Case(name: "a_server_that_closes_its_input_costs_its_connection_and_not_the_program") {
        let (client, notes) = (someone(), Notes())
        await client.onNotification(ToolListChangedNotification.self) { _ in await notes.add("deaf") }
        _ = try await soon { try await client.connect(transport: small(deafServer)) }
        try await notes.has("deaf")
        _ = try await soon { try await failure { try await client.listTools() } }
        await client.disconnect()
    },
    Case(name: "a_case_matches_whatever_it_carries") {
        let server = try await echoServer()
        try await server.addTool("odd") { _, _ in throw MCPError.invalidParams("n is odd", data: ["n": 3]) }
        let client = someone()
        try await client.connect(to: server)
        do {
            _ = try await client.callTool(name: "odd")
            throw Fault("it did not fail")
        } catch MCPError.invalidParams(let words, let data) {
            try equal(words, "n is odd")
            try equal(data, ["n": 3])
        }
        await client.disconnect()
        let kinds = [
            "parse", "invalid_request", "method_not_found", "invalid_params", "internal", "resource_not_found", "timeout", "closed",
            "cancelled", "overloaded", "transport", "protocol", "unauthorized", "forbidden", "store", "usage",
        ]
        for kind in kinds {
            let error = MCPError(kind: kind, code: -1, message: "as told", data: ["more": 1])
            try equal([error.kind, error.message, error.data?.text ?? ""], [kind, "as told", "{\"more\":1}"])
        }
        // What was told without more equals what is made by hand.
        try equal(MCPError(kind: "closed", code: -1, message: "the connection is closed", data: nil), .connectionClosed)
        try equal(MCPError(kind: "usage", code: -1, message: "no", data: nil), .usage("no"))
        try equal(
            MCPError(kind: "resource_not_found", code: -1, message: "Resource not found: a:b", data: ["uri": "a:b"]),
            .resourceNotFound(uri: "a:b"))
    },
    Case(name: "the_end_of_a_process_is_a_closed_connection") {
        let client = someone()
        _ = try await soon { try await client.connect(transport: small()) }
        do {
            _ = try await soon { try await client.request("acme/end") }
            throw Fault("it did not fail")
        } catch MCPError.connectionClosed(let words, _) {
            try expect(words != nil, "nothing says why")
        }
        await client.disconnect()
        try await noChildren()
    },
    Case(name: "a_result_without_its_shape_is_a_fault_of_the_servers") {
        for (method, result, ask) in shapeless {
            let server = Server(
                name: "odd", version: "1", capabilities: .init(prompts: .init(), resources: .init(), tools: .init()))
            await server.withMethodHandler(method) { _, _ in result }
            let client = someone()
            try await client.connect(to: server)
            do {
                try await soon { try await ask(client) }
                throw Fault("\(method) did not fail")
            } catch MCPError.protocolViolation(let words, _) {
                try expect(words?.contains(method) == true, words ?? "")
            }
            await client.disconnect()
        }
    },
    Case(name: "of_two_that_connect_at_once_one_is_refused_and_no_process_stays") {
        let client = someone()
        let gate = FileManager.default.temporaryDirectory.appendingPathComponent("mcpbolt-\(ProcessInfo.processInfo.processIdentifier)-gate")
        defer { try? FileManager.default.removeItem(at: gate) }
        let slow = "while [ ! -e '\(gate.path)' ]; do sleep 0.01; done\n" + smallServer
        let first = Task { try await client.connect(transport: small(slow)) }
        try await until({ "nothing was begun" }) { await client.isConnecting }
        let error = try await failure { try await client.connect(transport: small()) }
        try equal((error as? MCPError)?.kind, "usage")
        try Data().write(to: gate)
        _ = try await soon { try await first.value }
        try equal(await client.session?.state, .ready)
        await client.disconnect()
        try await noChildren()
        // As good as new.
        _ = try await soon { try await client.connect(transport: small()) }
        await client.disconnect()
        try await noChildren()
    },
    Case(name: "disconnecting_while_it_connects_ends_that_and_its_process") {
        let client = someone()
        let connecting = Task { try await client.connect(transport: small("cat > /dev/null")) }
        try await until({ "nothing was begun" }) { await client.isConnecting }
        try await soon { await client.disconnect() }
        let error = try await soon { try await failure { try await connecting.value } }
        try equal((error as? MCPError)?.kind, "closed")
        try await noChildren()
    },
    Case(name: "disconnecting_while_the_connection_before_is_closed_ends_what_is_begun") {
        let (server, client, gate) = (try await echoServer(), someone(), Gate())
        defer { gate.open() }
        let pairs = [await InMemoryTransport.createConnectedPair(), await InMemoryTransport.createConnectedPair()]
        for pair in pairs { try await server.start(transport: pair.server) }
        let plug = Plug(pairs[0].client, gate)
        _ = try await soon { try await client.connect(transport: plug) }
        let connecting = Task { try await client.connect(transport: pairs[1].client) }
        try await until({ "the connection before stays open" }) { await plug.closed == 1 }
        try await soon { await client.disconnect() }
        gate.open()
        let error = try await soon { try await failure { try await connecting.value } }
        try equal((error as? MCPError)?.kind, "closed")
        try expect(await client.session == nil, "a session stays")
        await server.stop()
    },
    Case(name: "what_is_connected_while_the_connection_before_ends_stays") {
        let (server, client, gate) = (try await echoServer(), someone(), Gate())
        defer { gate.open() }
        let pairs = [await InMemoryTransport.createConnectedPair(), await InMemoryTransport.createConnectedPair()]
        for pair in pairs { try await server.start(transport: pair.server) }
        let plug = Plug(pairs[0].client, gate)
        _ = try await soon { try await client.connect(transport: plug) }
        let ending = Task { await client.disconnect() }
        try await until({ "the connection before stays open" }) { await plug.closed == 1 }
        _ = try await soon { try await client.connect(transport: pairs[1].client) }
        gate.open()
        try await soon { await ending.value }
        try equal(said(try await client.callTool(name: "echo", arguments: ["text": "a"])), "a")
        await client.disconnect()
        try expect(await client.session == nil, "a session stays")
        await server.stop()
    },
    Case(name: "a_client_that_is_closed_sends_what_waits") {
        let (server, client, told, exit) = (try await echoServer(), someone(), Box(0), Gate())
        defer { exit.open() }
        await server.onNotification(RootsListChangedNotification.self) { _ in told.change { $0 += 1 } }
        let pair = await InMemoryTransport.createConnectedPair()
        try await server.start(transport: pair.server)
        let plug = Plug(pair.client, exit: exit)
        _ = try await soon { try await client.connect(transport: plug) }
        await plug.plug()
        try await client.notifyRootsChanged()
        try await exit.notes.has("waits")
        for _ in 2...3 { try await client.notifyRootsChanged() }
        let session = await client.session!
        let closing = Task { await client.disconnect() }
        try await until({ "it stays open" }) { !session.isOpen }
        exit.open()
        try await soon { await closing.value }
        try await until({ "not all was sent" }) { told.value == 3 }
        await server.stop()
    },
    Case(name: "what_is_closed_in_a_cancelled_task_is_closed_when_that_returns") {
        let client = someone()
        // It takes a moment to end.
        _ = try await soon { try await client.connect(transport: small(smallServer + "\nsleep 0.5")) }
        try await whereCancelled { await client.disconnect() }
        try expect(!hasChildren(), "its process is not waited for")
        let server = try await echoServer()
        _ = try await soon { try await client.connect(transport: HTTPClientTransport(endpoint: try await server.serveHttp().url)) }
        try await whereCancelled { await server.stop() }
        try equal(server.core.connections, [])
        await client.disconnect()
    },
    Case(name: "a_server_that_looks_at_who_begins_ends_when_it_is_dropped") {
        let (core, looked, client) = (Weak<ServerHost>(), Box(0), someone())
        var server: Server? = try await echoServer()
        core.value = server!.core
        let pair = await InMemoryTransport.createConnectedPair()
        try await server!.start(transport: pair.server) { _, _ in looked.change { $0 += 1 } }
        _ = try await soon { try await client.connect(transport: pair.client) }
        try equal(looked.value, 1)
        await client.disconnect()
        server = nil
        try await until({ "the server stays" }) { core.value == nil }
    },
    Case(name: "a_transport_that_connects_to_a_server_that_is_stopped_meanwhile_is_not_served") {
        let (server, entrance) = (try await echoServer(), Gate())
        defer { entrance.open() }
        let plug = Plug(await InMemoryTransport.createConnectedPair().server, entrance: entrance)
        let starting = Task { try await server.start(transport: plug) }
        try await entrance.notes.has("waits")
        try await soon { await server.stop() }
        entrance.open()
        let error = try await soon { try await failure { try await starting.value } }
        try equal((error as? MCPError)?.kind, "closed")
        try equal(await plug.closed, 1)
        try equal(server.core.connections, [])
    },
    Case(name: "a_stopped_server_can_be_started_again") {
        let server = try await echoServer()
        for round in 1...3 {
            let listener = try await server.serveHttp()
            for (at, connect) in try await ways(server).enumerated() {
                let client = someone()
                try await soon { try await connect.1(client) }
                try equal(said(try await client.callTool(name: "echo", arguments: ["text": "\(round) \(at)"])), "\(round) \(at)")
                await client.disconnect()
            }
            try await soon { await server.stop() }
            let error = try await failure { try await someone().connect(transport: HTTPClientTransport(endpoint: listener.url)) }
            try equal((error as? MCPError)?.kind, "transport")
        }
    },
    Case(name: "a_handler_of_initialized_runs_once_before_the_first_answer_on_both_eras") {
        for protocolVersion in ["2025-11-25", modern] {
            for overHttp in [false, true] {
                let (server, told) = (try await echoServer(), Box(0))
                await server.onNotification(InitializedNotification.self) { _ in
                    told.change { $0 += 1 }
                    if told.value == 1 { try await server.addTool("more") { _, _ in text("more") } }
                }
                let client = Client(name: "tests", version: "1", configuration: .init(protocolVersion: .init(protocolVersion)))
                if overHttp {
                    try await client.connect(transport: HTTPClientTransport(endpoint: try await server.serveHttp().url))
                } else {
                    try await client.connect(to: server)
                }
                // Only where there is no handshake does the first request wait for it.
                if protocolVersion != modern { try await until({ "nobody was told" }) { server.core.entry(.tools, "more") != nil } }
                for _ in 1...2 {
                    try equal(try await client.listTools().tools.last?.name, "more")
                    try equal(said(try await client.callTool(name: "more")), "more")
                }
                try equal(told.value, 1)
                await client.disconnect()
                await server.stop()
            }
        }
    },
    Case(name: "a_client_that_reconnects_asks_for_its_subscriptions_again_and_goes_on") {
        let server = Server(name: "tests", version: "1", capabilities: .init(resources: .init(subscribe: true), tools: .init()))
        try await server.addTool("echo") { args, _ in text(args["text"]?.stringValue ?? "") }
        let (asked, client) = (Box(0), Client(name: "tests", version: "1", configuration: .init(protocolVersion: .init(modern))))
        try await client.connect(transport: HTTPClientTransport(endpoint: try await server.serveHttp().url) { request in
            if request.value(forHTTPHeaderField: "Mcp-Method") == "subscriptions/listen" { asked.change { $0 += 1 } }
            return request
        })
        try await client.subscribeToResource(uri: "note://1")
        try equal(asked.value, 1)
        client.reconnect()
        try await until({ "it was not asked again" }) { asked.value == 2 }
        try equal(said(try await client.callTool(name: "echo", arguments: ["text": "a"])), "a")
        await client.disconnect()
        client.reconnect()
        await server.stop()
    },
    Case(name: "a_line_that_is_too_long_is_passed_over_and_the_last_needs_no_line_break") {
        let (input, output) = (Foundation.Pipe(), Foundation.Pipe())
        let transport = StdioTransport(input: input.fileHandleForReading, output: output.fileHandleForWriting, longest: 100)
        try await transport.connect()
        let long = String(repeating: "x", count: 1000)
        for part in ["{\"a\":1}\n\(long)", "\(long)\n{\"b\":2}\n", "{\"c\"", ":3}"] {
            try input.fileHandleForWriting.write(contentsOf: Data(part.utf8))
        }
        try input.fileHandleForWriting.close()
        let lines = try await soon {
            var lines: [String] = []
            for try await line in await transport.receive() { lines.append(String(decoding: line, as: UTF8.self)) }
            return lines
        }
        try equal(lines, ["{\"a\":1}", "{\"b\":2}", "{\"c\":3}"])
        await transport.disconnect()
    },
    Case(name: "a_wait_ends_when_its_task_is_cancelled") {
        let server = try await echoServer()
        _ = try await server.serveHttp()
        for early in [true, false] {
            let waiting = Task { await server.waitUntilCompleted() }
            if !early { try await until({ "nobody waits" }) { server.core.waits == 1 } }
            waiting.cancel()
            try await soon { await waiting.value }
        }
        await server.stop()
    },
    Case(name: "an_address_where_nobody_listens_is_said_to_refuse_connections_however_soon_it_does") {
        for _ in 1...20 {
            let transport = SSEClientTransport(endpoint: URL(string: "http://127.0.0.1:9/sse")!)
            let error = try await failure { _ = try await someone().connect(transport: transport) } as? MCPError
            try expect(error?.kind == "transport", "\(String(describing: error))")
        }
    },
    Case(name: "a_stream_says_what_it_dropped") {
        let fan = Fan<AnyNotification>(lost: LostNotification.of)
        let stream = fan.stream(first: nil, over: false, nil)
        let all = 25_000
        for n in 1...all { fan.yield(.init(method: "acme/n", params: ["n": .int(n)])) }
        fan.finish(nil)
        let seen = try await soon {
            var seen: [AnyNotification] = []
            for try await one in stream { seen.append(one) }
            return seen
        }
        try equal(try seen[0].decode(LostNotification.self)?.params.count, all - Fan<AnyNotification>.kept)
        try equal(seen.dropFirst().map { $0.params["n"]?.intValue ?? 0 }, Array((all - Fan<AnyNotification>.kept + 1)...all))
    },
    Case(name: "a_stream_that_nobody_reads_any_more_is_forgotten") {
        let fan = Fan<AnyNotification>(lost: LostNotification.of)
        fan.yield(.init(method: "acme/n", params: [:]))
        let reading = Task {
            for try await one in fan.stream(first: nil, over: false, nil) { return one.method }
            return ""
        }
        try await until({ "nobody reads" }) { fan.isRead }
        fan.yield(.init(method: "acme/n", params: [:]))
        try equal(try await soon { try await reading.value }, "acme/n")
        try await until({ "a reader is kept" }) { !fan.isRead }
        let waiting = Task { for try await _ in fan.stream(first: nil, over: false, nil) {} }
        try await until({ "nobody reads" }) { fan.isRead }
        waiting.cancel()
        _ = try await soon { await waiting.result }
        try await until({ "a reader is kept" }) { !fan.isRead }
    },
    Case(name: "a_client_that_is_dropped_closes_the_transport_of_the_program_once") {
        for politely in [true, false] {
            let server = try await echoServer()
            let pair = await InMemoryTransport.createConnectedPair()
            try await server.start(transport: pair.server)
            let plug = Plug(pair.client)
            var client: Client? = someone()
            _ = try await client!.connect(transport: plug)
            try equal(said(try await client!.callTool(name: "echo", arguments: ["text": "a"])), "a")
            let states = await client!.session!.states
            if politely { await client!.disconnect() }
            client = nil
            try await until({ "the transport stays open" }) { await plug.closed > 0 }
            // Who still reads a stream of the session finds its end.
            try await soon { for try await _ in states {} }
            try await soon { await server.stop() }
            try equal(await plug.closed, 1)
        }
    },
    Case(name: "telling_someone_who_takes_nothing_ends_when_the_task_is_cancelled") {
        let (server, client, notes) = (try await echoServer(), someone(), Notes())
        let pair = await InMemoryTransport.createConnectedPair()
        let plug = Plug(pair.server)
        try await server.addTool("flood") { _, call in
            await plug.plug()
            let flood = Task {
                let words = String(repeating: "x", count: 100_000)
                for step in 1... { try await call.reportProgress(Double(step), message: words) }
            }
            flood.cancel()
            let error = await flood.result.failure
            await notes.add("\(type(of: error!))")
            return text("")
        }
        try await server.start(transport: plug)
        _ = try await soon { try await client.connect(transport: pair.client) }
        let call = Task { try await client.callTool(name: "flood", options: .init(onProgress: { _ in })) }
        try await notes.has("CancellationError")
        call.cancel()
        await client.disconnect()
        await server.stop()
    },
]

extension Result {
    var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
