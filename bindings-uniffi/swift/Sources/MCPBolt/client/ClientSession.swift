// One live connection of a client. Owns: the connection from its opening to its end, the requests
// on it, and those of the server. Must not know: who answers.
import Foundation
import MCPBoltEngine

/// One live connection. `Client.connect` creates it; it is over when its state is `closed`.
public final class ClientSession: Sendable {
    /// The state of a connection.
    public enum State: Hashable, Sendable {
        case connecting, ready, reconnecting
        /// Closed, with the error unless it was closed normally.
        case closed(MCPError?)
    }

    let link: Link

    init(_ link: Link) { self.link = link }
    deinit { link.abandon() }

    /// Sends a request and returns its result. Cancelling the task cancels the request.
    public func send<M: Method>(_ request: Request<M>, options: RequestOptions = .init()) async throws -> M.Result {
        let answer = try await link.request(M.name, JSON(encoding: request.params), link.telling(options, request.params))
        return try MCPError.answer(answer, to: M.name, M.Result.self)
    }

    /// Sends a request of any method and returns its result.
    public func request(_ method: String, _ params: Value? = nil, options: RequestOptions = .init()) async throws -> Value {
        try await link.request(method, params.map { JSON($0.text) }, options).value
    }

    /// Sends a notification to the server. Throws `usage` for one that clients do not send in the revision that
    /// is spoken.
    public func notify<N: Notification>(_ message: Message<N>) async throws {
        try await link.notify(N.name, JSON(encoding: message.params))
    }

    /// Notifications of the server, from now on. The stream ends with the session, with its error
    /// if it has one. A reader that is too slow gets a `LostNotification` with the number it
    /// missed.
    public var notifications: AsyncThrowingStream<AnyNotification, any Error> { link.stream(\.told) }
    /// The states of the connection, beginning with the current one.
    public var states: AsyncThrowingStream<State, any Error> { link.stream(\.moved) }
    /// The current state of the connection.
    public var state: State { link.state }
    /// Whether the connection is not over. It may be that it is being opened again just now.
    public var isOpen: Bool { if case .closed = state { false } else { true } }
    /// What is known of the connection, and what the server said about itself.
    public var info: ConnectionInfo { ConnectionInfo(link.driver.inbox.describeConnection(connection: link.number)) }
    /// The counters of the connection.
    public var stats: Stats { Stats(link.driver.inbox.connectionStats(connection: link.number)) }
    /// Closes the connection within a bounded time; may be called again. A transport of the program's has a
    /// second for what waits to be sent.
    public func close() async { await link.close() }
    /// Waits until the connection is closed; returns the error, unless it was closed normally.
    public func closed() async -> MCPError? { await link.closed() }
}

/// The connection itself, and what it has open.
final class Link: Peer, @unchecked Sendable {
    let driver: Driver
    private let engine: EngineClient
    private let lock = NSLock()
    private let handlers: @Sendable () -> Handlers
    private let extensions: ClientExtensions
    /// Seconds that a server may take to agree to a subscription: as many as to answer a request. Nil
    /// for as long as it likes.
    private let patience: Double?
    private(set) var number: UInt64 = 0
    /// Whether nothing may be opened any more.
    private var ending = false
    private var carrier: Carry?
    /// Kept as long as requests may need a token.
    private var hooks = TargetHooks()
    private var running: [UInt64: Task<Void, Never>] = [:]
    private var now = ClientSession.State.connecting
    /// What both sides speak, once that is agreed on.
    private var revision: String?
    private var annotations: [String: Tool.Annotations] = [:]
    private var watches: [String: Task<Void, Never>] = [:]
    private var listeners: [UInt64: SubscriptionHandler] = [:]
    private let heard: AsyncStream<@Sendable () async -> Void>.Continuation
    /// The server's request that is being answered here; the engine uses it to count nested
    /// sampling.
    @TaskLocal private static var served: UInt64?
    let told = Fan<AnyNotification>(lost: LostNotification.of)
    let moved = Fan<ClientSession.State>()

