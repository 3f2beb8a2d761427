// What a handler knows about the call it answers, and what it can send meanwhile. Must not know:
// who the handler is.
import Foundation
import MCPBoltEngine

/// One call of a client. Handlers receive it, and find it in `HandlerContext.current`.
public struct HandlerContext: Sendable {
    /// The call that the current task answers.
    @TaskLocal public static var current: HandlerContext?

    let driver: Driver
    let call: UInt64
    /// The method of the request.
    public let method: String

    /// What the engine knows of the call.
    public var about: CallInfo { CallInfo(driver.inbox.describe(call: call)) }
    /// Who sent the call; nil if no credentials were checked.
    public var principal: Principal? { Principal(about.json) }
    /// The `_meta` member of the request.
    public var meta: Metadata { about.meta }
    /// The client's name and version, if it sent them.
    public var clientInfo: Implementation? { about.clientInfo }
    /// The client's capabilities, if it sent them.
    public var clientCapabilities: ClientCapabilities? { about.clientCapabilities }
    /// The client's answers to the `Questions` of an earlier round, by their names.
    public var inputResponses: [String: Value] { about.inputResponses }
    /// The state of the `Questions` of an earlier round.
    public var requestState: String? { about.requestState }

    func name(_ params: JSON, _ member: String) -> String { params.value[member]?.stringValue ?? "" }

    /// Reports the progress of the call; nothing is sent to clients that did not ask for it. Waits
    /// while the client's queue is full.
    public func reportProgress(_ progress: Double, total: Double? = nil, message: String? = nil) async throws {
        var params: [String: Value] = ["progress": .double(progress)]
        params["total"] = total.map(Value.double)
        params["message"] = message.map(Value.string)
        try await driver.send(call, ProgressNotification.name, JSON(Value.object(params).text))
    }

    /// Sends a log message, unless its level is below the one that the client asked for.
    public func log(_ level: LoggingLevel, _ data: Value, logger: String? = nil) async throws {
        try await notify(LogMessageNotification.message(.init(level: level, logger: logger, data: data)))
    }

    /// Sends any notification, on the stream of the call.
    public func notify<N: Notification>(_ message: Message<N>) async throws {
        try await driver.send(call, N.name, JSON(encoding: message.params))
    }

    /// Sends a request to the client; in the modern era the call waits for the client's retry.
    /// Cancelling the task cancels the request.
    public func send<M: Method>(_ request: Request<M>, timeout: Double? = nil) async throws -> M.Result {
        try await send(request, options: .init(timeout: timeout))
    }

    /// Sends a request to the client with options; `onProgress` is called with the client's
    /// progress.
    public func send<M: Method>(_ request: Request<M>, options: RequestOptions) async throws -> M.Result {
        let params = try JSON(encoding: request.params)
        let answer = try await driver.observed(call, M.name, params, options.plan, options.onProgress.map { Reports($0) }, revision: { about.protocolVersion })
        return try MCPError.answer(answer, to: M.name, M.Result.self)
    }

    /// Asks the user to fill in a form.
    public func elicit(
        message: String, requestedSchema: Value, options: RequestOptions = .init()
    ) async throws -> CreateElicitation.Result {
        let form = ElicitFormParams(message: message, requestedSchema: .init(requestedSchema))
        return try await send(CreateElicitation.request(.form(form)), options: options)
    }

    /// Asks the user to visit a URL.
    public func elicit(
        message: String, url: String, elicitationId: String? = nil, options: RequestOptions = .init()
    ) async throws -> CreateElicitation.Result {
        let page = ElicitUrlParams(message: message, url: url, elicitationId: elicitationId)
        return try await send(CreateElicitation.request(.url(page)), options: options)
    }

    /// Requests a message from the client's model (sampling).
    public func createMessage(
        _ params: CreateSamplingMessage.Parameters, options: RequestOptions = .init()
    ) async throws -> CreateSamplingMessage.Result {
        try await send(CreateSamplingMessage.request(params), options: options)
    }

    /// Requests the client's list of roots.
    public func listRoots() async throws -> [Root] { try await send(ListRoots.request()).roots }

    /// The settings with which the client declared an extension; nil if it did not.
    public func clientExtension(_ id: String) -> Value? { clientCapabilities?.extensions?[id] }

    /// Refuses a client that did not declare an extension: throws -32021, which names it. Returns
    /// the settings with which the client declared it.
    @discardableResult
    public func requireClientExtension(_ id: String) throws -> Value {
        if let settings = clientExtension(id) { return settings }
        throw MCPError.missingClientCapability(
            "the client did not declare the extension \(id)",
            data: ["requiredCapabilities": ["extensions": .object([id: [:]])]])
    }

    /// Makes a task of the tool call that is running, for tools that decide by themselves, such as
    /// after a first question. The client is told at once; what the tool returns is the task's
    /// result. Has no effect on a call that is a task already. Returns the task's id. Throws -32021
    /// if the client did not declare the extension, and `usage` if the server has no tasks: no tool
    /// was added as one, and `tasks.poll_interval` is not among the options of the configuration.
    @discardableResult
    public func beginTask() async throws -> String {
        try await driver.answer { driver.inbox.beginTask(call: call) }.value["taskId"]?.stringValue ?? ""
    }

    /// Closes the stream of this call; the client reconnects for the rest (2025-11-25 over HTTP).
    /// Otherwise it has no effect.
    public func closeStream() { _ = driver.inbox.closeStream(call: call) }

    /// Whether the client cancelled the call; its task is cancelled then, too.
    public var isCancelled: Bool { driver.inbox.isCancelled(call: call) }
}
