// The programs of tests/vectors/binding, through the facade.
import Foundation
import MCPBoltEngine

@testable import MCPBolt

private let form: Value = ["type": "object", "properties": ["name": ["type": "string"]], "required": ["name"]]
private let string: Value = ["type": "string"]
private let integer: Value = ["type": "integer"]

func schema(_ types: [String: Value]) -> Value {
    ["type": "object", "properties": .object(types), "required": .array(types.keys.sorted().map(Value.string))]
}

func text(_ value: String) -> CallTool.Result { .init(content: [.text(value)]) }

/// Waits until the task is cancelled.
func cancelled() async {
    let (never, end) = AsyncStream<Void>.makeStream()
    for await _ in never {}
    _ = end
}

/// Runs what begins in the order in which it began.
private final class InOrder: TaskExecutor {
    private let queue = DispatchQueue(label: "in order")
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

private let inOrder = InOrder()

/// The script's end of a connection.
actor ScriptTransport: Transport {
    private let desk: Desk
    private let pipe = Pipe()
    init(_ desk: Desk) { self.desk = desk }
    func connect() async throws {}
    func disconnect() async { pipe.end() }
    func send(_ data: Data) async throws { await desk.received(JSON(String(decoding: data, as: UTF8.self)).value) }
    func receive() -> AsyncThrowingStream<Data, any Error> {
        let pipe = pipe
        return AsyncThrowingStream { await pipe.next() }
    }
    /// Until the message was taken, and the next one is asked for.
    nonisolated func take(_ text: String) async { await pipe.put(Data(text.utf8)) }
    nonisolated func end() { pipe.end() }
}

/// Messages, each put once the one before has been dealt with.
final class Pipe: @unchecked Sendable {
    private let lock = NSLock()
    private var waiting: [(Data, CheckedContinuation<Void, Never>)] = []
    private var taken: CheckedContinuation<Void, Never>?
    private var reader: CheckedContinuation<Data?, Never>?
    private var over = false

    func put(_ data: Data) async {
        await withCheckedContinuation { done in
            lock.withLock {
                if over { return done.resume() }
                guard let reader else { return waiting.append((data, done)) }
                self.reader = nil
                taken = done
                reader.resume(returning: data)
            }
        }
    }

    func next() async -> Data? {
        await withCheckedContinuation { next in
            lock.withLock {
                taken?.resume()
                taken = nil
                if over { return next.resume(returning: nil) }
                guard !waiting.isEmpty else {
                    reader = next
                    return
                }
                let (data, done) = waiting.removeFirst()
                taken = done
                next.resume(returning: data)
            }
        }
    }

    func end() {
        lock.withLock {
            over = true
            reader?.resume(returning: nil)
            taken?.resume()
            for (_, done) in waiting { done.resume() }
            (reader, taken, waiting) = (nil, nil, [])
        }
    }
}

/// Gates that `hold` waits at.
actor Gates {
    private var waiting: [String: CheckedContinuation<Void, Never>] = [:]
    func wait(_ name: String) async { await withCheckedContinuation { waiting[name] = $0 } }
    func release(_ name: String) -> Bool {
        guard let waiter = waiting.removeValue(forKey: name) else { return false }
        waiter.resume()
        return true
    }
}

final class ServerSide: Side, @unchecked Sendable {
    private let fast: Bool
    private let gates = Gates()
    private var server: Server!
    private var transport: ScriptTransport!
    init(fast: Bool) { self.fast = fast }
    var inbox: EngineInbox? { server.core.driver.inbox }

    func start(_ desk: Desk, _ vector: Value, _: String) async throws {
        let options = (vector["options"]?.objectValue ?? [:]).merging(["fast_path": .bool(fast)]) { $1 }
        let server = Server(
            name: "vectors", version: "1", instructions: "be kind",
            capabilities: .init(
                completions: [:], logging: [:], prompts: .init(listChanged: true),
                resources: .init(subscribe: true, listChanged: true), tools: .init(listChanged: true)),
            configuration: .init(options: options), guards: .init(errorDetail: .message))
        self.server = server
        try await tools(server, desk)
        try await rest(server, desk)
        transport = ScriptTransport(desk)
        try await server.start(transport: transport)
        Task {
            await server.waitUntilCompleted()
            // As a program ends: what waits for a retry waits no longer.
            await server.stop()
            await desk.note(["closed": true])
        }
    }

