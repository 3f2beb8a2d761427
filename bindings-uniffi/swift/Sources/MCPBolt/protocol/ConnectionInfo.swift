// What the engine knows of connections and calls, as types. Must not know: who asks it.

/// The eras of the protocol.
public enum Era: String, Hashable, Sendable {
    /// 2024-11-05 to 2025-11-25: a connection begins with `initialize`.
    case legacy
    /// From 2026-07-28 on: each request says who sends it.
    case modern
}

/// How a client and a server are connected. Kinds of later versions are kept.
public struct TransportKind: RawRepresentable, Hashable, Codable, Sendable, CustomStringConvertible {
    /// The standard streams of a process.
    public static let stdio = TransportKind(rawValue: "stdio")
    /// Streamable HTTP.
    public static let http = TransportKind(rawValue: "http")
    /// HTTP+SSE (2024-11-05).
    public static let sse = TransportKind(rawValue: "sse")
    /// Within this process.
    public static let memory = TransportKind(rawValue: "memory")
    /// A transport of the program's.
    public static let custom = TransportKind(rawValue: "custom")
    /// The engine's word.
    public let rawValue: String

    /// Any word.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The word.
    public var description: String { rawValue }
}

/// What a client's engine knows of its connection; empty once that is over. What has no property here is
/// in `json`.
public struct ConnectionInfo: Hashable, Sendable {
    /// All of it, by the engine's names.
    public let json: Value

    /// The revision that both sides speak; nil until it is agreed on.
    public var protocolVersion: String? { json["revision"]?.stringValue }
    /// The era of that revision.
    public var era: Era? { json["era"]?.stringValue.flatMap(Era.init) }
    /// How the two are connected; nil once the connection is over.
    public var transport: TransportKind? { json["transport"]?.stringValue.map(TransportKind.init) }
    /// The id of the session over HTTP, which is a secret; nil where there is none.
    public var sessionID: String? { json["sessionId"]?.stringValue }
    /// The process id of a server that the engine started.
    public var process: Int? { json["process"]?.intValue }
    /// How many requests of this client wait for their answers.
    public var inFlight: Int { json["inFlight"]?.intValue ?? 0 }
    /// The server's name and version.
    public var serverInfo: Implementation? { json.member("serverInfo") }
    /// What the server can do.
    public var capabilities: ServerCapabilities? { json.member("capabilities") }
    /// What the server says of its use.
    public var instructions: String? { json["instructions"]?.stringValue }
    /// The server's answer to `initialize` or `server/discover`, as it came.
    public var handshake: Value? { json["handshake"] }

    /// From the engine's text; nil: it knows nothing.
    init(_ text: String?) { json = text.map { JSON($0).value } ?? [:] }
}

/// What a server's engine knows of a call; empty once that is over. What has no property here is in
/// `json`.
public struct CallInfo: Hashable, Sendable {
    /// All of it, by the engine's names.
    public let json: Value

    /// The id of the request.
    public var requestID: ID? { json.member("id") }
    /// The revision that both sides speak.
    public var protocolVersion: String? { json["revision"]?.stringValue }
    /// The era of that revision.
    public var era: Era? { json["era"]?.stringValue.flatMap(Era.init) }
    /// How the two are connected; nil once the call is over.
    public var transport: TransportKind? { json["transport"]?.stringValue.map(TransportKind.init) }
    /// The client's address and port, if the engine has the socket.
    public var peer: String? { json["peer"]?.stringValue }
    /// The id of who sent the call, if credentials were checked; `HandlerContext.principal` has more.
    public var principal: String? { json["principal"]?.stringValue }
    /// The headers of the request over HTTP, in their order; empty on other transports.
    public var headers: [(name: String, value: String)] {
        (json["headers"]?.arrayValue ?? []).compactMap { row in
            guard let name = row[0]?.stringValue, let value = row[1]?.stringValue else { return nil }
            return (name, value)
        }
    }
    /// The URL that the request over HTTP was sent to, with its query.
    public var target: String? { json["target"]?.stringValue }
    /// What the client calls itself. It is not verified.
    public var clientInfo: Implementation? { json.member("clientInfo") }
    /// What the client can do.
    public var clientCapabilities: ClientCapabilities? { json.member("clientCapabilities") }
    /// The request's `_meta`.
    public var meta: Metadata { json["meta"]?.objectValue ?? [:] }
    /// The client's answers to the `Questions` of an earlier round, by their names.
    public var inputResponses: [String: Value] { json["inputResponses"]?.objectValue ?? [:] }
    /// The state of the `Questions` of an earlier round.
    public var requestState: String? { json["requestState"]?.stringValue }
    /// The id of the task that the call is, if it is one.
    public var taskID: String? { json["task"]?.stringValue }
    /// Whether the client gave up on the call.
    public var isCancelled: Bool { json["cancelled"]?.boolValue ?? false }

    /// The first HTTP header with this name, in any case; nil on other transports.
    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// From the engine's text; nil: it knows nothing.
    init(_ text: String?) { json = text.map { JSON($0).value } ?? [:] }
}

extension ConnectionInfo: CustomStringConvertible {
    /// Which members there are, without what is in them: session ids are secrets.
    public var description: String { "ConnectionInfo\(json.names)" }
}

extension CallInfo: CustomStringConvertible {
    /// Which members there are, without what is in them: headers are secrets.
    public var description: String { "CallInfo\(json.names)" }
}

extension Value {
    /// A member as a type; nil if it is absent, null or of another shape.
    fileprivate func member<T: Decodable>(_ name: String) -> T? {
        guard let member = self[name], !member.isNull else { return nil }
        return try? member.decode(T.self)
    }

    fileprivate var names: [String] { (objectValue ?? [:]).keys.sorted() }
}
