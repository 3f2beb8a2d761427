// Tools whose calls go on as tasks, and clients that wait for them or hold them.
import Foundation

@testable import MCPBolt

private let often: [String: Value] = ["tasks.poll_interval": 0.02]

/// A door that is opened once, and wakes all who wait before it.
final class Gate: @unchecked Sendable {
    private let lock = NSLock()
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    let notes = Notes()

    func open() { wake { isOpen = true } }

    func pass() async throws {
        await notes.add("waits")
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                lock.withLock { if isOpen || Task.isCancelled { waiter.resume() } else { waiting.append(waiter) } }
            }
        } onCancel: {
            wake {}
        }
        if Task.isCancelled {
            await notes.add("cancelled")
            throw CancellationError()
        }
    }

    private func wake(_ change: () -> Void) {
        let all = lock.withLock {
            change()
            defer { waiting = [] }
            return waiting
        }
        for waiter in all { waiter.resume() }
    }
}

/// A server with a tool that waits until it is let go.
private func gated(_ gate: Gate, stores: Stores? = nil) async throws -> Server {
    let server = Server(name: "gates", version: "1", configuration: .init(options: often, stores: stores))
    try await server.addTool("gate", task: .optional) { args, _ in
        try await gate.pass()
        return text("done \(args["word"]?.stringValue ?? "")")
    }
    return server
}

private func following(
    _ server: Server, _ configuration: Client.Configuration = .init(protocolVersion: .init(modern), tasks: true),
    prepare: (Client) async -> Void = { _ in }, _ body: (ClientSession) async throws -> Void
) async throws {
    let client = Client(name: "desk", version: "1", configuration: configuration)
    await prepare(client)
    try await client.connect(to: server)
    guard let session = await client.session else { throw Fault("no session") }
    try await body(session)
    await client.disconnect()
    await server.stop()
}

private func started(_ session: ClientSession, _ name: String, _ arguments: [String: Value] = [:]) async throws -> ServerTask {
    guard case .running(let task) = try await session.startTool(name: name, arguments: arguments) else {
        throw Fault("\(name) is no task")
    }
    return task
}

private func call(_ session: ClientSession, _ name: String) async throws -> String {
    words(try await session.send(CallTool.request(.init(name: name, arguments: [:]))))
}

private func words(_ result: CallToolResult?) -> String { (result?.content ?? []).compactMap(\.plainText).joined() }

private func code<T>(_ work: () async throws -> T) async throws -> Int? { (try await failure(work) as? MCPError)?.code }