    private func tools(_ server: Server, _ desk: Desk) async throws {
        let gates = gates
        try await server.addTool("echo", inputSchema: schema(["text": string])) { args, _ in text(args["text"]!.stringValue!) }
        try await server.addTool("fail", inputSchema: schema(["message": string])) { args, _ in
            throw Fault(args["message"]!.stringValue!)
        }
        try await server.addTool("refuse", inputSchema: schema(["code": integer, "message": string, "data": [:]])) { args, _ in
            throw MCPError.serverError(code: args["code"]!.intValue!, message: args["message"]!.stringValue!, data: args["data"])
        }
        try await server.addTool("hang", inputSchema: schema([:])) { _, _ in
            try await desk.during {
                await desk.note(["started": "hang"])
                await cancelled()
                await desk.note(["cancelled": "hang"])
                throw CancellationError()
            }
        }
        try await server.addTool("hold", inputSchema: schema(["name": string])) { args, _ in
            let name = args["name"]!.stringValue!
            return await desk.during {
                async let gate: Void = gates.wait(name)
                await Task.yield()
                await desk.note(["started": .string(name)])
                await gate
                return text("released \(name)")
            }
        }
        try await server.addTool("ask", inputSchema: schema(["message": string])) { args, call in
            await Self.asked(desk) {
                let answer = try await call.elicit(message: args["message"]!.stringValue!, requestedSchema: form)
                return answer.action == .accept ? "accept \(answer.content?["name"]?.stringValue ?? "")" : answer.action.rawValue
            }
        }
        try await server.addTool("ask_both", inputSchema: schema([:])) { _, call in
            await Self.asked(desk) {
                // In this order, as the script has it.
                try await withTaskExecutorPreference(inOrder) {
                    async let answer = call.elicit(message: "who?", requestedSchema: form)
                    async let roots = call.listRoots()
                    return "\(try await answer.action.rawValue), \(try await roots.count) roots"
                }
            }
        }
        try await server.addTool("sample", inputSchema: schema(["prompt": string])) { args, call in
            await Self.asked(desk) {
                let asked = [SamplingMessage.user(.text(args["prompt"]!.stringValue!))]
                return try await call.createMessage(.init(messages: asked, maxTokens: 10)).content.text ?? ""
            }
        }
        try await server.addTool("roots", inputSchema: schema([:])) { _, call in
            await Self.asked(desk) { "\(try await call.listRoots().count) roots" }
        }
        try await server.addTool("progress", inputSchema: schema(["steps": integer])) { args, call in
            let steps = args["steps"]!.intValue!
            for step in 1...max(steps, 1) {
                try await call.reportProgress(Double(step), total: Double(steps), message: "step \(step)")
            }
            return text("done")
        }
        try await server.addTool("log", inputSchema: schema(["level": string, "data": [:]])) { args, call in
            try await call.log(LoggingLevel(rawValue: args["level"]!.stringValue!)!, args["data"]!, logger: "vectors")
            return text("logged")
        }
        try await server.addTool("flood", inputSchema: schema(["messages": integer, "bytes": integer])) { args, call in
            try await desk.during {
                let (messages, bytes) = (args["messages"]!.intValue!, args["bytes"]!.intValue!)
                for step in 1...messages {
                    try await call.reportProgress(
                        Double(step), total: Double(messages), message: String(repeating: "x", count: bytes))
                }
                return text("done")
            }
        }
    }

    private static func asked(_ desk: Desk, _ question: () async throws -> String) async -> CallTool.Result {
        await desk.during {
            do { return text(try await question()) } catch { return text("failed \((error as? MCPError)?.kind ?? "cancelled")") }
        }
    }

    private func rest(_ server: Server, _ desk: Desk) async throws {
        try await server.addResource(Resource(name: "one", uri: "note://one", mimeType: "text/plain")) { uri, _ in
            .init(contents: [.text("first note", uri: uri, mimeType: "text/plain")])
        }
        let template = Resource.Template(uriTemplate: "note://{id}/page/{page}", name: "page")
        try await server.addResourceTemplate(template) { uri, parts, _ in
            .init(contents: [.text("\(parts["id"]!)/\(parts["page"]!)", uri: uri)])
        }
        try await server.addPrompt(Prompt(name: "greet", arguments: [.init(name: "name", required: true)])) { args, _ in
            .init(messages: [.user(.text("Hello \(args["name"]!)"))])
        }
        await server.withMethodHandler(Complete.self) { params in
            let known: [String] =
                switch (params.ref, params.argument.name) {
                case (.prompt, "name"): ["Ann", "Anna", "Bob"]
                case (.resource, "id"): ["a1", "a2", "b1"]
                default: []
                }
            return .init(completion: .init(values: known.filter { $0.hasPrefix(params.argument.value) }))
        }
        await server.onSubscription { uri, active in
            Task { await desk.note([active ? "subscribed" : "unsubscribed": .string(uri)]) }
        }
        await server.onNotification(RootsListChangedNotification.self) { _ in
            await desk.note(["notified": "notifications/roots/list_changed"])
        }
    }

    func take(_ text: String) async { await transport.take(text) }
    func disconnect() async { transport.end() }
    func stop() async { await server.stop() }

    func act(_ action: String, _ given: Value, _: Value) async throws {
        let name = given.stringValue ?? ""
        switch action {
        // A handler says that it started just before it holds.
        case "release": try await until({ "nobody holds \(name)" }) { await gates.release(name) }
        case "add_tool":
            try await server.addTool(name, inputSchema: schema(["text": string])) { args, _ in text(args["text"]!.stringValue!) }
        case "remove_tool": try await server.removeTool(name)
        case "updated": try await server.resourceUpdated(uri: name)
        case "close": await server.stop()
        default: throw Fault("unknown action \(action)")
        }
    }
}

final class ClientSide: Side, @unchecked Sendable {
    private var client: Client!
    private var transport: ScriptTransport!
    private var desk: Desk!
    private var calls: [String: Task<Void, Never>] = [:]
    private let link = Box<EngineInbox?>(nil)
    var inbox: EngineInbox? { link.value }

