// What a program's telemetry gets of requests and sessions, on both sides and in both eras.
import Foundation

@testable import MCPBolt

/// Telemetry that keeps what it is told, with the current span in a task-local as a library of
/// tracing has it.
private final class Recorder: Telemetry, @unchecked Sendable {
    private let lock = NSLock()
    private var begun: [Recorded] = []
    private var measured: [MeasuredDuration] = []

    func begin(_ span: SpanDescription) -> any TelemetrySpan {
        let recorded = Recorded(span, self)
        lock.withLock { begun.append(recorded) }
        return recorded
    }

    func record(_ duration: MeasuredDuration) { lock.withLock { measured.append(duration) } }

    func spans(_ kind: SpanDescription.Kind, _ name: String) -> [Recorded] {
        lock.withLock { begun.filter { $0.span.kind == kind && $0.span.name == name } }
    }

    func span(_ kind: SpanDescription.Kind, _ name: String) throws -> Recorded {
        let found = spans(kind, name)
        if found.count == 1 { return found[0] }
        throw Fault("\(found.count) spans \(kind) \(name) among \(lock.withLock { begun.map(\.span.name) })")
    }

    /// The attributes of a histogram's measures, but of the request that asks who a modern server is.
    func measures(_ name: String) -> [[String: String]] {
        let all = lock.withLock { measured.filter { $0.histogram.name == name }.map(\.attributes) }
        return all.filter { $0["mcp.method.name"] != "server/discover" }
    }

    var durations: [MeasuredDuration] { lock.withLock { measured } }
}

private final class Recorded: TelemetrySpan, @unchecked Sendable {
    @TaskLocal static var current: Recorded?
    let span: SpanDescription
    let id = String(UInt64.random(in: 1 << 60 ... .max), radix: 16)
    let trace: String
    let parent: String?
    private let recorder: Recorder
    private let lock = NSLock()
    private var endings: [[String: String]?] = []
    private var added: [String: String] = [:]

    init(_ span: SpanDescription, _ recorder: Recorder) {
        (self.span, self.recorder) = (span, recorder)
        let sender = span.context["traceparent"]?.split(separator: "-").map(String.init) ?? []
        trace = sender.count == 4 ? sender[1] : Self.current?.trace ?? String(repeating: "a", count: 32)
        parent = sender.count == 4 ? sender[2] : Self.current?.id
    }

    var context: [String: String] { ["traceparent": "00-\(trace)-\(id)-01", "other": "not carried"] }

    func add(_ attributes: [String: String]) { lock.withLock { added.merge(attributes) { $1 } } }

    /// What is said of the request.
    var said: [String: String] { lock.withLock { span.attributes.merging(added) { $1 } } }

    func run<R: Sendable>(_ body: @Sendable () async throws -> R) async throws -> R {
        try await Self.$current.withValue(self) { try await body() }
    }

    func end(failure: [String: String]?, duration: MeasuredDuration) {
        lock.withLock { endings.append(failure) }
        recorder.record(duration)
    }

    var hasEnded: Bool { lock.withLock { !endings.isEmpty } }

    /// How it ended, once.
    func ending() throws -> [String: String]? {
        let all = lock.withLock { endings }
        if all.count == 1 { return all[0] }
        throw Fault("\(span.name) ended \(all.count) times")
    }
}

private struct Leak: Error {}

private let anything: Value = ["type": "object"]

private func watched(_ telemetry: (any Telemetry)?, _ metas: Notes, _ extensions: [ServerExtension] = []) async throws -> Server {
    let server = Server(
        name: "watched", version: "1", guards: .init(onInternalError: { _, _ in }), extensions: extensions, telemetry: telemetry)
    try await server.addTool("inside", inputSchema: anything) { _, call in
        await metas.add(call.meta["traceparent"]?.stringValue ?? "none")
        return text(Recorded.current?.id ?? "nothing")
    }
    try await server.addTool("sorry", inputSchema: anything) { _, _ in .init(content: [.text("no")], isError: true) }
    try await server.addTool("roots", inputSchema: anything) { _, call in text("\(try await call.listRoots().count)") }
    for name in ["hang", "slow"] {
        try await server.addTool(name, inputSchema: anything) { _, _ in
            await metas.add(name)
            await cancelled()
            throw CancellationError()
        }
    }
    try await server.addPrompt(Prompt(name: "refuse")) { _, _ in throw MCPError.serverError(code: -32099, message: "not you") }
    try await server.addPrompt(Prompt(name: "invalid")) { _, _ in throw MCPError.invalidParams("no") }
    try await server.addPrompt(Prompt(name: "leak")) { _, _ in throw Leak() }
    try await server.addResource(Resource(name: "readme", uri: "file:///readme")) { uri, _ in .init(contents: [.text("x", uri: uri)]) }
    return server
}

