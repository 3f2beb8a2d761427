// The server of a program. Owns: its public functions. Must not know: how calls find their
// handlers.
import Foundation
import MCPBoltEngine

/// Serves tools, resources and prompts to any number of clients.
public actor Server {
    /// The server's name and version.
    public typealias Info = Implementation
    /// The capabilities to declare.
    public typealias Capabilities = ServerCapabilities

    /// The name that clients are told.
    public nonisolated let name: String
    /// The version that clients are told.
    public nonisolated let version: String
    nonisolated let core: ServerHost
    /// How many listeners want tokens.
    private var verifiers = 0

    /// Creates a server that serves nobody yet. `instructions` tell models how to use it;
    /// `capabilities` are declared, with those that handlers and registries need. `telemetry` receives
    /// spans and durations; nil, the default, costs nothing.
    public init(
        name: String, version: String, title: String? = nil, instructions: String? = nil,
        capabilities: Capabilities = .init(), configuration: Configuration = .default, guards: GuardRails = .init(),
        extensions: [ServerExtension] = [], telemetry: (any Telemetry)? = nil
    ) {
        (self.name, self.version) = (name, version)
        let info = Info(name: name, title: title, version: version)
        let guarding = Guarding(guards, configuration.members)
        let declared = (try? Value(capabilities)) ?? [:]
        core = ServerHost(info, instructions, declared, guarding, ServerExtensions(extensions), telemetry)
    }

    nonisolated func engine() throws -> EngineServer { try core.engine() }

    // Starting and stopping

    /// Serves a transport. `initializeHook` is called with a client that sends `initialize`, and
    /// may throw to refuse it. Modern clients do not send it, so the hook is not a guard; over HTTP
    /// `withVerifier` is one. Throws `connectionClosed` if the server is stopped while the transport
    /// connects, which is disconnected then.
    public func start(
        transport: any Transport,
        initializeHook: (@Sendable (Implementation, ClientCapabilities) async throws -> Void)? = nil
    ) async throws {
        if let initializeHook {
            let core = core
            // Not kept by a handler of its own: a server that is dropped ends.
            core.handle(Initialize.name) { [weak core] params, _ in
                let asked = try params.decode(InitializeParams.self)
                try await initializeHook(asked.clientInfo, asked.capabilities)
                guard let core else { throw MCPError.connectionClosed }
                return try core.whole(Initialize.name)
            }
        }
        let engine = try engine()
        guard let reach = transport.reachOfEngine else { return try await carry(transport, engine) }
        guard case .standardStreams = reach else {
            throw MCPError.usage("\(type(of: transport)) is for clients")
        }
        BrokenPipes.fail()
        do { core.opened(try engine.listenStdio()) } catch { throw MCPError.of(error) }
    }

    private func carry(_ transport: any Transport, _ engine: EngineServer) async throws {
        try await transport.connect()
        do { try core.carry(transport, engine) } catch {
            await transport.disconnect()
            throw error
        }
    }

    /// A running HTTP server.
    public struct Listener: Sendable {
        /// The address that it listens on.
        public let host: String
        /// The port that it listens on.
        public let port: UInt16
        /// The URL of the endpoint.
        public var url: URL { URL(string: "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)\(path)")! }
        let scheme: String
        let path: String
        let number: UInt64
        let core: ServerHost
        let engine: EngineServer
        /// Stops the listener; running calls may finish first.
        public func stop() { _ = engine.stopHttp(listener: number) }
    }

    /// Serves HTTP at `/mcp`, and at `/sse` for clients of 2024-11-05, unless the options say otherwise.
    /// `port` 0 chooses a free one. `auth` is what is asked of access tokens; none is needed if it is
    /// nil. Throws `usage` for options that cannot be.
    @available(iOS, unavailable, message: "the library for iOS has no HTTP server: use Client.connect(to:) for a server in the app")
    public func serveHttp(
        host: String = "127.0.0.1", port: UInt16 = 0, options: HTTPServerOptions = .init(), auth: ResourceServer? = nil
    ) async throws -> Listener {
        var own: [String: Value] = ["host": .string(host), "port": .int(Int(port))]
        let engine = try engine()
        if let auth {
            // Each listener may have a verifier of its own.
            verifiers += 1
            let service = "token.verify.\(verifiers)"
            own["resource_server"] = auth.value(service)
            if let verify = auth.verifier {
                let guarding = core.guarding
                core.serve(service) { asked in
                    do { return try await verify(asked["token"]?.stringValue ?? "")?.value ?? .null } catch {
                        guarding.failed(service, error)
                        throw error
                    }
                }
            }
        }
        let told = options.members
        do {
            let at = try engine.listenHttp(options: Value.object(own.merging(told) { $1 }).text)
            core.opened(at.listener, listens: true)
            let (scheme, path) = (told["tls"] == nil ? "http" : "https", told["path"]?.stringValue ?? "/mcp")
            return Listener(
                host: at.host, port: at.port, scheme: scheme, path: path, number: at.listener, core: core, engine: engine)
        } catch { throw MCPError.of(error) }
    }

    /// Sets the function that authenticates HTTP requests; needs the option `verify` of
    /// `serveHttp`. It is called with the head, and returns `["principal": …]` or `["status": 401,
    /// "challenge": …]`.
    public func withVerifier(_ verify: @escaping @Sendable (Value) async throws -> Value) {
        core.serve("http.verify", verify)
    }

    /// Closes all connections and listeners, and cancels running calls.
    public func stop() async { await core.stop() }

    /// Waits until all connections and listeners are closed. Cancelling the task ends the wait.
    public func waitUntilCompleted() async { await core.completed() }

    /// The counters of all connections since the server began to serve; those of one that was stopped stay
    /// as they were.
    public func stats() throws -> Stats { Stats(core.stats) }

    // Handlers

    /// Sets the handler of any method, also of those that the engine would answer.
    @discardableResult
    public func withMethodHandler<M: Method>(
        _: M.Type, handler: @escaping @Sendable (M.Parameters) async throws -> M.Result
    ) -> Self {
        withMethodHandler(M.self) { params, _ in try await handler(params) }
    }

    /// Sets the handler of any method; it also receives the call.
    @discardableResult
    public func withMethodHandler<M: Method>(
        _: M.Type, handler: @escaping @Sendable (M.Parameters, HandlerContext) async throws -> M.Result
    ) -> Self {
        core.handle(M.name) { params, context in
            try JSON(encoding: try await handler(try decoded(params, M.Parameters.self), context))
        }
        return self
    }

    /// Sets the handler of a method by name, with untyped values.
    public func withMethodHandler(_ method: String, handler: @escaping @Sendable (Value, HandlerContext) async throws -> Value) {
        core.handle(method) { params, context in JSON(try await handler(params.value, context).text) }
    }

    /// Sets the handler for a notification of clients; it is called with one after another. Modern
    /// clients do not send `InitializedNotification`; its handler then runs before the first
    /// request of a connection, or over HTTP before the server's first request.
    @discardableResult
    public func onNotification<N: Notification>(
        _: N.Type, handler: @escaping @Sendable (Message<N>) async throws -> Void
    ) -> Self {
        core.hear(N.name) { try await handler(Message(params: try $0.decode(N.Parameters.self))) }
        return self
    }

    /// Sets a function that is called when the first client subscribes to a resource, and when the
    /// last one unsubscribes.
    public func onSubscription(_ hook: @escaping @Sendable (_ uri: String, _ active: Bool) -> Void) {
        core.onSubscription(hook)
    }

    // Registries

    /// Adds a tool with its handler. The engine validates arguments against the schema. `task`:
    /// whether its calls become tasks (2026-07-28): never, for clients that declared the extension,
    /// or always, so that other clients are refused (-32021). The handler is like any other; what
    /// it asks becomes a question of the task. `scopes`: those that a token needs for calls over
    /// HTTP, all of them; others get 403, with all scopes in the challenge. Throws `usage` for a tool
    /// that makes tasks where the server serves already without them, and for what can be no scope
    /// where it serves already.
    public func addTool(
        _ tool: Tool, task: TaskSupport = .forbidden, scopes: [String] = [],
        handler: @escaping @Sendable ([String: Value], HandlerContext) async throws -> CallTool.Result
    ) throws {
        let guarding = core.guarding
        let entry = Entry(name: tool.name, row: try Value(tool), task: task, scopes: scopes) { params, context in
            let arguments = params.value["arguments"]?.objectValue ?? [:]
            do { return try JSON(encoding: try await handler(arguments, context)) } catch {
                if let wrong = notFinite(error) { throw MCPError.internalError("the tool \(tool.name) has no result: \(wrong)", data: ["reason": "not_finite"]) }
                // Errors of the protocol, cancellation and questions are passed on; other errors
                // become a result.
                if error is MCPError || error is CancellationError || error is Questions { throw error }
                let words = (error as? ToolError)?.errorDescription ?? guarding.shown(error, "tool \(tool.name)")
                return try JSON(encoding: CallTool.Result(content: [.text(words)], isError: true))
            }
        }
        try core.change(.tools, tool.name, entry)
    }

    /// Adds a tool, given its parts.
    public func addTool(
        _ name: String, description: String? = nil, inputSchema: Value = ["type": "object"],
        annotations: Tool.Annotations? = nil, task: TaskSupport = .forbidden, scopes: [String] = [],
        handler: @escaping @Sendable ([String: Value], HandlerContext) async throws -> CallTool.Result
    ) throws {
        let tool = Tool(name: name, description: description, inputSchema: inputSchema, annotations: annotations)
        try addTool(tool, task: task, scopes: scopes, handler: handler)
    }

    /// Adds a prompt with its handler; over HTTP a token needs all `scopes` for it.
    public func addPrompt(
        _ prompt: Prompt, scopes: [String] = [], handler: @escaping @Sendable ([String: String], HandlerContext) async throws -> GetPrompt.Result
    ) throws {
        let needed = (prompt.arguments ?? []).filter { $0.required == true }.map(\.name)
        try core.change(.prompts, prompt.name, Entry(name: prompt.name, row: try Value(prompt), scopes: scopes) { params, context in
            let given = try decoded(params, GetPrompt.Parameters.self).arguments ?? [:]
            if let missing = needed.first(where: { given[$0] == nil }) {
                throw MCPError.invalidParams("Missing argument \(missing) of prompt \(prompt.name)")
            }
            return try JSON(encoding: try await handler(given, context))
        })
    }

    /// Adds a resource with the function that reads it; over HTTP a token needs all `scopes` to read
    /// and to watch it.
    public func addResource(
        _ resource: Resource, scopes: [String] = [], handler: @escaping @Sendable (String, HandlerContext) async throws -> ReadResource.Result
    ) throws {
        try core.change(.resources, resource.uri, try Entry.reading(resource, scopes, handler))
    }

    /// Adds a resource template with the function that reads matching URIs; it is called with the
    /// URI and its variables. Over HTTP a token needs all `scopes` to read and to watch them.
    public func addResourceTemplate(
        _ template: ResourceTemplate, scopes: [String] = [],
        handler: @escaping @Sendable (String, [String: String], HandlerContext) async throws -> ReadResource.Result
    ) throws {
        let pattern: EngineUriTemplate
        do { pattern = try EngineUriTemplate(text: template.uriTemplate) } catch { throw MCPError.of(error) }
        let entry = Entry(name: template.uriTemplate, row: try Value(template), pattern: pattern, scopes: scopes) { params, context in
            let uri = context.name(params, "uri")
            return try JSON(encoding: try await handler(uri, pattern.find(uri: uri) ?? [:], context))
        }
        try core.change(.resourceTemplates, template.uriTemplate, entry)
    }

    /// Removes a tool, and tells clients; a name that is not there is left alone.
    public func removeTool(_ name: String) throws { try core.change(.tools, name, nil) }
    /// Removes a prompt, and tells clients; a name that is not there is left alone.
    public func removePrompt(_ name: String) throws { try core.change(.prompts, name, nil) }
    /// Removes a resource, and tells clients; a URI that is not there is left alone.
    public func removeResource(_ uri: String) throws { try core.change(.resources, uri, nil) }
    /// Removes a resource template, and tells clients; one that is not there is left alone.
    public func removeResourceTemplate(_ uriTemplate: String) throws { try core.change(.resourceTemplates, uriTemplate, nil) }

    // Notifications

    /// Sends a notification: on the call that is being answered, or else to every client that wants
    /// it, at once: one that is slow holds up no other. Returns when each has taken it or is gone; cancelling
    /// the task ends the wait.
    public func notify<N: Notification>(_ message: Message<N>) async throws {
        let params = try JSON(encoding: message.params)
        if let call = HandlerContext.current, call.driver === core.driver, !Self.changes.keys.contains(N.name) {
            return try await core.driver.send(call.call, N.name, params)
        }
        if let change = Self.changes[N.name] {
            return try core.announce(change, uri: params.value["uri"]?.stringValue)
        }
        let (driver, clients) = (core.driver, core.clients)
        await withTaskGroup(of: Void.self) { group in
            for client in clients { group.addTask { try? await driver.send(client, N.name, params) } }
        }
        try Task.checkCancellation()
    }

    private static let changes = [
        ToolListChangedNotification.name: "tools", PromptListChangedNotification.name: "prompts",
        ResourceListChangedNotification.name: "resources", ResourceUpdatedNotification.name: "resource",
    ]

    /// Notifies the subscribers of a resource that it changed.
    public func resourceUpdated(uri: String) async throws {
        try await notify(ResourceUpdatedNotification.message(.init(uri: uri)))
    }
}
