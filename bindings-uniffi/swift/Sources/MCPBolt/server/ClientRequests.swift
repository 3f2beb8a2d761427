// What a server asks of its client, in the words of the official package. Owns: which client that
// is. Must not know: how a request travels.
import Foundation

extension Server {
    /// The call that is being answered, or else the only client that is connected.
    private func asked() throws -> UInt64 {
        if let call = HandlerContext.current, call.driver === core.driver { return call.call }
        let clients = core.clients
        if clients.count == 1 { return clients[0] }
        throw MCPError.usage(
            clients.isEmpty
                ? "there is no client to ask outside of a handler: one that came over HTTP, or from this process, is asked in a handler"
                : "\(clients.count) clients are connected: ask in a handler, whose client is the one that called")
    }

    private func ask<M: Method>(_ request: Request<M>) async throws -> M.Result {
        let (driver, target) = (core.driver, try asked())
        let revision = {
            CallInfo(driver.inbox.describe(call: target) ?? driver.inbox.describeConnection(connection: target)).protocolVersion
        }
        let answer = try await driver.observed(target, M.name, JSON(encoding: request.params), nil, revision: revision)
        return try MCPError.answer(answer, to: M.name, M.Result.self)
    }

    /// Asks the client's user to fill in a form.
    ///
    /// In a handler the client that called is asked; elsewhere the client that is connected, if it is
    /// the only one (`start(transport:)`, until 2025-11-25). This goes for `requestSampling`,
    /// `listRoots` and `log` as well.
    ///
    /// - Parameters:
    ///   - message: What the user is told.
    ///   - requestedSchema: The form.
    ///   - metadata: The request's `_meta`; none, if nothing is said.
    /// - Returns: What the user did, with the answers, which fit the form, if the form was accepted.
    /// - Throws: `usage` if it is not clear whom to ask; the client's error if it has nobody to ask.
    public func requestElicitation(
        message: String, requestedSchema: Elicitation.RequestSchema, metadata: Metadata? = nil
    ) async throws -> CreateElicitation.Result {
        try await ask(CreateElicitation.request(.form(.init(message: message, requestedSchema: requestedSchema, _meta: metadata))))
    }

    /// Asks the client's user to visit a URL (2025-11-25).
    ///
    /// - Parameters:
    ///   - message: Why, for the user.
    ///   - url: The URL.
    ///   - elicitationId: Names this question, for `ElicitationCompleteNotification`.
    ///   - metadata: The request's `_meta`; none, if nothing is said.
    /// - Returns: Whether the user agreed to open it; that the page is done with is told later.
    /// - Throws: `usage` if it is not clear whom to ask; the client's error if it opens no URLs.
    public func requestElicitation(
        message: String, url: String, elicitationId: String, metadata: Metadata? = nil
    ) async throws -> CreateElicitation.Result {
        try await ask(CreateElicitation.request(.url(.init(message: message, url: url, elicitationId: elicitationId, _meta: metadata))))
    }

    /// Has the client's model write a message (sampling).
    ///
    /// - Parameters:
    ///   - messages: The conversation so far.
    ///   - modelPreferences: What matters in the choice of a model.
    ///   - systemPrompt: A system prompt, which the client may leave out.
    ///   - includeContext: Whose context the client adds; none, if nothing is said.
    ///   - temperature: The temperature.
    ///   - maxTokens: The most tokens to write.
    ///   - stopSequences: Texts at which the model stops.
    ///   - metadata: Settings for the provider of the model.
    /// - Throws: `usage` if it is not clear whom to ask; the client's error if it has no model.
    public func requestSampling(
        messages: [Sampling.Message], modelPreferences: Sampling.ModelPreferences? = nil, systemPrompt: String? = nil,
        includeContext: Sampling.ContextInclusion? = nil, temperature: Double? = nil, maxTokens: Int,
        stopSequences: [String]? = nil, metadata: [String: Value]? = nil
    ) async throws -> CreateSamplingMessage.Result {
        try await ask(CreateSamplingMessage.request(.init(
            messages: messages, modelPreferences: modelPreferences, systemPrompt: systemPrompt, includeContext: includeContext,
            temperature: temperature, maxTokens: maxTokens, stopSequences: stopSequences, metadata: metadata)))
    }

    /// The client's roots: the folders and other places that it lets servers work in. Throws `usage`
    /// if it is not clear whom to ask, and the client's error if it has none to tell.
    public func listRoots() async throws -> [Root] { try await ask(ListRoots.request()).roots }

    /// Sends a log message: in a handler to the client that called, elsewhere to each that is
    /// connected, unless its level is below the one that the client asked for.
    ///
    /// - Parameters:
    ///   - level: How bad it is.
    ///   - logger: What wrote it; nothing by default.
    ///   - data: What there is to say: any JSON.
    /// - Throws: `connectionClosed` if the client that called has gone.
    public func log(level: LoggingLevel, logger: String? = nil, data: Value) async throws {
        try await notify(LogMessageNotification.message(.init(level: level, logger: logger, data: data)))
    }

    /// Sends a log message with any value that can be encoded; its error if it cannot.
    public func log(level: LoggingLevel, logger: String? = nil, data: some Encodable) async throws {
        try await log(level: level, logger: logger, data: Value(data))
    }
}

extension Server {
    /// What a handler is told of its call; the official name.
    public typealias HandlerContext = MCPBolt.HandlerContext

    /// The call that the current task answers; nil elsewhere. It does not reach detached tasks.
    public static var currentHandlerContext: HandlerContext? { .current }
}

/// The HTTP request that brought a call.
public struct HTTPRequest: Hashable, Sendable {
    /// Headers of a request, by names in any case.
    public struct Headers: Hashable, Sendable {
        /// Names and values, in the order of the request; names are in small letters.
        public let all: [[String]]

        /// The first header with this name, in any case.
        public subscript(name: String) -> String? {
            all.first { $0.first?.lowercased() == name.lowercased() }?.last
        }
    }

    /// Its headers.
    public let headers: Headers

    /// The first header with this name, in any case.
    public func header(_ name: String) -> String? { headers[name] }
}

extension HandlerContext {
    /// The HTTP request of the call; nil on other transports. Path, method and body are the engine's
    /// business: all that they say is in the call.
    public var httpContext: HTTPRequest? {
        let about = about
        guard about.json["headers"]?.arrayValue != nil else { return nil }
        return HTTPRequest(headers: .init(all: about.headers.map { [$0.name, $0.value] }))
    }
}