let taskCases: [Case] = [
    Case(name: "a_call_waits_for_its_task") {
        let gate = Gate()
        try await following(try await gated(gate)) { session in
            let task = try await started(session, "gate", ["word": "x"])
            async let called = call(session, "gate")
            try equal(try await task.get().status, .working)
            gate.open()
            try equal(try await soon { words(try await session.task(task.id).result()) }, "done x")
            try equal(try await called, "done ")
            let state = try await task.get()
            try equal([words(state.result), "\(state.isOver)"], ["done x", "true"])
        }
    },
    Case(name: "clients_that_did_not_declare_tasks_get_the_result_or_are_refused") {
        for configuration in [Client.Configuration(protocolVersion: .init(modern)), .init(tasks: true)] {
            let gate = Gate()
            gate.open()
            let server = try await gated(gate)
            try await server.addTool("must", task: .required) { _, _ in text("a task") }
            try await following(server, configuration) { session in
                try equal(try await call(session, "gate"), "done ")
                guard case .done(let result) = try await session.startTool(name: "gate") else { throw Fault("it is a task") }
                try equal(words(result), "done ")
                if configuration.protocolVersion?.rawValue == modern { try equal(try await code { try await call(session, "must") }, -32021) }
            }
        }
    },
    Case(name: "a_task_that_is_given_up_stops") {
        let gate = Gate()
        try await following(try await gated(gate)) { session in
            let task = try await started(session, "gate")
            // Of a task that is given up before, the handler never hears.
            try await gate.notes.has("waits")
            try await task.cancel()
            _ = try await failure { try await soon { try await task.result() } }
            try await gate.notes.has("cancelled")
            try equal(try await task.get().status, .cancelled)
            try equal(try await code { try await session.task("unknown").get() }, -32602)
        }
    },
    Case(name: "what_a_task_asks_goes_to_the_handlers_or_is_answered_by_hand") {
        let server = Server(name: "asks", version: "1", configuration: .init(options: often))
        try await server.addTool("ask", task: .required) { _, call in
            let schema: Value = ["type": "object", "properties": ["name": ["type": "string"]], "required": ["name"]]
            return text(try await call.elicit(message: "Who?", requestedSchema: schema).content?["name"]?.stringValue ?? "")
        }
        let prepare: (Client) async -> Void = { client in
            await client.withElicitationHandler { _ in .init(action: .accept, content: ["name": "Ada"]) }
        }
        try await following(server, prepare: prepare) { session in
            try equal(try await soon { try await call(session, "ask") }, "Ada")
            let task = try await started(session, "ask")
            var state = try await task.get()
            let steps = try await session.watchTasks([task.id])
            try equal(steps.taskIds, [task.id])
            var told = steps.makeAsyncIterator()
            // What was asked before listening is not told again.
            if state.status != .inputRequired { state = try await task.get() }
            while state.status != .inputRequired, let next = try await told.next() { state = next }
            guard let (key, question) = state.inputRequests?.first else { throw Fault("nothing is asked") }
            try equal(question["method"], "elicitation/create")
            try await task.update([key: ["action": "accept", "content": ["name": "Emma"]]])
            try equal(words(try await soon { try await task.result() }), "Emma")
        }
    },
    Case(name: "the_steps_of_a_task_are_told_to_who_listens") {
        let gate = Gate()
        try await following(try await gated(gate)) { session in
            let task = try await started(session, "gate")
            let steps = try await session.watchTasks([task.id, "unknown"])
            try equal(steps.taskIds, [task.id])
            gate.open()
            let last = try await soon { try await steps.first { $0.isOver } }
            try equal(last?.status, .completed)
        }
    },
    Case(name: "a_tool_decides_by_itself_and_fails_with_the_error_of_its_task") {
        let server = Server(name: "late", version: "1", configuration: .init(options: often))
        try await server.addTool("late") { _, call in
            let id = try await call.beginTask()
            try equal(try await call.beginTask(), id)
            throw MCPError.serverError(code: -7, message: "on the way", data: ["reason": "late"])
        }
        try await following(server) { session in
            let task = try await started(session, "late")
            try equal(try await code { try await soon { try await task.result() } }, -7)
            let state = try await task.get()
            try equal(state.error?["code"], -7)
            try equal(state.status, .failed)
        }
    },
    Case(name: "a_server_without_tasks_says_how_it_gets_them") {
        try await following(try await echoServer()) { session in
            try equal(try await session.startTool(name: "echo", arguments: ["text": "a"]).isDone, true)
        }
        let server = try await echoServer()
        _ = try await server.serveHttp()
        let refused = try await failure { try await server.addTool("more", task: .optional) { _, _ in text("") } } as? MCPError
        try expect(refused?.kind == "usage" && refused?.message.contains("tasks.poll_interval") == true, "\(String(describing: refused))")
        await server.stop()
    },
    Case(name: "a_server_that_does_not_serve_is_not_made_to_by_what_it_is_asked_or_told") {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("tasks-\(UUID().uuidString).redb")
        defer { try? FileManager.default.removeItem(at: file) }
        let gate = Gate()
        gate.open()
        let server = try await gated(gate, stores: .file(file.path))
        func calls() async throws -> Int? {
            try await server.resourceUpdated(uri: "note://1")
            try await server.notify(ToolListChangedNotification.message())
            return try await server.stats().methods[CallTool.name]?.calls
        }
        try equal(try await calls(), nil)
        try expect(!FileManager.default.fileExists(atPath: file.path), "its file is open")
        try await following(server) { _ = try await call($0, "gate") }
        try equal(try await calls(), 1)
        // The file is free for the next one.
        try await following(try await gated(gate, stores: .file(file.path))) { try equal(try await call($0, "gate"), "done ") }
    },
    Case(name: "a_file_keeps_tasks_for_the_next_server") {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("tasks-\(UUID().uuidString).redb")
        defer { try? FileManager.default.removeItem(at: file) }
        let gate = Gate()
        gate.open()
        let kept = Notes()
        try await following(try await gated(gate, stores: .file(file.path))) { session in
            let task = try await started(session, "gate", ["word": "kept"])
            _ = try await soon { try await task.result() }
            await kept.add(task.id)
        }
        let id = await kept.all[0]
        try await following(try await gated(gate, stores: .file(file.path))) { session in
            try equal(words(try await soon { try await session.task(id).result() }), "done kept")
        }
    },
]

extension StartedTool {
    fileprivate var isDone: Bool { if case .done = self { true } else { false } }
}