    init(_ options: Value, _ extensions: ClientExtensions, _ telemetry: (any Telemetry)?, _ handlers: @escaping @Sendable () -> Handlers) throws {
        driver = Driver(telemetry.map { Observer($0, isServer: false, rows: extensions.rows) })
        (self.handlers, self.extensions) = (handlers, extensions)
        patience = if let given = options["request_timeout"] { given.doubleValue.flatMap { $0.isFinite ? $0 : nil } } else { 60 }
        do { engine = try EngineClient(options: options.text, inbox: driver.inbox) } catch { throw MCPError.of(error) }
        heard = inOrder()
        driver.start(self)
    }

    /// Called when nothing references the session any more. Who still reads a stream of it finds the end.
    func abandon() {
        heard.finish()
        engine.close()
        if let carrier = takeCarrier() { Task { await carrier.stop() } }
        over(nil)
    }

    private func over(_ why: MCPError?) {
        move(.closed(why))
        told.finish(why)
        moved.finish(nil)
    }

    /// What carries messages to a transport of the program, for the one who waits for its end.
    private func takeCarrier() -> Carry? {
        lock.withLock {
            defer { carrier = nil }
            return carrier
        }
    }

    // Opening and closing

    func open(_ reach: Reach) throws {
        guard case .target(let target, let hooks) = reach else {
            throw MCPError.usage("standard streams are a server's; a client starts a process with StdioClientTransport")
        }
        self.hooks = hooks
        BrokenPipes.fail()
        try opened { try hooks.signsIn?.open(engine, target) ?? engine.open(target: target.text) }
    }

    func open(_ server: EngineServer) throws { try opened { try engine.openMemory(server: server) } }

    /// Opens a connection, unless the session was closed meanwhile.
    private func opened(_ open: () throws -> UInt64) throws {
        try lock.withLock {
            if ending { throw MCPError.connectionClosed("the client was closed while it connected") }
            do { number = try open() } catch { throw MCPError.of(error) }
        }
    }

    func carry(_ transport: any Transport) async throws {
        try await transport.connect()
        let engine = engine
        do { try opened { try engine.openFed(lines: false) } } catch {
            await transport.disconnect()
            throw error
        }
        let connection = number
        let carrier = Carry(transport, Feeding(
            feed: { try engine.feed(connection: connection, bytes: $0) },
            takeOutgoing: { try engine.takeOutgoing(connection: connection) },
            disconnect: {
                // There is nobody to ask once it is over.
                let last = (try? engine.takeOutgoing(connection: connection)) ?? []
                try? engine.disconnect(connection: connection, reason: $0)
                return last
            }))
        lock.withLock { self.carrier = carrier }
        carrier.start()
    }

    func initialize(_ protocolWord: String?) async throws -> Initialize.Result {
        let answer: JSON
        do {
            answer = try await driver.answer { try engine.initialize(connection: number, protocol: protocolWord) }
        } catch let gone as MCPError where gone.kind == "closed" {
            // It may have ended before the handshake: the end of the connection says why.
            throw await closed() ?? gone
        }
        move(.ready)
        let result = try MCPError.answer(answer, to: Initialize.name, Initialize.Result.self)
        lock.withLock { revision = result.protocolVersion }
        driver.observer?.sessionBegan(number, result.protocolVersion)
        return result
    }

    func reconnect() {
        _ = driver.inbox.reconnect(connection: number)
    }

    func close() async {
        let connection = lock.withLock {
            ending = true
            return number
        }
        if connection != 0 {
            _ = driver.inbox.closeConnection(connection: connection)
            await within(5) { _ = await self.closed() }
        }
        await takeCarrier()?.stop()
        abandon()
    }

    func closed() async -> MCPError? {
        do {
            for try await state in stream(\.moved) { if case .closed(let why) = state { return why } }
        } catch { return error as? MCPError }
        return nil
    }

    var state: ClientSession.State { lock.withLock { now } }

    private func move(_ state: ClientSession.State) {
        let news = lock.withLock {
            if case .closed = now { return false }
            now = state
            return true
        }
        if news { moved.yield(state) }
    }

    func stream<T>(_ fan: KeyPath<Link, Fan<T>>) -> AsyncThrowingStream<T, any Error> {
        lock.withLock {
            var (over, why): (Bool, MCPError?) = (false, nil)
            if case .closed(let reason) = now { (over, why) = (true, reason) }
            return self[keyPath: fan].stream(first: now as? T, over: over, why)
        }
    }

    // Requests

