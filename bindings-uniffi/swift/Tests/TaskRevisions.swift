// Tasks in the form that 2025-11-25 has, where they are experimental, by the same tools; and tasks in a
// file whose process has no time to close it.
import Foundation

@testable import MCPBolt

private let related = "io.modelcontextprotocol/related-task"

/// A client of 2025-11-25, message by message: what is asked of a task is not what its library makes
/// of it.
private struct OldClient {
    private let line: InMemoryTransport
    private var came: AsyncThrowingStream<Data, any Error>.Iterator

    init(_ server: Server) async throws {
        let pair = await InMemoryTransport.createConnectedPair()
        line = pair.client
        came = await pair.client.receive().makeAsyncIterator()
        try await server.start(transport: pair.server)
        let told = try await ask("initialize", [
            "protocolVersion": "2025-11-25", "capabilities": ["elicitation": [:]], "clientInfo": ["name": "old", "version": "1"],
        ])
        try equal(told["capabilities"]?["tasks"], ["cancel": [:], "requests": ["tools": ["call": [:]]]])
        try await say(["method": "notifications/initialized"])
    }

    private func say(_ message: [String: Value]) async throws {
        try await line.send(Data(Value.object(message.merging(["jsonrpc": "2.0"]) { $1 }).text.utf8))
    }

    func send(_ id: Int, _ method: String, _ params: Value = [:]) async throws {
        try await say(["id": .int(id), "method": .string(method), "params": params])
    }

    func accept(_ question: Value, _ content: Value) async throws {
        try await say(["id": question["id"] ?? .null, "result": ["action": "accept", "content": content]])
    }

    /// The next message that is no notification.
    mutating func next() async throws -> Value {
        while let bytes = try await came.next() {
            let message = JSON(String(decoding: bytes, as: UTF8.self)).value
            if message["id"] != nil { return message }
        }
        throw Fault("the server left")
    }

    private mutating func reply(_ method: String, _ params: Value) async throws -> Value {
        try await send(1, method, params)
        let reply = try await next()
        try equal(reply["id"], 1)
        return reply
    }

    mutating func ask(_ method: String, _ params: Value = [:]) async throws -> Value {
        let reply = try await reply(method, params)
        guard let result = reply["result"] else { throw Fault("\(reply)") }
        return result
    }

    mutating func refusal(_ method: String, _ params: Value) async throws -> Value? { try await reply(method, params)["error"]?["code"] }

    /// Calls a tool as a task.
    mutating func start(_ tool: String, _ arguments: Value = [:]) async throws -> Value {
        let result = try await ask("tools/call", ["name": .string(tool), "arguments": arguments, "task": ["ttl": 60_000]])
        try equal(result.objectValue.map { Array($0.keys) }, ["task"])
        return result["task"] ?? .null
    }

    mutating func status(_ id: Value?) async throws -> String? {
        try await ask("tasks/get", ["taskId": id ?? .null])["status"]?.stringValue
    }
}

private func words(_ result: Value?) -> String? { result?["content"]?[0]?["text"]?.stringValue }

/// The server of the tests below, if this process is to be one.
func serveTasks(_ file: String) async throws {
    let server = Server(name: "tasks", version: "1", configuration: .init(stores: .file(file)))
    try await server.addTool("quick", task: .required) { _, _ in text("kept") }
    try await server.addTool("endless", task: .required) { _, _ in
        await cancelled()
        return text("never")
    }
    try await server.start(transport: StdioTransport())
    await server.waitUntilCompleted()
}

/// Visits such a server; the process ends with the visit.
private func visiting(_ file: URL, _ body: (ClientSession) async throws -> Void) async throws {
    let client = Client(name: "desk", version: "1", configuration: .init(protocolVersion: .init(modern), tasks: true))
    try await client.connect(transport: StdioClientTransport(command: CommandLine.arguments[0], args: [serveTasksWord, file.path]))
    guard let session = await client.session else { throw Fault("no session") }
    try await body(session)
    await client.disconnect()
}

private func begin(_ session: ClientSession, _ tool: String) async throws -> ServerTask {
    guard case .running(let task) = try await session.startTool(name: tool) else { throw Fault("\(tool) is no task") }
    return task
}