    func start(_ desk: Desk, _ vector: Value, _ revision: String) async throws {
        self.desk = desk
        let protocolWord = vector["protocol"]?.stringValue ?? revision
        client = Client(
            name: "vectors", version: "1",
            capabilities: .init(sampling: .init(), elicitation: .init(form: [:]), roots: .init(listChanged: true)),
            configuration: .init(
                strict: true, protocolVersion: .init(protocolWord), options: vector["options"]?.objectValue ?? [:]))
        await client.withElicitationHandler { params in try await Self.elicit(desk, params) }
        await client.withSamplingHandler { params in
            await desk.note(["asked": "sampling/createMessage"])
            return .init(
                model: "vectors", stopReason: .endTurn, role: .assistant,
                content: .text("echo: \(params.messages[0].content.text ?? "")"))
        }
        await client.withRootsHandler {
            await desk.note(["asked": "roots/list"])
            return [Root(uri: "file:///one", name: "one")]
        }
        transport = ScriptTransport(desk)
    }

    private static func elicit(_ desk: Desk, _ params: CreateElicitation.Parameters) async throws -> CreateElicitation.Result {
        guard case .form(let form) = params else { throw Fault("no form") }
        await desk.note(["asked": "elicitation/create"])
        return try await desk.during {
            switch form.message {
            case "fail": throw Fault("failed")
            case "hang":
                await cancelled()
                await desk.note(["cancelled": "elicitation/create"])
                throw CancellationError()
            case "decline": return .init(action: .decline)
            case "cancel": return .init(action: .cancel)
            default: return .init(action: .accept, content: ["name": .string(form.message)])
            }
        }
    }

    func take(_ text: String) async { await transport.take(text) }
    func disconnect() async { transport.end() }
    func stop() async { await client.disconnect() }

    func act(_ action: String, _ given: Value, _ whole: Value) async throws {
        switch action {
        case "open": begin("open") { try await self.open() }
        case "call":
            let name = whole["as"]?.stringValue ?? ""
            calls[name] = begin(name) { try await self.verb(given.stringValue ?? "", whole, name) }
        case "cancel": calls[given.stringValue ?? ""]?.cancel()
        case "notify": try await client.notifyRootsChanged()
        case "close": await client.disconnect()
        default: throw Fault("unknown action \(action)")
        }
    }

    private func open() async throws -> Value {
        // While it shakes hands there is no session yet; the engine's items tell the end.
        let result = try await client.connect(transport: transport)
        let (session, desk) = (await client.session!, desk!)
        link.change { $0 = session.link.driver.inbox }
        let told = session.notifications
        Task {
            do {
                for try await one in told { await desk.note(["notified": .string(one.method), "params": one.params]) }
            } catch {}
            let why = await session.closed()
            await desk.note(["closed": true, "kind": why.map { .string($0.kind) } ?? .null])
        }
        return try Value(result)
    }

    @discardableResult
    private func begin(_ name: String, _ verb: @escaping @Sendable () async throws -> Value) -> Task<Void, Never> {
        let desk = desk!
        return Task {
            do { await desk.note(["answered": .string(name), "result": try await verb()]) } catch is CancellationError {
                await desk.note(["failed": .string(name), "kind": "cancelled"])
            } catch {
                let known = error as? MCPError ?? .internalError("\(error)")
                var row: [String: Value] = [
                    "failed": .string(name), "kind": .string(known.kind), "code": .int(known.code),
                    "message": .string(known.message),
                ]
                row["data"] = known.data
                await desk.note(.object(row))
            }
        }
    }

    private func verb(_ method: String, _ whole: Value, _ name: String) async throws -> Value {
        var options = RequestOptions(timeout: whole["timeout"]?.doubleValue)
        let desk = desk!
        if whole["progress"] == true {
            options.onProgress = { report in
                Task { await desk.note(["progress": .string(name), "params": (try? Value(report)) ?? .null]) }
            }
        }
        guard let session = await client.session else { throw MCPError.connectionClosed }
        let params = whole["params"] ?? [:]
        func ask<M: MCPBolt.Method>(_: M.Type) async throws -> Value {
            try Value(try await session.send(M.request(try params.decode(M.Parameters.self)), options: options))
        }
        switch method {
        case "tools/call": return try await ask(CallTool.self)
        case "tools/list": return try await ask(ListTools.self)
        case "resources/list": return try await ask(ListResources.self)
        case "prompts/list": return try await ask(ListPrompts.self)
        case "resources/read": return try await ask(ReadResource.self)
        case "resources/subscribe": return try await ask(ResourceSubscribe.self)
        case "resources/unsubscribe": return try await ask(ResourceUnsubscribe.self)
        case "prompts/get": return try await ask(GetPrompt.self)
        case "completion/complete": return try await ask(Complete.self)
        default: return try await session.request(method, params, options: options)
        }
    }
}
