// What goes wrong. Owns: the one error of this package, and which case a failure is. Must
// not know: who failed.
import Foundation
import MCPBoltEngine

/// An error of the protocol, or of this side (`isLocal`), which no peer ever says.
public enum MCPError: Error, Hashable, Sendable {
    case parseError(String?)
    case invalidRequest(String?)
    case methodNotFound(String?)
    case invalidParams(String?)
    case internalError(String?)
    /// A resource that does not exist.
    case resourceNotFound(uri: String?)
    /// The user has to visit these first.
    case urlElicitationRequired(message: String, elicitations: [ElicitUrlParams])
    /// Any other error of the peer.
    case serverError(code: Int, message: String, data: Value? = nil)
    /// An error of the peer with all it says, where a case above would lose something.
    indirect case detailed(MCPError, message: String, data: Value?)

    case requestTimeout(String?)
    case connectionClosed
    case requestCancelled(String?)
    case overloaded(String?)
    case transportError(String?)
    case protocolViolation(String?)
    case unauthorized(String?)
    case forbidden(String?)
    case storeError(String?)
    case usage(String?)
    /// A review said no; nothing was sent.
    case rejected(String?)

    /// JSON-RPC code.
    public var code: Int {
        switch self {
        case .parseError: -32700
        case .invalidRequest: -32600
        case .methodNotFound: -32601
        case .invalidParams: -32602
        case .resourceNotFound: -32002
        case .urlElicitationRequired: -32042
        case .serverError(let code, _, _): code
        case .detailed(let error, _, _): error.code
        case .connectionClosed: -32000
        case .rejected: -1
        default: -32603
        }
    }

    /// Name of its kind, the same in every language.
    public var kind: String {
        switch self {
        case .parseError: "parse"
        case .invalidRequest: "invalid_request"
        case .methodNotFound: "method_not_found"
        case .invalidParams: "invalid_params"
        case .internalError: "internal"
        case .resourceNotFound: "resource_not_found"
        case .urlElicitationRequired: "url_elicitation_required"
        case .serverError(let code, _, _): Self.kinds[code] ?? "peer"
        case .detailed(let error, _, _): error.kind
        case .requestTimeout: "timeout"
        case .connectionClosed: "closed"
        case .requestCancelled: "cancelled"
        case .overloaded: "overloaded"
        case .transportError: "transport"
        case .protocolViolation: "protocol"
        case .unauthorized: "unauthorized"
        case .forbidden: "forbidden"
        case .storeError: "store"
        case .usage: "usage"
        case .rejected: "rejected"
        }
    }

    private static let kinds = [
        -32020: "header_mismatch", -32021: "missing_client_capability",
        -32022: "unsupported_protocol_version", 429: "rate_limited", -1: "rejected",
    ]

    /// Whether it arose on this side.
    public var isLocal: Bool { Self.local.contains(kind) }

    private static let local: Set<String> = [
        "timeout", "closed", "cancelled", "overloaded", "transport", "protocol", "unauthorized", "forbidden",
        "store", "usage",
    ]

    /// One sentence.
    public var message: String {
        switch self {
        case .resourceNotFound(let uri): "Resource not found" + (uri.map { ": \($0)" } ?? "")
        case .urlElicitationRequired(let message, _), .serverError(_, let message, _), .detailed(_, let message, _):
            message
        case .connectionClosed: "the connection is closed"
        case .parseError(let text), .invalidRequest(let text), .methodNotFound(let text), .invalidParams(let text),
            .internalError(let text), .requestTimeout(let text), .requestCancelled(let text),
            .overloaded(let text), .transportError(let text), .protocolViolation(let text),
            .unauthorized(let text), .forbidden(let text), .storeError(let text), .usage(let text),
            .rejected(let text):
            text ?? kind.replacingOccurrences(of: "_", with: " ")
        }
    }

    /// What else was said.
    public var data: Value? {
        switch self {
        case .resourceNotFound(let uri): uri.map { ["uri": .string($0)] }
        case .urlElicitationRequired(_, let all): (try? Value(all)).map { ["elicitations": $0] }
        case .serverError(_, _, let data), .detailed(_, _, let data): data
        default: nil
        }
    }

    /// From what crosses the boundary.
    init(kind: String, code: Int, message: String, data: Value?) {
        self = Self.plain(kind, code, message, data)
        if self.data != data || self.message != message { self = .detailed(self, message: message, data: data) }
    }

    private static func plain(_ kind: String, _ code: Int, _ message: String, _ data: Value?) -> MCPError {
        switch kind {
        case "parse": .parseError(message)
        case "invalid_request": .invalidRequest(message)
        case "method_not_found": .methodNotFound(message)
        case "invalid_params": .invalidParams(message)
        case "internal": .internalError(message)
        case "resource_not_found": .resourceNotFound(uri: data?["uri"]?.stringValue)
        case "url_elicitation_required":
            .urlElicitationRequired(
                message: message, elicitations: (try? data?["elicitations"]?.decode([ElicitUrlParams].self)) ?? [])
        case "timeout": .requestTimeout(message)
        case "closed": .connectionClosed
        case "cancelled": .requestCancelled(message)
        case "overloaded": .overloaded(message)
        case "transport": .transportError(message)
        case "protocol": .protocolViolation(message)
        case "unauthorized": .unauthorized(message)
        case "forbidden": .forbidden(message)
        case "store": .storeError(message)
        case "usage": .usage(message)
        default: .serverError(code: code, message: message, data: data)
        }
    }

    /// From a failure as the engine writes it.
    init(_ failure: Value) {
        self.init(
            kind: failure["kind"]?.stringValue ?? "", code: failure["code"]?.intValue ?? -32603,
            message: failure["message"]?.stringValue ?? "", data: failure["data"])
    }

    /// What the engine threw, or anything else as it is.
    static func of(_ error: any Error) -> any Error {
        guard case EngineFailure.Refused(let kind, let code, let text, let data)? = error as? EngineFailure else {
            return error
        }
        return MCPError(kind: kind, code: Int(code), message: text, data: data.map { JSON($0).value })
    }

    /// Any error that a handler threw, for the wire.
    static func wire(_ error: any Error) -> Value {
        if error is CancellationError {
            return ["kind": "cancelled", "code": -32800, "message": "the request was cancelled"]
        }
        guard let known = of(error) as? MCPError else {
            return ["kind": "", "code": -32603, "message": .string(describe(error))]
        }
        // What failed here is no error of the client's that asks us.
        let kind: Value = known.isLocal ? "" : .string(known.kind)
        var row: [String: Value] = ["kind": kind, "code": .int(known.code), "message": .string(known.message)]
        row["data"] = known.data
        return .object(row)
    }

    static func describe(_ error: any Error) -> String {
        (error as? any LocalizedError)?.errorDescription ?? String(describing: error)
    }
}

extension MCPError: LocalizedError {
    public var errorDescription: String? { message }
}
