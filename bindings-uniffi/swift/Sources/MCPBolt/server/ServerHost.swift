// A server below its actor: which handler answers which method, and the way from an item to a
// handler and back. Must not know: which transport brought an item.
import Foundation
import MCPBoltEngine

final class ServerHost: Peer, @unchecked Sendable {
    let driver: Driver
    private let lock = NSLock()
    private let info: Implementation
    private let instructions: String?
    let guarding: Guarding
    private let capabilities: Value
    private let extensions: ServerExtensions
    private var methods: [String: Answerer] = [:]
    private var hearers: [String: [@Sendable (JSON) async throws -> Void]] = [:]
    private var lists: [Kind: [Entry]] = [:]
    private var running: [UInt64: Task<Void, Never>] = [:]
    private var carriers: [UInt64: Carry] = [:]
    private var open: Set<UInt64> = []
    private var listeners: Set<UInt64> = []
    private var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    private var lastWaiter = 0
    private var hooks: [@Sendable (String, Bool) -> Void] = []
    private var services: [String: @Sendable (Value) async throws -> Value] = [:]
    private let heard: AsyncStream<@Sendable () async -> Void>.Continuation
    /// Handlers of `InitializedNotification` that are running for a modern client.
    private var greeting: Task<Void, Never>?
    private var made: EngineServer?
    /// The counters as they were when the server was stopped.
    private var counted = "{}"
    /// Whether the engine's server was made without tasks.
    private var withoutTasks = false

    init(
        _ info: Implementation, _ instructions: String?, _ capabilities: Value, _ guarding: Guarding, _ extensions: ServerExtensions,
        _ telemetry: (any Telemetry)? = nil
    ) {
        driver = Driver(telemetry.map { Observer($0, isServer: true, rows: extensions.rows) })
        (self.info, self.instructions, self.guarding, self.extensions) = (info, instructions, guarding, extensions)
        self.capabilities = withExtensions(capabilities, extensions.settings)
        let offered = extensions.resources.compactMap { try? Entry.reading($0.resource, [], $0.read) }
        if !offered.isEmpty { lists[.resources] = offered }
        heard = inOrder()
        driver.start(self)
    }

    deinit {
        Self.close(made)
        heard.finish()
    }

    /// The engine's server; created on first use.
    func engine() throws -> EngineServer {
        try lock.withLock {
            if let made { return made }
            if let id = extensions.twice { throw MCPError.usage("the server has the extension \(id) twice: list it once") }
            let engine: EngineServer
            do { engine = try EngineServer(options: options.text, inbox: driver.inbox) } catch { throw MCPError.of(error) }
            try introduce(engine)
            for method in extensions.methods.union(methods.keys) { engine.setSlot(method: method, host: true) }
            if hearers[InitializedNotification.name] != nil || driver.observer != nil { engine.setSlot(method: InitializedNotification.name, host: true) }
            for (kind, list) in lists { try show(kind, list, engine) }
            try tellScopes([lists], engine)
            made = engine
            return engine
        }
    }

    private static let poll = "tasks.poll_interval"

    /// Whether the program itself switched tasks on.
    private var hasTasks: Bool {
        guarding.options[Self.poll] != nil || guarding.options["tasks"]?["poll_interval"] != nil
    }

    /// The engine's options. The server has tasks if a tool makes them, or if the program says so.
    private var options: Value {
        let makesTasks = (lists[.tools] ?? []).contains { $0.task != .forbidden }
        let poll: [String: Value] = makesTasks && !hasTasks ? [Self.poll: 1] : [:]
        withoutTasks = !makesTasks && !hasTasks
        return .object(guarding.options.merging(poll) { $1 })
    }

    // Registries; called under the lock

    /// Tells what the server says of itself; the engine adds the capabilities that `uses` needs.
    private func introduce(_ engine: EngineServer) throws {
        let uses = methods.keys + lists.keys.map(\.changed)
        var about: [String: Value] = [
            "serverInfo": try Value(info), "capabilities": capabilities, "uses": .array(uses.map(Value.string)),
        ]
        about["instructions"] = instructions.map(Value.string)
        about["extensionMethods"] = .array(extensions.rows)
        do { _ = try engine.setSnapshot(kind: "server", generation: 0, json: Value.object(about).text) } catch {
            throw MCPError.of(error)
        }
    }

