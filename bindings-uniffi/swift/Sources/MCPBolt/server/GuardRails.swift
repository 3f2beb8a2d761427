// Guard rails as functions of the program: access, audit, outgoing results, what errors say. Owns:
// what the functions receive and return. Must not know: who calls them.
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
        /// What it wants to do.
        public let verb: Verb
        /// What it wants to do that with.
        public let thing: Thing
        /// The name, or the URI of a resource.
        public let name: String

        /// What a client wants to do.
        public struct Verb: RawRepresentable, Hashable, Codable, Sendable {
            /// To call a tool, or a method of an extension.
            public static let call = Verb(rawValue: "call")
            /// To read a resource.
            public static let read = Verb(rawValue: "read")
            /// To get a prompt.
            public static let get = Verb(rawValue: "get")
            /// To have an argument of a prompt or template completed.
            public static let complete = Verb(rawValue: "complete")
            /// To be told of changes of a resource.
            public static let subscribe = Verb(rawValue: "subscribe")
            /// To see it in a list.
            public static let list = Verb(rawValue: "list")
            /// The engine's word.
            public let rawValue: String

            /// Any word.
            public init(rawValue: String) { self.rawValue = rawValue }
        }

        /// What something is done with.
        public struct Thing: RawRepresentable, Hashable, Codable, Sendable {
            /// A tool.
            public static let tool = Thing(rawValue: "tool")
            /// A resource.
            public static let resource = Thing(rawValue: "resource")
            /// A resource template.
            public static let template = Thing(rawValue: "template")
            /// A prompt.
            public static let prompt = Thing(rawValue: "prompt")
            /// A method of an extension.
            public static let method = Thing(rawValue: "method")
            /// The engine's word.
            public let rawValue: String

            /// Any word.
            public init(rawValue: String) { self.rawValue = rawValue }
        }
    }

    /// The client that wants to do something.
    public struct Asker: Hashable, Sendable, Codable {
        /// The number of the connection or session in this process.
        public let connection: UInt64
        /// How the client is connected.
        public let transport: TransportKind
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
        /// Calls a function with one record after another. Those it is too slow for are lost, and
        /// `lost` is told how many before the next record; without it `onInternalError` is.
        case each(lost: (@Sendable (Int) async throws -> Void)? = nil, @Sendable (AuditRecord) async throws -> Void)
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
    /// What clients are told about errors; `masked`, if nothing is said.
    public var errorDetail: ErrorDetail
    /// Called with errors of handlers and guard rails that no client is told about: the place, with
    /// the id if there is one, and the error. By default they are printed to standard error.
    public var onInternalError: @Sendable (String, any Error) -> Void

    /// Creates guard rails; without functions there are none, and errors are masked.
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
    /// The text for the model.
    public let errorDescription: String?
    /// With a text for the model.
    public init(_ words: String) { errorDescription = words }
}