    func request(_ method: String, _ params: JSON?, _ options: RequestOptions) async throws -> JSON {
        if case .closed = state { throw MCPError.connectionClosed }
        let params = method == CallTool.name ? try await reviewed(params) : params
        var plan = options.plan
        if let served = Self.served { plan = .object((plan?.objectValue ?? [:]).merging(["inside": .int(Int(served))]) { $1 }) }
        let sent = try await extensions.outgoing(method, params)
        let told = try await driver.observed(number, method, sent, plan, reports(options), revision: { lock.withLock { revision } })
        let answer = try await extensions.incoming(method, told) { [self] in try await request($0, JSON($1.text), .init()).value }
        if method == ListTools.name, let page = try? answer.decode(ListTools.Result.self) {
            lock.withLock { for tool in page.tools { annotations[tool.name] = tool.annotations } }
        }
        return answer
    }

    func notify(_ method: String, _ params: JSON) async throws {
        do { try await driver.send(number, method, params) } catch let error as MCPError where error.kind == "closed" {
            if case .closed = state { throw error }
            // It was not sent, and this says why.
            _ = try await driver.request(number, method, params, ["notification": true])
        }
    }

    /// Where reports about a request go; nil if nobody wants them.
    private func reports(_ options: RequestOptions) -> Reports? {
        guard let token = options.token else { return options.onProgress.map { Reports($0) } }
        return Reports(options.onProgress, token: token) { [weak self] report in
            if let params = try? JSON(encoding: report) { self?.notification(0, 0, ProgressNotification.name, params) }
        }
    }

    /// Options with which reports about a request that has a token of the program's come as
    /// notifications with that token, too.
    func telling(_ options: RequestOptions, _ params: any Sendable) -> RequestOptions {
        let meta: Metadata? =
            switch params {
            case let call as CallToolParams: call._meta
            case let prompt as GetPromptParams: prompt._meta
            case let resource as ReadResourceParams: resource._meta
            default: nil
            }
        guard let token = meta?.progressToken else { return options }
        var told = options
        told.token = token
        return told
    }

    /// The reviewed parameters of a tool call; called before it is sent.
    private func reviewed(_ params: JSON?) async throws -> JSON? {
        let handlers = handlers()
        guard let review = handlers.review, var asked = try params?.decode(CallToolParams.self) else { return params }
        let hints = lock.withLock { annotations[asked.name] }
        let call = ToolReview(tool: asked.name, arguments: asked.arguments ?? [:], annotations: hints, trusted: handlers.trusted)
        switch try await review(call) {
        case .allow: return params
        case .edit(let arguments):
            asked.arguments = arguments
            return try JSON(encoding: asked)
        case .deny(let reason): throw MCPError.rejected(reason)
        }
    }

    // Subscriptions of the modern era: one request per resource, which stays open

    var isModern: Bool { ConnectionInfo(driver.inbox.describeConnection(connection: number)).era == .modern }

    /// Subscribes to changes of a resource; returns when the server has acknowledged it.
    func watch(_ uri: String) async throws {
        let params = try JSON(encoding: ListenParams(notifications: .init(resourceSubscriptions: [uri])))
        let watch = try await subscribe(params, kept: true).listening
        // The earlier subscription ends after the new one has started, so that no change is missed.
        lock.withLock { watches.updateValue(watch, forKey: uri) }?.cancel()
    }

    /// Takes notifications of one subscription; those it returns false for go where all others go.
    typealias SubscriptionHandler = @Sendable (_ method: String, _ params: JSON) -> Bool

    /// Subscribes; returns when the server has acknowledged it, with the parameters of that, and
    /// the task to cancel to end it. `kept`: the server is asked again when the subscription ends, and
    /// then its notifications tell that everything has changed. `ended`: called once the subscription
    /// is over, with the error unless the server ended it. Throws `requestTimeout` if the server takes
    /// too long to agree.
    func subscribe(
        _ params: JSON, kept: Bool = false, _ take: @escaping SubscriptionHandler = { _, _ in false },
        ended: @escaping @Sendable ((any Error)?) -> Void = { _ in }
    ) async throws -> (agreed: JSON, listening: Task<Void, Never>) {
        let (answers, agree) = AsyncThrowingStream<JSON, any Error>.makeStream()
        let listening = Task { [self] in
            do {
                try await listen(params, kept) { method, told in
                    guard method == SubscriptionsAcknowledgedNotification.name else { return take(method, told) }
                    agree.yield(told)
                    return true
                }
                agree.finish()
                ended(nil)
            } catch {
                agree.finish(throwing: error)
                ended(error)
            }
        }
        let late = patience.map { seconds in
            Task {
                try await Task.sleep(nanoseconds: nanoseconds(seconds))
                agree.finish(throwing: MCPError.requestTimeout("the server has not agreed to the subscription in \(seconds) s"))
            }
        }
        defer { late?.cancel() }
        do {
            for try await agreed in answers { return (agreed, listening) }
            try Task.checkCancellation()
            throw MCPError.connectionClosed
        } catch {
            listening.cancel()
            throw error
        }
    }