private func visitor(_ era: String, _ telemetry: (any Telemetry)?) -> Client {
    Client(name: "visitor", version: "1", configuration: .init(protocolVersion: .init(era)), telemetry: telemetry)
}

private func both(_ era: String, _ recorder: Recorder, _ notes: Notes = Notes(), _ body: (Client) async throws -> Void) async throws {
    let server = try await watched(recorder, notes)
    let client = visitor(era, recorder)
    await client.withRootsHandler { Recorded.current?.span.name == "roots/list" ? [] : [Root(uri: "file:///outside")] }
    try await client.connect(to: server)
    try await body(client)
    await client.disconnect()
    await server.stop()
}

private let eras = ["2025-11-25", modern]

private func oneTrace() async throws {
    for era in eras {
        let recorder = Recorder()
        try await both(era, recorder) { client in
            let called = try await client.callTool(name: "inside")
            try equal(called.content.first?.plainText, try recorder.span(.handled, "tools/call inside").id)
        }
        let (sent, handled) = (try recorder.span(.sent, "tools/call inside"), try recorder.span(.handled, "tools/call inside"))
        try equal([handled.parent, handled.trace], [sent.id, sent.trace])
        let common = [
            "mcp.method.name": "tools/call", "mcp.protocol.version": era, "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "inside",
        ]
        try equal(sent.said.filter { $0.key != "jsonrpc.request.id" }, common)
        try equal(sent.said, handled.said)
        try expect(sent.said["jsonrpc.request.id"] != nil, "\(sent.said)")
        try equal([try sent.ending(), try handled.ending()], [nil, nil])
    }
}

private func failures() async throws {
    let (recorder, notes) = (Recorder(), Notes())
    try await both("2025-11-25", recorder, notes) { client in
        _ = try await client.callTool(name: "sorry")
        for name in ["refuse", "invalid", "leak"] { _ = try await failure { try await client.getPrompt(name: name) } }
        _ = try await failure { try await client.callTool(name: "slow", options: .init(timeout: 0.01)) }
        let call = Task { _ = try await client.callTool(name: "hang") }
        try await notes.has("hang")
        call.cancel()
        _ = try await failure { try await call.value }
        let hanging = try recorder.span(.handled, "tools/call hang")
        try await until({ "the call was not cancelled" }) { hanging.hasEnded }
    }
    func coded(_ code: String) -> [String: String] { ["error.type": code, "rpc.response.status_code": code] }
    for kind in [SpanDescription.Kind.handled, .sent] {
        try equal(try recorder.span(kind, "tools/call sorry").ending(), ["error.type": "tool_error"])
        try equal(try recorder.span(kind, "prompts/get refuse").ending(), coded("-32099"))
        try equal(try recorder.span(kind, "prompts/get invalid").ending(), coded("-32602"))
    }
    let leak = try recorder.span(.handled, "prompts/get leak").ending() ?? [:]
    try expect(leak["error.type"]?.hasSuffix("Leak") == true && leak["rpc.response.status_code"] == "-32603", "\(leak)")
    try equal(try recorder.span(.sent, "prompts/get leak").ending(), coded("-32603"))
    try equal(try recorder.span(.sent, "tools/call slow").ending(), ["error.type": "timeout"])
    for kind in [SpanDescription.Kind.handled, .sent] {
        try equal(try recorder.span(kind, "tools/call hang").ending(), ["error.type": "cancelled"])
    }
    // The name of a prompt that may be made up is no series.
    for side in ["client", "server"] {
        let refused = recorder.measures("mcp.\(side).operation.duration").first { $0["error.type"] == "-32602" } ?? [:]
        try equal([refused["mcp.method.name"], refused["gen_ai.prompt.name"]], ["prompts/get", nil])
    }
}

