// The client of a program. Owns: what it offers to servers, and its requests. Must not know: what
// is below a session.
import Foundation

/// A client of one server at a time, with one name and one set of handlers.
public actor Client {
    /// The client's name and version.
    public typealias Info = Implementation
    /// The capabilities to declare; those that have a handler are added.
    public typealias Capabilities = ClientCapabilities

    /// The name that servers are told.
    public nonisolated let name: String
    /// The version that servers are told.
    public nonisolated let version: String
    /// The name for people; nil for none.
    public nonisolated let title: String?
    private let box = Box(Handlers())
    private let capabilities: Value
    private let extensions: ClientExtensions
    private let telemetry: (any Telemetry)?
    /// Methods that the program handles or sends; the engine declares what they need.
    private var uses: [String] = []
    private let configuration: Configuration
    /// The live connection; nil before `connect`.
    public var session: ClientSession? { opened.value }
    nonisolated let opened = Box<ClientSession?>(nil)
    /// Requests that are on their way, and how each is given up.
    nonisolated let running = Box<[ID: @Sendable () -> Void]>([:])
    /// The session that is being opened.
    private var begun: ClientSession?
    private var connecting = false
    /// How often it was disconnected: what was begun before the last time must not stay.
    private var endings = 0
    /// Whether it opens nothing any more.
    private var isRetired = false
    /// Whether a connection is being opened; for tests.
    var isConnecting: Bool { begun != nil }

    /// Creates a client that is not connected. `capabilities` are declared to servers, with those
    /// that have a handler. `telemetry` receives spans and durations; nil, the default, costs nothing.
    public init(
        name: String, version: String, title: String? = nil, capabilities: Capabilities = .init(),
        configuration: Configuration = .default, extensions: [ClientExtension] = [], telemetry: (any Telemetry)? = nil
    ) {
        (self.name, self.version, self.title) = (name, version, title)
        (self.configuration, self.telemetry) = (configuration, telemetry)
        self.extensions = ClientExtensions(extensions)
        self.capabilities = withExtensions((try? Value(capabilities)) ?? [:], self.extensions.settings)
    }

    // Connecting

    /// Connects and performs the handshake; an earlier connection is closed. While a connection is
    /// being opened, another `connect` throws `usage`.
    @discardableResult
    public func connect(transport: any Transport) async throws -> Initialize.Result {
        guard let reach = transport.reachOfEngine else { return try await begin { try await $0.carry(transport) } }
        return try await begin(patience: reach.patience) { try $0.open(reach) }
    }

    /// Opens a connection in the given way, and performs the handshake. `patience`: seconds that a
    /// request may take if the program says nothing of it.
    func begin(patience: Double? = nil, _ open: (Link) async throws -> Void) async throws -> Initialize.Result {
        if connecting { throw MCPError.usage("the client connects already: wait for that, or make another client") }
        if isRetired { throw Self.closedMeanwhile }
        connecting = true
        defer { (connecting, begun) = (false, nil) }
        let before = endings
        await session?.close()
        // There was nothing else yet that could be closed.
        if endings != before { throw Self.closedMeanwhile }
        var options = configuration.members
        if let patience { options["request_timeout"] = options["request_timeout"] ?? .double(patience) }
        var info = ["name": Value.string(name), "version": .string(version)]
        info["title"] = title.map(Value.string)
        var own: [String: Value] = [
            "client_info": .object(info), "capabilities": capabilities, "uses": .array(uses.map(Value.string)), "strict": .bool(configuration.strict),
            "methods": .array(box.value.methods.keys.filter { !Self.questions.contains($0) }.map(Value.string)),
        ]
        own["extension_methods"] = .array(extensions.rows)
        own["result_types"] = .array(extensions.resultTypes.map(Value.string))
        if configuration.tasks { own["tasks"] = "wait" }
        if box.value.services[Self.validation] != nil { own["validate_result"] = true }
        options.merge(own) { given, _ in given }
        let link = try Link(.object(options), extensions, telemetry, { [box] in box.value })
        let session = ClientSession(link)
        begun = session
        do {
            try await open(link)
            let result = try await link.initialize(
                configuration.protocolVersion?.rawValue ?? ProcessInfo.processInfo.environment["MCPBOLT_PROTOCOL"] ?? "legacy")
            if endings != before { throw Self.closedMeanwhile }
            opened.change { $0 = session }
            return result
        } catch {
            await session.close()
            throw error
        }
    }

    private static let closedMeanwhile = MCPError.connectionClosed("the client was closed while it connected")
    private static let questions = [CreateSamplingMessage.name, CreateElicitation.name, ListRoots.name, Ping.name]

    /// Stops trusting the sockets that are open, for apps that learn before them that they are dead:
    /// the network is another one (`NWPathMonitor`), or the app comes back from the background.
    /// Over HTTP, requests from now on use new connections, lost streams are opened again without
    /// waiting for their next attempt, and open ones begin anew after their last event; on a server
    /// of 2026-07-28 subscriptions are asked for again: what changed meanwhile is not told, but
    /// resources that are subscribed to count as changed. Calls
    /// whose streams cannot be resumed go on waiting, to their timeout.
    ///
    /// Returns at once. Does nothing on other transports, and while the client is not connected.
    public nonisolated func reconnect() {
        try? live().link.reconnect()
    }

    /// Closes the connection, even one that is being opened.
    public func disconnect() async {
        endings += 1
        // Those of this moment: what is connected while they end stays.
        let (coming, live) = (begun, opened.value)
        await coming?.close()
        await live?.close()
        opened.change { if $0 === live { $0 = nil } }
    }

    /// Closes the connection as `disconnect` does, and opens none any more, not even for a `connect` that
    /// is on its way here.
    func retire() async {
        isRetired = true
        await disconnect()
    }

    nonisolated func live() throws -> ClientSession {
        guard let session = opened.value else { throw MCPError.connectionClosed }
        return session
    }

    // Requests and notifications of servers

    /// Sets the handler for requests of a method; only before `connect`.
    @discardableResult
    public func withMethodHandler<M: Method>(
        _: M.Type, handler: @escaping @Sendable (M.Parameters) async throws -> M.Result
    ) -> Self {
        box.change { $0.methods[M.name] = { try JSON(encoding: try await handler(try decoded($0, M.Parameters.self))) } }
        return self
    }

    /// Sets the handler for sampling requests; see `Sampler` for one with reviews and a budget.
    @discardableResult
    public func withSamplingHandler(
        _ handler: @escaping @Sendable (CreateSamplingMessage.Parameters) async throws -> CreateSamplingMessage.Result
    ) -> Self {
        uses.append(CreateSamplingMessage.name)
        return withMethodHandler(CreateSamplingMessage.self, handler: handler)
    }

    /// Sets the handler that asks the user. Answers to forms are validated before they are sent.
    @discardableResult
    public func withElicitationHandler(
        _ handler: @escaping @Sendable (CreateElicitation.Parameters) async throws -> CreateElicitation.Result
    ) -> Self {
        uses += [CreateElicitation.name, ElicitationCompleteNotification.name]
        return withMethodHandler(CreateElicitation.self) { try checked(try await handler($0), for: $0) }
    }

    /// Sets the roots: the folders and other places that servers may access.
    @discardableResult
    public func withRootsHandler(_ handler: @escaping @Sendable () async throws -> [Root]) -> Self {
        uses += [ListRoots.name, RootsListChangedNotification.name]
        return withMethodHandler(ListRoots.self) { _ in .init(roots: try await handler()) }
    }

    /// Sets the handler for a notification; it is called with one after another.
    @discardableResult
    public func onNotification<N: Notification>(
        _: N.Type, handler: @escaping @Sendable (Message<N>) async throws -> Void
    ) -> Self {
        box.change {
            $0.notifications[N.name, default: []].append {
                try await handler(Message(params: try $0.decode(N.Parameters.self)))
            }
        }
        return self
    }

    /// Sets a function that is called before each tool call is sent. `trusted`: whether the
    /// server's tool annotations may be relied on.
    public func reviewToolCalls(trusted: Bool = false, _ review: @escaping ToolReviewer) {
        box.change { ($0.review, $0.trusted) = (review, trusted) }
    }

    /// Sets a function that is called with method, name and result before the program gets each
    /// result. It returns why the result is refused, or nil; if it throws, the result is refused.
    /// Only before `connect`.
    public func validateResults(_ validate: @escaping @Sendable (String, String?, Value) async throws -> String?) {
        withService(Self.validation) {
            try await validate($0["method"]?.stringValue ?? "", $0["name"]?.stringValue, $0["result"] ?? .null).map(Value.string) ?? .null
        }
    }

    private static let validation = "result.validate"

    /// Sets the answer to a service that the engine calls for a transport with a matching option,
    /// such as `client.headers` (`header_hook`) and `client.authorize` (`authorizer`).
    public func withService(_ name: String, _ answer: @escaping @Sendable (Value) async throws -> Value) {
        box.change { $0.services[name] = answer }
    }

    // Requests

    /// Sends a request of the protocol and returns its result.
    public func send<M: Method>(_ request: Request<M>) async throws -> M.Result { try await live().send(request) }

    /// Sends a request of the protocol with options and returns its result.
    public func send<M: Method>(_ request: Request<M>, options: RequestOptions) async throws -> M.Result {
        try await live().send(request, options: options)
    }

    /// Sends a request of any method and returns its result.
    public func request(_ method: String, _ params: Value? = nil, options: RequestOptions = .init()) async throws -> Value {
        try await live().request(method, params, options: options)
    }

    /// Sends a notification to the server. Throws `connectionClosed` if there is none, and `usage` for one that
    /// clients do not send in the revision that is spoken.
    public func notify<N: Notification>(_ message: Message<N>) async throws { try await live().notify(message) }
    /// Tells the server that the roots changed (until 2025-11-25).
    public func notifyRootsChanged() async throws { try await notify(RootsListChangedNotification.message()) }
    /// Asks the server whether it is there (until 2025-11-25). Throws if it does not answer.
    public func ping() async throws { _ = try await send(Ping.request()) }
    /// Sets the least level of log messages that the server sends (until 2025-11-25; later it is an
    /// option of each request, `log_level`).
    public func setLoggingLevel(_ level: LoggingLevel) async throws { _ = try await send(SetLoggingLevel.request(.init(level: level))) }

    /// Lists a page of the tools. `cursor` is the `nextCursor` of the page before; without it the
    /// first page comes. The last page has no `nextCursor`.
    public func listTools(cursor: String? = nil) async throws -> (tools: [Tool], nextCursor: String?) {
        let page = try await send(ListTools.request(.init(cursor: cursor)))
        return (page.tools, page.nextCursor)
    }
    /// Lists all pages of tools; the engine refuses a list that does not end.
    func allTools() async throws -> [Tool] {
        var (all, cursor): ([Tool], String?) = ([], nil)
        repeat {
            let page = try await listTools(cursor: cursor)
            all += page.tools
            cursor = page.nextCursor
        } while cursor != nil
        return all
    }
    /// Calls a tool. `meta` is the request's `_meta`; none, if nothing is said.
    public func callTool(
        name: String, arguments: [String: Value]? = nil, meta: Metadata? = nil
    ) async throws -> (content: [Tool.Content], isError: Bool?) {
        try await callTool(name: name, arguments: arguments, meta: meta, options: .init())
    }
    /// Calls a tool, with options of the request.
    public func callTool(
        name: String, arguments: [String: Value]? = nil, meta: Metadata? = nil, options: RequestOptions
    ) async throws -> (content: [Tool.Content], isError: Bool?) {
        let result = try await send(CallTool.request(.init(name: name, arguments: arguments, meta: meta)), options: options)
        return (result.content, result.isError)
    }
    /// Lists a page of the prompts, as `listTools` does of the tools.
    public func listPrompts(cursor: String? = nil) async throws -> (prompts: [Prompt], nextCursor: String?) {
        let page = try await send(ListPrompts.request(.init(cursor: cursor)))
        return (page.prompts, page.nextCursor)
    }
    /// Gets a prompt, filled in with arguments: what it is for, and its messages. Throws the
    /// server's error if there is no such prompt, or an argument is missing.
    public func getPrompt(
        name: String, arguments: [String: String]? = nil
    ) async throws -> (description: String?, messages: [Prompt.Message]) {
        let result = try await send(GetPrompt.request(.init(name: name, arguments: arguments)))
        return (result.description, result.messages)
    }
    /// Lists a page of the resources, as `listTools` does of the tools.
    public func listResources(cursor: String? = nil) async throws -> (resources: [Resource], nextCursor: String?) {
        let page = try await send(ListResources.request(.init(cursor: cursor)))
        return (page.resources, page.nextCursor)
    }
    /// Lists a page of the resource templates, as `listTools` does of the tools.
    public func listResourceTemplates(
        cursor: String? = nil
    ) async throws -> (templates: [Resource.Template], nextCursor: String?) {
        let page = try await send(ListResourceTemplates.request(.init(cursor: cursor)))
        return (page.resourceTemplates, page.nextCursor)
    }
    /// Reads a resource. Throws `resourceNotFound`, or the server's error, if it cannot be read.
    public func readResource(uri: String) async throws -> [Resource.Content] {
        try await send(ReadResource.request(.init(uri: uri))).contents
    }
    /// Subscribes to changes of a resource, in either era. Throws `requestTimeout` if the server does not
    /// agree within the client's `requestTimeout`.
    public func subscribeToResource(uri: String) async throws {
        let session = try live()
        if session.link.isModern { return try await session.link.watch(uri) }
        _ = try await session.send(ResourceSubscribe.request(.init(uri: uri)))
    }
    /// Ends the subscription to a resource.
    public func unsubscribeFromResource(uri: String) async throws {
        let session = try live()
        if session.link.isModern { return session.link.unwatch(uri) }
        _ = try await session.send(ResourceUnsubscribe.request(.init(uri: uri)))
    }
    /// Completes an argument of what `ref` names. `value` is what was typed so far; `context` has
    /// arguments that are given already (since 2025-06-18). Returns what fits, best first.
    public func complete(
        _ ref: CompletionRef, argument name: String, value: String, context: [String: String] = [:]
    ) async throws -> Completion {
        let known = context.isEmpty ? nil : CompletionContext(arguments: context)
        let params = CompleteParams(ref: ref, argument: .init(name: name, value: value), context: known)
        return try await send(Complete.request(params)).completion
    }

    /// Completes an argument of a prompt.
    ///
    /// - Parameters:
    ///   - promptName: The prompt.
    ///   - argumentName: The argument.
    ///   - argumentValue: What was typed so far.
    ///   - context: Arguments that are given already, by name (since 2025-06-18).
    /// - Returns: What fits, best first.
    public func complete(
        promptName: String, argumentName: String, argumentValue: String, context: [String: String]? = nil
    ) async throws -> Completion {
        try await complete(.prompt(.init(name: promptName)), argumentName, argumentValue, context)
    }

    /// Completes a variable of a resource template, as `complete(promptName:…)` does an argument.
    public func complete(
        resourceURI: String, argumentName: String, argumentValue: String, context: [String: String]? = nil
    ) async throws -> Completion {
        try await complete(.resource(.init(uri: resourceURI)), argumentName, argumentValue, context)
    }

    private func complete(_ ref: CompletionRef, _ name: String, _ value: String, _ context: [String: String]?) async throws -> Completion {
        let known = context.map(CompletionContext.init)
        return try await send(Complete.request(.init(ref: ref, argument: .init(name: name, value: value), context: known))).completion
    }
}