let taskRevisionCases: [Case] = [
    Case(name: "a_call_of_2025_that_wishes_for_a_task_becomes_one") {
        let (go, notes) = (Gate(), Notes())
        let server = Server(name: "tasks", version: "1")
        try await server.addTool("gate", task: .optional) { args, _ in
            try await go.pass()
            return text("done \(args["word"]?.stringValue ?? "")")
        }
        try await server.addTool("endless", task: .required) { _, _ in
            await notes.add("began")
            await cancelled()
            await notes.add("ended")
            throw CancellationError()
        }
        var old = try await OldClient(server)
        let task = try await old.start("gate", ["word": "x"])
        let id = task["taskId"] ?? .null
        try equal([task["status"], task["ttl"]], ["working", 60_000])
        try await old.send(9, "tasks/result", ["taskId": id])
        try equal(try await old.status(id), "working")
        go.open()
        let fetched = try await old.next()
        try equal([fetched["id"], fetched["result"]?["_meta"]?[related]?["taskId"]], [9, id])
        try equal(words(fetched["result"]), "done x")
        try equal(try await old.status(id), "completed")

        let given = try await old.start("endless")["taskId"] ?? .null
        // One that is given up before that never runs.
        try await notes.has("began")
        try equal(try await old.ask("tasks/cancel", ["taskId": given])["status"], "cancelled")
        try await notes.has("ended")
        await server.stop()
    },
    Case(name: "tools_say_what_calls_of_2025_may_wish_and_others_are_refused") {
        let server = Server(name: "tasks", version: "1")
        try await server.addTool("may", task: .optional) { _, _ in text("may") }
        try await server.addTool("must", task: .required) { _, _ in text("must") }
        try await server.addTool("plain") { _, _ in text("plain") }
        var old = try await OldClient(server)
        let tools = try await old.ask("tools/list")["tools"]?.arrayValue ?? []
        try equal(tools.prefix(2).map { [$0["name"], $0["execution"]?["taskSupport"]] }, [["may", "optional"], ["must", "required"]])
        try equal(try await old.refusal("tools/call", ["name": "must", "arguments": [:]]), -32601)
        try equal(try await old.refusal("tools/call", ["name": "plain", "arguments": [:], "task": [:]]), -32601)
        try equal(words(try await old.ask("tools/call", ["name": "may", "arguments": [:]])), "may")
        try equal(try await old.refusal("tasks/get", ["taskId": "nobody"]), -32602)
        await server.stop()
    },
    Case(name: "what_a_task_of_2025_asks_comes_while_its_result_is_waited_for") {
        let server = Server(name: "tasks", version: "1")
        try await server.addTool("ask", task: .required) { _, call in
            let schema: Value = ["type": "object", "properties": ["name": ["type": "string"]], "required": ["name"]]
            return text(try await call.elicit(message: "Who?", requestedSchema: schema).content?["name"]?.stringValue ?? "")
        }
        var old = try await OldClient(server)
        let id = try await old.start("ask")["taskId"] ?? .null
        try await old.send(9, "tasks/result", ["taskId": id])
        let question = try await old.next()
        try equal([question["method"], question["params"]?["_meta"]?[related]?["taskId"]], ["elicitation/create", id])
        try await old.accept(question, ["name": "Ada"])
        let fetched = try await old.next()
        try equal([fetched["id"], .string(words(fetched["result"]) ?? "")], [9, "Ada"])
        await server.stop()
    },
    Case(name: "a_result_outlasts_a_process_that_is_killed", seconds: 40) {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("tasks-\(UUID().uuidString).redb")
        defer { try? FileManager.default.removeItem(at: file) }
        let kept = Notes()
        try await visiting(file) { session in
            let (quick, endless) = (try await begin(session, "quick"), try await begin(session, "endless"))
            let result = try await soon(10) { try await quick.result() }
            try equal(result.content.first?.plainText, "kept")
            for task in [quick, endless] { await kept.add(task.id) }
            guard let process = session.info.process else { throw Fault("\(session.info)") }
            kill(pid_t(process), SIGKILL)
            // Once it is gone it has let go of its files.
            try await until({ "the process stays" }) { kill(pid_t(process), 0) != 0 }
            _ = try await soon { await session.closed() }
        }
        let ids = await kept.all
        try await visiting(file) { session in
            let result = try await soon(10) { try await session.task(ids[0]).result() }
            try equal(result.content.first?.plainText, "kept")
            let lost = try await session.task(ids[1]).get()
            try equal(lost.status, .failed)
            try expect(lost.error?["message"]?.stringValue?.contains("restarted") == true, "\(lost)")
        }
    },
]
