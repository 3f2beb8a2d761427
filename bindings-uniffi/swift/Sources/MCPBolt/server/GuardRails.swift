// Guard rails as functions of the program: access, audit, outgoing and incoming results. Owns: what
// the functions receive, and how their answers reach the engine, which calls them, waits for them
// and enforces what they return. Must not know: handlers.
import Foundation

/// Functions that are called around every call of a server. If one throws, the action is refused.
/// Rates, deadlines and caps are numbers: options of `Server.Configuration`.
public struct GuardRails: Sendable {
    /// The decision about an action.
    public enum Verdict: Hashable, Sendable {
        case allow
        /// Answers as if the item did not exist: unknown, and in no list.
        case hide
        /// The item is listed but refused; the client gets the reason.
        case deny(String)
    }

    /// Something a client wants to do, or an entry of a list it wants to see.
    public struct Action: Hashable, Sendable, Codable {
        /// `call`, `read`, `get`, `complete`, `subscribe` or `list`.
        public let verb: String
        /// `tool`, `resource`, `template` or `prompt`.
        public let thing: String
        /// The name, or the URI of a resource.
        public let name: String
    }

    /// The client that wants to do something.
    public struct Asker: Hashable, Sendable, Codable {
        /// The number of the connection or session in this process.
        public let connection: UInt64
        /// How the client is connected: `stdio`, `memory`, `http` and so on.
        public let transport: String
        /// The client's address and port, if the engine has the socket.
        public let peer: String?
        /// The authenticated user, if credentials were checked.
        public let principal: String?
        /// The headers of the HTTP request, each a name and a value; nil on other transports.
        public let headers: [[String]]?
        /// What the client calls itself. It is not verified.
        public let clientInfo: Implementation?
        /// The protocol revision that the client speaks.
        public let revision: String

        /// The first header with this name, in any case.
        public func header(_ name: String) -> String? {
            headers?.first { $0.first?.lowercased() == name.lowercased() }?.last
        }
    }

    /// The destination of audit records.
    public enum Audit: Sendable {
        /// Appends records to a file, as JSON lines.
        case file(String)
        /// Calls a function with one record after another. Records it is too slow for are lost; it
        /// is told how many: `["lost": n]`.
        case each(@Sendable (Value) async throws -> Void)
    }

    /// What clients are told about errors that are neither an `MCPError` nor a `ToolError`.
    public enum ErrorDetail: String, Sendable {
        /// "internal error" and an id, under which `onInternalError` gets the details.
        case masked
        /// The error's own description.
        case message
    }

    /// Decides what each client may do and see; called for calls, and for every entry of a list.
    public var authorize: (@Sendable (Asker, Action) async throws -> Verdict)?
    /// Receives a record of each request, without its arguments.
    public var audit: Audit?
    /// Called with method, name and result of a tool, prompt or resource; returns the result to
    /// send.
    public var sanitizeResult: (@Sendable (String, String?, Value) async throws -> Value)?
    public var errorDetail: ErrorDetail
    /// Called with errors of handlers and guard rails that no client is told about: the place, with
    /// the id if there is one, and the error. By default they are printed to standard error.
    public var onInternalError: @Sendable (String, any Error) -> Void

    public init(
        authorize: (@Sendable (Asker, Action) async throws -> Verdict)? = nil, audit: Audit? = nil,
        sanitizeResult: (@Sendable (String, String?, Value) async throws -> Value)? = nil,
        errorDetail: ErrorDetail = .masked,
        onInternalError: @escaping @Sendable (String, any Error) -> Void = { place, error in
            FileHandle.standardError.write(Data("\(place): \(error)\n".utf8))
        }
    ) {
        (self.authorize, self.audit, self.sanitizeResult) = (authorize, audit, sanitizeResult)
        (self.errorDetail, self.onInternalError) = (errorDetail, onInternalError)
    }
}

/// Thrown by a tool for the model: the result is this text with `isError`, whatever `ErrorDetail`
/// says.
public struct ToolError: LocalizedError, Hashable {
    public let errorDescription: String?
    public init(_ words: String) { errorDescription = words }
}

/// The guard rails of one server, in the form in which the engine calls them.
struct Guarding: Sendable {
    private let rails: GuardRails
    private let line = Line()
    /// The engine's options, with those that make it call the functions.
    let options: [String: Value]

    init(_ rails: GuardRails, _ given: [String: Value]) {
        var made: [String: Value] = ["error_detail": .string(rails.errorDetail.rawValue)]
        if rails.authorize != nil { made["authorize"] = true }
        if rails.sanitizeResult != nil { made["sanitize_result"] = true }
        made.merge(given) { $1 }
        if let audit = rails.audit {
            var records = given["audit"]?.objectValue ?? [:]
            if case .file(let path) = audit { records["path"] = .string(path) } else { records["service"] = true }
            made["audit"] = .object(records)
        }
        (self.rails, options) = (rails, made)
    }

    /// Answers a service that the engine calls; nil if it is not a guard rail.
    func answer(_ service: String, _ payload: Value) async throws -> Value? {
        do {
            switch (service, rails.authorize, rails.sanitizeResult, rails.audit) {
            case ("server.authorize", let authorize?, _, _):
                let asker = try (payload["asker"] ?? .null).decode(GuardRails.Asker.self)
                var verdicts: [Value] = []
                for action in try (payload["actions"] ?? .null).decode([GuardRails.Action].self) {
                    switch try await authorize(asker, action) {
                    case .allow: verdicts.append("allow")
                    case .hide: verdicts.append("hide")
                    case .deny(let reason): verdicts.append(["deny": .string(reason)])
                    }
                }
                return .array(verdicts)
            case ("result.sanitize", _, let sanitize?, _):
                return try await sanitize(payload["method"]?.stringValue ?? "", payload["name"]?.stringValue, payload["result"] ?? .null)
            case ("audit.record", _, _, .each(let take)?):
                try await line.run { try await take(payload) }
                return .null
            default:
                return nil
            }
        } catch {
            // The task that cancelled the wait knows about it.
            if !(error is CancellationError) { rails.onInternalError("\(service) failed", error) }
            throw error
        }
    }

    /// The message that a client gets for an error that was not meant for it.
    func shown(_ error: any Error, _ place: String) -> String {
        guard options["error_detail"] == "masked" else { return MCPError.describe(error) }
        let number = String(UInt64.random(in: 0 ... .max), radix: 16)
        let words = "internal error (id \(String(repeating: "0", count: 16 - number.count))\(number))"
        rails.onInternalError("\(words) in \(place)", error)
        return words
    }

    /// The error that a call ends with; one meant for the client is kept.
    func covered(_ error: any Error, _ place: String) -> any Error {
        if options["error_detail"] != "masked" || error is CancellationError { return error }
        // Programs act on a reason.
        if let known = MCPError.of(error) as? MCPError {
            // A cancelled request of the handler is not an internal error.
            if known.kind == "cancelled" || known.code != -32603 || known.data?["reason"] != nil { return error }
        }
        return MCPError.internalError(shown(error, place))
    }
}

/// Runs one task after another.
private actor Line {
    private var last: Task<Void, any Error>?

    func run(_ body: @escaping @Sendable () async throws -> Void) async throws {
        let before = last
        let mine = Task {
            _ = await before?.result
            try await body()
        }
        last = mine
        try await mine.value
    }
}