    private func show(_ kind: Kind, _ list: [Entry], _ engine: EngineServer) throws {
        // If the program handles the list itself, the engine must not answer it.
        if methods[kind.list] != nil { return }
        let rows = list.map { entry -> Value in
            kind == .tools ? ["tool": entry.row, "validation": "engine", "task": .string(entry.task.rawValue)] : entry.row
        }
        do { _ = try engine.setSnapshot(kind: kind.rawValue, generation: 0, json: Value.array(rows).text) } catch {
            throw MCPError.of(error)
        }
    }

    /// Tells which scopes tokens need for what: all that any of the registries says.
    private func tellScopes(_ registries: [[Kind: [Entry]]], _ engine: EngineServer) throws {
        do { _ = try engine.setSnapshot(kind: "scopes", generation: 0, json: tokenScopes(registries).text) } catch {
            throw MCPError.of(error)
        }
    }

    // Called by the actor

    func handle(_ method: String, _ answer: Answerer?) {
        lock.withLock {
            methods[method] = answer
            made?.setSlot(method: method, host: answer != nil)
            if let made { try? introduce(made) }
        }
    }

    func hear(_ method: String, _ take: @escaping @Sendable (JSON) async throws -> Void) {
        lock.withLock {
            hearers[method, default: []].append(take)
            // Modern clients never send it; the engine does it in their place.
            if method == InitializedNotification.name { made?.setSlot(method: method, host: true) }
        }
    }

    /// Adds, replaces or removes an entry, and notifies clients.
    func change(_ kind: Kind, _ name: String, _ entry: Entry?) throws {
        try lock.withLock {
            if let entry, entry.task != .forbidden, withoutTasks, made != nil {
                throw MCPError.usage("the server serves already, without tasks: add \(name) before, or set \"\(Self.poll)\" in the options")
            }
            var list = lists[kind] ?? []
            if let at = list.firstIndex(where: { $0.name == name }) {
                if let entry { list[at] = entry } else { list.remove(at: at) }
            } else if let entry {
                list.append(entry)
            } else {
                return
            }
            // If the engine refuses the entry, nothing has changed.
            // Scopes are told before, so that nothing is open; while it is replaced, both count.
            let after = lists.merging([kind: list]) { $1 }
            if let made {
                try tellScopes([lists, after], made)
                do { try show(kind, list, made) } catch {
                    try tellScopes([lists], made)
                    throw error
                }
            }
            let isFirst = lists.updateValue(list, forKey: kind) == nil
            guard let made else { return }
            try tellScopes([lists], made)
            if isFirst { try introduce(made) }
            try made.announce(change: kind.rawValue, uri: nil)
        }
    }

    /// Tells clients of a change. One that does not serve has nobody to tell, and does not begin to serve.
    func announce(_ change: String, uri: String?) throws {
        try lock.withLock {
            do { try made?.announce(change: change, uri: uri) } catch { throw MCPError.of(error) }
        }
    }

    var stats: String { lock.withLock { made?.stats() ?? counted } }

    func entry(_ kind: Kind, _ name: String) -> Entry? {
        lock.withLock { lists[kind]?.first { $0.name == name } }
    }

    func onSubscription(_ hook: @escaping @Sendable (String, Bool) -> Void) { lock.withLock { hooks.append(hook) } }

    func serve(_ service: String, _ answer: @escaping @Sendable (Value) async throws -> Value) {
        lock.withLock { services[service] = answer }
    }

    /// The connections and listeners that `stop` would close.
    var connections: [UInt64] { lock.withLock { Array(open) } }

    /// Those of them that are a client each.
    var clients: [UInt64] { lock.withLock { Array(open.subtracting(listeners)) } }

    func opened(_ connection: UInt64, listens: Bool = false) {
        lock.withLock {
            open.insert(connection)
            if listens { listeners.insert(connection) }
        }
    }

