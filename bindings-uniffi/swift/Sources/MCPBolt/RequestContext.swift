// What a handler knows of the call it answers, and what it can say and ask meanwhile. Must
// not know: who the handler is.
import Foundation
import MCPBoltEngine

/// One call of a client's. Handlers are given it, and find it in `RequestContext.current`.
public struct RequestContext: Sendable {
    /// The call that is being answered here.
    @TaskLocal public static var current: RequestContext?

    let core: ServerCore
    let call: UInt64
    /// What was asked.
    public let method: String

    /// What is known of it: `id`, `revision`, `era`, `transport`, `headers`, `principal`,
    /// `clientInfo`, `clientCapabilities`, `meta`, `inputResponses`, `requestState`.
    public var about: Value { core.driver.inbox.describe(call: call).map { JSON($0).value } ?? [:] }
    /// `_meta` of the request.
    public var meta: Metadata { about["meta"]?.objectValue ?? [:] }
    /// Who the client is, if it said so.
    public var clientInfo: Implementation? { try? about["clientInfo"]?.decode(Implementation.self) }
    /// What the client can do, if it said so.
    public var clientCapabilities: ClientCapabilities? { try? about["clientCapabilities"]?.decode(ClientCapabilities.self) }
    /// What the client answered to the `Questions` of an earlier round, under their names.
    public var inputResponses: [String: Value] { about["inputResponses"]?.objectValue ?? [:] }
    /// The state of those `Questions`.
    public var requestState: String? { about["requestState"]?.stringValue }

    func name(_ params: JSON, _ member: String) -> String { params.value[member]?.stringValue ?? "" }

    /// Tells how far it is; nothing is sent to clients that did not ask. Waits while the
    /// client's queue is full.
    public func reportProgress(_ progress: Double, total: Double? = nil, message: String? = nil) async throws {
        var params: [String: Value] = ["progress": .double(progress)]
        params["total"] = total.map(Value.double)
        params["message"] = message.map(Value.string)
        try await core.driver.send(call, ProgressNotification.name, JSON(Value.object(params).text))
    }

    /// A log message, if the client wants such a level.
    public func log(_ level: LoggingLevel, _ data: Value, logger: String? = nil) async throws {
        try await notify(LogMessageNotification.message(.init(level: level, logger: logger, data: data)))
    }

    /// Any notification, on the stream of the call.
    public func notify<N: Notification>(_ message: Message<N>) async throws {
        try await core.driver.send(call, N.name, JSON(encoding: message.params))
    }

    /// Asks the client anything; on the modern era the call waits for the client's retry.
    /// Cancelling the task withdraws the question.
    public func send<M: Method>(_ request: Request<M>, timeout: Double? = nil) async throws -> M.Result {
        try await send(request, options: .init(timeout: timeout))
    }

    /// As above, with all that can be said of a request: `onProgress` is told how far the client is.
    public func send<M: Method>(_ request: Request<M>, options: RequestOptions) async throws -> M.Result {
        let answer = try await core.driver.request(call, M.name, JSON(encoding: request.params), options.plan, options.onProgress)
        return try MCPError.answer(answer, to: M.name, M.Result.self)
    }

    /// Asks the user for something, by a form.
    public func elicit(
        message: String, requestedSchema: Value, options: RequestOptions = .init()
    ) async throws -> CreateElicitation.Result {
        let form = ElicitFormParams(message: message, requestedSchema: requestedSchema)
        return try await send(CreateElicitation.request(.form(form)), options: options)
    }

    /// Asks the user to visit a page.
    public func elicit(
        message: String, url: String, elicitationId: String? = nil, options: RequestOptions = .init()
    ) async throws -> CreateElicitation.Result {
        let page = ElicitUrlParams(message: message, url: url, elicitationId: elicitationId)
        return try await send(CreateElicitation.request(.url(page)), options: options)
    }

    /// Asks the client's model.
    public func createMessage(
        _ params: CreateSamplingMessage.Parameters, options: RequestOptions = .init()
    ) async throws -> CreateSamplingMessage.Result {
        try await send(CreateSamplingMessage.request(params), options: options)
    }

    /// The client's roots.
    public func listRoots() async throws -> [Root] { try await send(ListRoots.request()).roots }

    /// Closes the stream of this call: the client comes back for the rest (2025-11-25 over
    /// HTTP). Nothing happens elsewhere.
    public func closeStream() { _ = core.driver.inbox.closeStream(call: call) }

    /// Whether the client gave up; the task is cancelled then, too.
    public var isCancelled: Bool { core.driver.inbox.isCancelled(call: call) }
}

/// What a handler throws that wants to be run again, from the top, with the answers: they
/// come back in `RequestContext.inputResponses`, and `state`, which the engine seals, in
/// `requestState`. Nothing waits on the server meanwhile.
public struct Questions: Error, Sendable {
    let row: Value
    /// Questions under names of the handler's.
    public init(_ questions: [String: InputRequest], state: String? = nil) {
        let rows = questions.sorted { $0.key < $1.key }.map { key, asked in
            Value.array([.string(key), .string(asked.method), asked.params.map(Value.object) ?? .null])
        }
        var row: [String: Value] = ["questions": .array(rows)]
        row["state"] = state.map(Value.string)
        self.row = .object(row)
    }
}

extension InputRequest {
    /// A form or a page, something for the model, or the roots.
    public init<M: Method>(_ request: Request<M>) throws {
        self.init(method: M.name, params: try Value(request.params).objectValue)
    }
}