private func durations() async throws {
    for era in eras {
        let recorder = Recorder()
        try await both(era, recorder) { client in
            _ = try await client.callTool(name: "inside")
            _ = try await client.readResource(uri: "file:///readme")
        }
        try equal(try recorder.span(.handled, "resources/read").span.attributes["mcp.resource.uri"], "file:///readme")
        let revision = ["mcp.protocol.version": era]
        let call = revision.merging(["mcp.method.name": "tools/call", "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "inside"]) { $1 }
        for side in ["client", "server"] {
            let expected = [call, revision.merging(["mcp.method.name": "resources/read"]) { $1 }]
            try equal(Set(recorder.measures("mcp.\(side).operation.duration")), Set(expected))
        }
        try equal(recorder.measures("mcp.client.session.duration"), [revision])
        // The revision without sessions has none at a server.
        try equal(recorder.measures("mcp.server.session.duration"), era == modern ? [] : [revision])
        for one in recorder.durations {
            try equal([one.histogram.unit, "\(one.histogram.bounds.count)"], ["s", "14"])
            try expect(one.seconds > 0 && one.seconds < 20, "\(one.seconds) s")
        }
    }
}

private func overHTTP() async throws {
    for (sessions, expected) in [(true, 1), (false, 0)] {
        let recorder = Recorder()
        let server = try await watched(recorder, Notes())
        let listener = try await server.serveHttp(options: .init(sessions: sessions))
        for era in eras {
            let client = visitor(era, recorder)
            try await client.connect(transport: HTTPClientTransport(endpoint: listener.url))
            _ = try await client.callTool(name: "inside")
            await client.disconnect()
        }
        await server.stop()
        try equal(recorder.measures("mcp.server.session.duration").count, expected)
        try equal(recorder.measures("mcp.client.session.duration").count, 2)
    }
}

private func madeUp() async throws {
    let recorder = Recorder()
    var colours = ServerExtension("com.example/colours")
    colours.method("com.example/mix", undeclared: .serve) { _, _ in [:] }
    let server = try await watched(recorder, Notes(), [colours])
    let client = visitor("2025-11-25", recorder)
    try await client.connect(to: server)
    _ = try await client.request("com.example/mix")
    _ = try await failure { try await client.request("own/one", ["name": "x"]) }
    await client.disconnect()
    await server.stop()
    // The client did not declare the extension, and the engine refuses what no handler has.
    try equal(recorder.measures("mcp.client.operation.duration").map { $0["mcp.method.name"] }, ["_OTHER", "_OTHER"])
    try equal(recorder.measures("mcp.server.operation.duration").map { $0["mcp.method.name"] }, ["com.example/mix"])
}

private func ownContext() async throws {
    let given = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    let (recorder, metas) = (Recorder(), Notes())
    let server = try await watched(recorder, metas)
    let client = visitor("2025-11-25", recorder)
    try await client.connect(to: server)
    _ = try await client.request("tools/call", ["name": "inside", "_meta": ["traceparent": .string(given)]])
    try equal(await metas.all, [given])
    try equal(try recorder.span(.handled, "tools/call inside").parent, "b7ad6b7169203331")
    try equal(try recorder.span(.sent, "tools/call inside").span.context, ["traceparent": given])
    await client.disconnect()
    await server.stop()
}

private func questions() async throws {
    for era in eras {
        let recorder = Recorder()
        try await both(era, recorder) { client in try equal(try await client.callTool(name: "roots").content.first?.plainText, "0") }
        let call = try recorder.span(.handled, "tools/call roots")
        let (asked, answered) = (try recorder.span(.sent, "roots/list"), try recorder.span(.handled, "roots/list"))
        try equal([asked.parent, answered.parent], [call.id, asked.id])
    }
}

private func nothing() async throws {
    let metas = Notes()
    let server = try await watched(nil, metas)
    let client = visitor("2025-11-25", nil)
    try await client.connect(to: server)
    try equal(try await client.callTool(name: "inside").content.first?.plainText, "nothing")
    try equal(await metas.all, ["none"])
    await client.disconnect()
    await server.stop()
}

let telemetryCases = [
    Case(name: "telemetry_a_call_is_one_trace_on_both_sides", body: oneTrace),
    Case(name: "telemetry_what_fails_says_how", body: failures),
    Case(name: "telemetry_durations_are_measured_in_seconds", body: durations),
    Case(name: "telemetry_sessions_over_HTTP_are_measured_where_there_are_any", body: overHTTP),
    Case(name: "telemetry_what_a_peer_makes_up_is_no_series", body: madeUp),
    Case(name: "telemetry_trace_context_of_the_callers_own_goes_as_it_is", body: ownContext),
    Case(name: "telemetry_questions_of_a_server_are_in_the_trace_of_its_call", body: questions),
    Case(name: "telemetry_without_it_messages_are_as_they_were", body: nothing),
]