    /// Serves a transport that is connected, unless the server was stopped meanwhile.
    func carry(_ transport: any Transport, _ engine: EngineServer) throws {
        let carrier = try lock.withLock {
            guard made === engine else { throw MCPError.connectionClosed("the server was stopped while its transport connected") }
            let connection: UInt64
            do { connection = try engine.connect(lines: false) } catch { throw MCPError.of(error) }
            let one = Carry(transport, Feeding(
                feed: { try engine.feed(connection: connection, bytes: $0, origin: 0) },
                takeOutgoing: { try engine.takeOutgoing(connection: connection) },
                disconnect: { _ in (try? engine.disconnect(connection: connection)) ?? [] }))
            open.insert(connection)
            carriers[connection] = one
            return one
        }
        carrier.start()
    }

    /// Waits until everything that was opened is closed, or the task is cancelled.
    func completed() async {
        let number = lock.withLock {
            lastWaiter += 1
            return lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                lock.withLock {
                    // A cancellation from here on finds the continuation.
                    if open.isEmpty || Task.isCancelled { waiter.resume() } else { waiters[number] = waiter }
                }
            }
        } onCancel: {
            lock.withLock { waiters.removeValue(forKey: number) }?.resume()
        }
    }

    /// How many tasks wait for the end, for tests.
    var waits: Int { lock.withLock { waiters.count } }

    private static func close(_ engine: EngineServer?) {
        // What handlers printed is still buffered; later it would be written between messages.
        fflush(nil)
        engine?.close()
    }

    /// Closes everything open.
    func stop() async {
        let (engine, carried) = lock.withLock {
            counted = made?.stats() ?? counted
            defer { made = nil }
            return (made, Array(carriers.values))
        }
        for carrier in carried { await carrier.stop() }
        Self.close(engine)
        await driver.settle()
        for task in lock.withLock({ Array(running.values) }) { task.cancel() }
        await within(10) { await self.completed() }
        driver.observer?.ended()
        if let engine { lock.withLock { counted = engine.stats() } }
    }

    // Items

    func request(_ call: UInt64, _: UInt64, _ method: String, _ params: JSON, _ invalid: JSON) {
        let context = HandlerContext(driver: driver, call: call, method: method)
        let operation = driver.handling(call, method, params)
        let work: @Sendable () async throws -> JSON = { [self] in
            try await HandlerContext.$current.withValue(context) { try await answer(method, params, invalid, context) }
        }
        lock.withLock {
            running[call] = Task { [self] in
                do {
                    let answer = if let operation { try await operation.run(work) } else { try await work() }
                    operation?.answered(answer)
                    driver.finish(call, answer)
                } catch let questions as Questions {
                    operation?.parked()
                    driver.ask(call, questions.row)
                } catch {
                    let told = guarding.covered(error, method)
                    operation?.refused(error, told)
                    driver.fail(call, told)
                }
                lock.withLock { _ = running.removeValue(forKey: call) }
            }
        }
    }

    private func answer(_ method: String, _ params: JSON, _ invalid: JSON, _ context: HandlerContext) async throws -> JSON {
        let params = params.isNull ? JSON.empty : params
        if let greeting = lock.withLock({ greeting }) { await greeting.value }
        return try await extensions.around(method, params, context) { [self] in try await handled(method, $0, invalid, context) }
    }

    private func handled(_ method: String, _ params: JSON, _ invalid: JSON, _ context: HandlerContext) async throws -> JSON {
        if let own = lock.withLock({ methods[method] }) { return try await own(params, context) }
        if let handler = extensions.handlers[method] { return JSON(try await handler(params.value, context).text) }
        switch method {
        case CallTool.name:
            guard let tool = entry(.tools, context.name(params, "name")) else { throw unknown("tool", params) }
            if !invalid.isNull { return try wrong(invalid.value) }
            return try await tool.answer(params, context)
        case GetPrompt.name:
            guard let prompt = entry(.prompts, context.name(params, "name")) else { throw unknown("prompt", params) }
            return try await prompt.answer(params, context)
        case ReadResource.name:
            return try await read(params, context)
        default:
            return try whole(method)
        }
    }

    private func unknown(_ what: String, _ params: JSON) -> MCPError {
        .invalidParams("Unknown \(what): \(params.value["name"]?.stringValue ?? "")")
    }

    /// Describes invalid arguments so that the model can correct them.
    private func wrong(_ faults: Value) throws -> JSON {
        let lines = (faults.arrayValue ?? []).map {
            let path = $0["instancePath"]?.stringValue ?? ""
            return (path.isEmpty ? "" : "\(path): ") + ($0["message"]?.stringValue ?? $0["schema"]?.stringValue ?? "")
        }
        let text = "Invalid arguments: " + lines.joined(separator: "; ")
        return try JSON(encoding: CallTool.Result(content: [.text(text)], isError: true))
    }

    private func read(_ params: JSON, _ context: HandlerContext) async throws -> JSON {
        let uri = context.name(params, "uri")
        if let resource = entry(.resources, uri) { return try await resource.answer(params, context) }
        for template in lock.withLock({ lists[.resourceTemplates] ?? [] }) {
            if template.pattern?.find(uri: uri) != nil { return try await template.answer(params, context) }
        }
        // In the engine's words, to the letter: the answer must not tell what is hidden from what is absent.
        throw MCPError.resourceNotFound(uri: uri)
    }

    /// Answers as the engine would, in tests that make it ask.
    func whole(_ method: String) throws -> JSON {
        if let kind = Kind.allCases.first(where: { $0.list == method }) {
            return JSON(Value.object([kind.rawValue: .array(lock.withLock { (lists[kind] ?? []).map(\.row) })]).text)
        }
        switch method {
        case Initialize.name, Discover.name:
            let declared = lock.withLock { made }.map { JSON($0.capabilities()).value }
            var about: [String: Value] = ["capabilities": declared ?? capabilities]
            about["instructions"] = instructions.map(Value.string)
            if method == Initialize.name { about["serverInfo"] = try Value(info) }
            return JSON(Value.object(about).text)
        case Ping.name, SetLoggingLevel.name, ResourceSubscribe.name, ResourceUnsubscribe.name:
            return .empty
        default:
            throw MCPError.methodNotFound("Method not found: \(method)")
        }
    }

    func cancelled(_ call: UInt64) { lock.withLock { running[call] }?.cancel() }

    func notification(_ connection: UInt64, _: UInt64, _ method: String, _ params: JSON) {
        let takers = lock.withLock { hearers[method] ?? [] }
        for take in takers {
            heard.yield { [guarding] in
                do { try await take(params.isNull ? .empty : params) } catch { guarding.failed(method, error) }
            }
        }
        if method == InitializedNotification.name {
            if params.value["_meta"]?[Self.version] != nil { greet() } else { sessionBegan(connection) }
        }
    }

    private func sessionBegan(_ connection: UInt64) {
        guard let observer = driver.observer else { return }
        let about = CallInfo(driver.inbox.describeConnection(connection: connection))
        // Over HTTP without sessions this request is a connection of its own, which had no handshake.
        if about.clientInfo != nil { observer.sessionBegan(connection, about.protocolVersion) }
    }

    /// The key in `_meta` that only the engine sets, for a client without a handshake.
    private static let version = "io.modelcontextprotocol/protocolVersion"

    /// Waits, within a bounded time, for the handlers of `InitializedNotification` before the
    /// client's first request is answered.
    private func greet() {
        let (told, end) = AsyncStream<Void>.makeStream()
        heard.yield { end.finish() }
        lock.withLock {
            greeting = Task { [weak self] in
                await within(1) { for await _ in told {} }
                self?.lock.withLock { self?.greeting = nil }
            }
        }
    }

    func event(_ kind: String, _ connection: UInt64, _ row: [JSON]) {
        switch kind {
        case "outgoing":
            lock.withLock { carriers[connection] }?.more()
        case "subscription":
            let (uri, active) = (row[2].string ?? "", row[3].flag)
            // Not called here, because a slow hook would delay every client.
            for hook in lock.withLock({ hooks }) { heard.yield { hook(uri, active) } }
        case "closed":
            driver.observer?.sessionEnded(connection)
            let carrier = lock.withLock {
                open.remove(connection)
                listeners.remove(connection)
                if open.isEmpty {
                    for waiter in waiters.values { waiter.resume() }
                    waiters = [:]
                }
                return carriers.removeValue(forKey: connection)
            }
            if let carrier { Task { await carrier.stop() } }
        default:
            break
        }
    }

    func asked(_ service: String, _ payload: Value) async throws -> Value {
        if let answer = try await guarding.answer(service, payload) { return answer }
        guard let answer = lock.withLock({ services[service] }) else { throw MCPError.usage("there is no service \(service)") }
        return try await answer(payload)
    }
}
