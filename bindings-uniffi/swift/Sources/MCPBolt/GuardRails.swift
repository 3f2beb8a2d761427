// Guard rails that a program writes: who may do what, the audit, what leaves, what arrives.
// Owns: what the functions are given, and how their answers go back to the engine, which asks
// them, waits for them and does what they say. Must not know: handlers.
import Foundation

/// Functions that stand around every call of a server. One that throws lets nothing through.
/// Rates, deadlines and caps are numbers: options of `Server.Configuration`.
public struct GuardRails: Sendable {
    /// What becomes of an action.
    public enum Verdict: Hashable, Sendable {
        case allow
        /// As if the thing did not exist: unknown, and in no list.
        case hide
        /// Listed, and refused; the client reads the reason.
        case deny(String)
    }

    /// Something that a client wants to do, or an entry of a list that it wants to see.
    public struct Action: Hashable, Sendable, Codable {
        /// `call`, `read`, `get`, `complete`, `subscribe` or `list`.
        public let verb: String
        /// `tool`, `resource`, `template` or `prompt`.
        public let thing: String
        /// Its name, or its URI.
        public let name: String
    }

    /// Who wants to do something.
    public struct Asker: Hashable, Sendable, Codable {
        /// The number of the connection or session in this process.
        public let connection: UInt64
        /// How it came: `stdio`, `memory`, `http` and so on.
        public let transport: String
        /// Address and port, where the engine has the socket.
        public let peer: String?
        /// Who it is, where credentials were checked.
        public let principal: String?
        /// The headers of the HTTP request, each a name and a value; over HTTP.
        public let headers: [[String]]?
        /// Who the client says it is. Anybody can say anything.
        public let clientInfo: Implementation?
        /// The revision of the protocol it speaks.
        public let revision: String

        /// The first header of a name, in any case.
        public func header(_ name: String) -> String? {
            headers?.first { $0.first?.lowercased() == name.lowercased() }?.last
        }
    }

    /// Where records of requests go.
    public enum Audit: Sendable {
        /// To a file, as lines of JSON.
        case file(String)
        /// To a function, one after another. What it is too slow for is lost, and it is told
        /// how many: `["lost": n]`.
        case each(@Sendable (Value) async throws -> Void)
    }

    /// What clients learn of errors that nobody wrote for them: no `MCPError` or `ToolError`.
    public enum ErrorDetail: String, Sendable {
        /// "internal error" and an id, which `onInternalError` has too.
        case masked
        /// What the error says of itself.
        case message
    }

    /// Decides what each client may do and see: asked for calls, and for every entry of a list.
    public var authorize: (@Sendable (Asker, Action) async throws -> Verdict)?
    /// Gets a record of each request; never its arguments.
    public var audit: Audit?
    /// Given method, name and result of a tool, resource or prompt; returns it as it may leave.
    public var sanitizeResult: (@Sendable (String, String?, Value) async throws -> Value)?
    public var errorDetail: ErrorDetail
    /// Takes what handlers and guard rails throw and no client is told: where, with the id if
    /// there is one, and the error. Standard error, if nothing is said.
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

/// What a tool throws for the model: the result is this text, with `isError`, whatever
/// `ErrorDetail` says.
public struct ToolError: LocalizedError, Hashable {
    public let errorDescription: String?
    public init(_ words: String) { errorDescription = words }
}

/// The guard rails of one server, as the engine asks them.
struct Guarding: Sendable {
    private let rails: GuardRails
    private let line = Line()
    /// The engine's options, with those that make it ask.
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

    /// Answers what the engine asks; nothing if it is no affair of theirs.
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
            // Who gave up on the answer knows.
            if !(error is CancellationError) { rails.onInternalError("\(service) failed", error) }
            throw error
        }
    }

    /// What a client learns of an error that was not written for it.
    func shown(_ error: any Error, _ place: String) -> String {
        guard options["error_detail"] == "masked" else { return MCPError.describe(error) }
        let number = String(UInt64.random(in: 0 ... .max), radix: 16)
        let words = "internal error (id \(String(repeating: "0", count: 16 - number.count))\(number))"
        rails.onInternalError("\(words) in \(place)", error)
        return words
    }

    /// What a call ends with: what was written for the client as it is.
    func covered(_ error: any Error, _ place: String) -> any Error {
        if options["error_detail"] != "masked" || error is CancellationError { return error }
        // A reason is a word that programs act on.
        if let known = MCPError.of(error) as? MCPError {
            // A question of the handler's that was withdrawn is no fault of anybody's.
            if known.kind == "cancelled" || known.code != -32603 || known.data?["reason"] != nil { return error }
        }
        return MCPError.internalError(shown(error, place))
    }
}

/// Does one thing after another.
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