    /// Subscribes for as long as the task runs.
    private func listen(_ params: JSON, _ kept: Bool, _ handler: @escaping SubscriptionHandler) async throws {
        var asked: UInt64?
        defer { if let asked { lock.withLock { _ = listeners.removeValue(forKey: asked) } } }
        _ = try await driver.answer {
            // Code that handles notifications looks for this under the same lock.
            try lock.withLock {
                let plan = kept ? Self.kept : Self.patient
                let id = try driver.inbox.requestWith(target: number, method: Listen.name, params: params.text, plan: plan)
                listeners[id] = handler
                asked = id
                return id
            }
        }
    }

    /// Options of a request that lasts as long as the connection.
    private static let patient = "{\"timeout\":null,\"max\":null}"
    /// Of one that is sent again when it ends.
    private static let kept = "{\"timeout\":null,\"max\":null,\"renew\":true}"

    func unwatch(_ uri: String) { lock.withLock { watches.removeValue(forKey: uri) }?.cancel() }

    // Items

    func request(_ call: UInt64, _: UInt64, _ method: String, _ params: JSON, _: JSON) {
        let answer = handlers().methods[method]
        let operation = driver.handling(call, method, params)
        let work: @Sendable () async throws -> JSON = {
            guard let answer else { throw MCPError.methodNotFound("Method not found: \(method)") }
            return try await Self.$served.withValue(call) { try await answer(params.isNull ? .empty : params) }
        }
        lock.withLock {
            running[call] = Task { [self] in
                do {
                    let answer = if let operation { try await operation.run(work) } else { try await work() }
                    operation?.answered(answer)
                    driver.finish(call, answer)
                } catch {
                    operation?.refused(error, error)
                    driver.fail(call, error)
                }
                lock.withLock { _ = running.removeValue(forKey: call) }
            }
        }
    }

    func cancelled(_ call: UInt64) { lock.withLock { running[call] }?.cancel() }

    func notification(_: UInt64, _ origin: UInt64, _ method: String, _ params: JSON) {
        if let listener = lock.withLock({ listeners[origin] }), listener(method, params) { return }
        told.yield(AnyNotification(method: method, params: params.value))
        for take in handlers().notifications[method] ?? [] {
            heard.yield { try? await take(params.isNull ? .empty : params) }
        }
    }

    func event(_ kind: String, _: UInt64, _ row: [JSON]) {
        switch kind {
        case "outgoing": lock.withLock { carrier }?.more()
        case "state":
            switch row[2].string {
            case "ready": move(.ready)
            case "reconnecting": move(.reconnecting)
            default: break
            }
        case "closed":
            let why = row[2].isNull ? nil : MCPError(row[2].value)
            driver.observer?.sessionEnded(number, why)
            over(why)
            // Not taken: whoever closes the session still waits for the end.
            if let carrier = lock.withLock({ carrier }) { Task { await carrier.stop() } }
            for task in lock.withLock({ Array(running.values) }) { task.cancel() }
        default: break
        }
    }

    func asked(_ service: String, _ payload: Value) async throws -> Value {
        if service == Self.headers, !hooks.headers.isEmpty { return try await added(payload) }
        guard let answer = handlers().services[service] else { throw MCPError.usage("there is no service \(service)") }
        return try await answer(payload)
    }

    private static let headers = "client.headers"

    /// The headers of all that add some to a request.
    private func added(_ head: Value) async throws -> Value {
        var all: [[String]] = []
        for hook in hooks.headers { all += try await hook(head) }
        let own = try await handlers().services[Self.headers]?(head)
        return .array(all.map { .array($0.map(Value.string)) } + (own?.arrayValue ?? []))
    }
}
