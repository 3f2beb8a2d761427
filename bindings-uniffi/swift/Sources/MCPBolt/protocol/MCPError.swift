// Errors. Owns: the one error type of this package, and the case of each failure. Must not know:
// who failed.
import Foundation
import MCPBoltEngine

/// An error of the protocol, or a failure of this side (`isLocal`), which a peer never sends.
public enum MCPError: Error, Hashable, Sendable {
    case parseError(String?, data: Value? = nil)
    case invalidRequest(String?, data: Value? = nil)
    case methodNotFound(String?, data: Value? = nil)
    case invalidParams(String?, data: Value? = nil)
    case internalError(String?, data: Value? = nil)
    /// The resource does not exist.
    case resourceNotFound(uri: String?, message: String? = nil, data: Value? = nil)
    /// The user has to visit URLs first.
    case urlElicitationRequired(message: String, elicitations: [ElicitUrlParams], data: Value? = nil)
    /// The headers of an HTTP request contradict its body (from 2026-07-28 on).
    case headerMismatch(String?, data: Value? = nil)
    /// The client did not declare what the request needs (from 2026-07-28 on): `requiredCapabilities`.
    case missingClientCapability(String?, data: Value? = nil)
    /// The peer does not speak the protocol revision, but `supportedVersions`.
    case unsupportedProtocolVersion(String?, data: Value? = nil)
    /// The server answers no more requests of this client for a while.
    case rateLimited(String?, data: Value? = nil)
    /// A person, or a rule of the client's, refused. From a review, nothing was sent.
    case rejected(String?, data: Value? = nil)
    /// Any other error that the peer sent.
    case serverError(code: Int, message: String, data: Value? = nil)

    case requestTimeout(String?, data: Value? = nil)
    /// The connection is closed, with the reason if it is known.
    case connectionClosed(String?, data: Value? = nil)
    case requestCancelled(String?, data: Value? = nil)
    case overloaded(String?, data: Value? = nil)
    case transportError(String?, data: Value? = nil)
    case protocolViolation(String?, data: Value? = nil)
    case unauthorized(String?, data: Value? = nil)
    case forbidden(String?, data: Value? = nil)
    case storeError(String?, data: Value? = nil)
    case usage(String?, data: Value? = nil)

    /// An error without a reason. As a pattern, `catch MCPError.connectionClosed`, it matches the
    /// case with any reason.
    public static var connectionClosed: MCPError { .connectionClosed(nil) }

    /// The JSON-RPC error code. Where revisions have different ones, that of the revision which named
    /// the error.
    public var code: Int {
        switch self {
        case .parseError: -32700
        case .invalidRequest: -32600
        case .methodNotFound: -32601
        case .invalidParams: -32602
        case .resourceNotFound: -32002
        case .urlElicitationRequired: -32042
        case .headerMismatch: -32020
        case .missingClientCapability: -32021
        case .unsupportedProtocolVersion: -32022
        case .rateLimited: 429
        case .rejected: -1
        case .serverError(let code, _, _): code
        case .connectionClosed: -32000
        default: -32603
        }
    }

    /// The name of the kind of error, the same in every language.
    public var kind: String {
        switch self {
        case .parseError: "parse"
        case .invalidRequest: "invalid_request"
        case .methodNotFound: "method_not_found"
        case .invalidParams: "invalid_params"
        case .internalError: "internal"
        case .resourceNotFound: "resource_not_found"
        case .urlElicitationRequired: "url_elicitation_required"
        case .headerMismatch: "header_mismatch"
        case .missingClientCapability: "missing_client_capability"
        case .unsupportedProtocolVersion: "unsupported_protocol_version"
        case .rateLimited: "rate_limited"
        case .rejected: "rejected"
        case .serverError(let code, _, _): Self.kinds[code] ?? "peer"
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
        }
    }

    /// Of codes that have cases, for programs that give the number.
    private static let kinds = [
        -32020: "header_mismatch", -32021: "missing_client_capability",
        -32022: "unsupported_protocol_version", 429: "rate_limited", -1: "rejected",
    ]

    /// Whether the failure occurred on this side.
    public var isLocal: Bool { Self.local.contains(kind) }

    private static let local: Set<String> = [
        "timeout", "closed", "cancelled", "overloaded", "transport", "protocol", "unauthorized", "forbidden",
        "store", "usage",
    ]

    /// A one-sentence description.
    public var message: String { said.text ?? usual }

    /// Additional information about the error.
    public var data: Value? {
        if let data = said.data { return data }
        return switch self {
        case .resourceNotFound(let uri, _, _): uri.map { ["uri": .string($0)] }
        case .urlElicitationRequired(_, let all, _): (try? Value(all)).map { ["elicitations": $0] }
        default: nil
        }
    }

    /// What the client has to declare, of `missingClientCapability`; `nil` if the peer does not say it.
    public var requiredCapabilities: ClientCapabilities? {
        guard kind == "missing_client_capability" else { return nil }
        return try? data?["requiredCapabilities"]?.decode(ClientCapabilities.self)
    }

    /// The revisions that the peer speaks, of `unsupportedProtocolVersion`; `nil` if it does not say them.
    public var supportedVersions: [String]? {
        guard kind == "unsupported_protocol_version" else { return nil }
        return try? data?["supported"]?.decode([String].self)
    }

    /// The associated text and data.
    private var said: (text: String?, data: Value?) {
        switch self {
        case .resourceNotFound(_, let text, let data): (text, data)
        case .urlElicitationRequired(let text, _, let data), .serverError(_, let text, let data): (text, data)
        case .parseError(let text, let data), .invalidRequest(let text, let data), .methodNotFound(let text, let data),
            .invalidParams(let text, let data), .internalError(let text, let data), .requestTimeout(let text, let data),
            .connectionClosed(let text, let data), .requestCancelled(let text, let data), .overloaded(let text, let data),
            .transportError(let text, let data), .protocolViolation(let text, let data), .unauthorized(let text, let data),
            .forbidden(let text, let data), .storeError(let text, let data), .usage(let text, let data),
            .rejected(let text, let data), .headerMismatch(let text, let data), .missingClientCapability(let text, let data),
            .unsupportedProtocolVersion(let text, let data), .rateLimited(let text, let data):
            (text, data)
        }
    }

    /// The description of a case without a text of its own.
    private var usual: String {
        switch self {
        case .resourceNotFound(let uri, _, _): "Resource not found" + (uri.map { ": \($0)" } ?? "")
        case .connectionClosed: "the connection is closed"
        default: kind.replacingOccurrences(of: "_", with: " ")
        }
    }

    /// Creates an error from the parts that cross the boundary.
    init(kind: String, code: Int, message: String, data: Value?) {
        let bare = Self.plain(kind, code, nil, message, nil, data)
        // A text and data that follow from the case are not stored, so that the error equals one
        // that a program created.
        let (text, rest) = (bare.usual == message ? nil : message, bare.data == data ? nil : data)
        self = Self.plain(kind, code, text, message, rest, data)
    }

    /// Creates the case for a kind. `message` and `data` are complete; `text` and `rest` are what
    /// does not follow from the case.
    private static func plain(
        _ kind: String, _ code: Int, _ text: String?, _ message: String, _ rest: Value?, _ data: Value?
    ) -> MCPError {
        switch kind {
        case "parse": .parseError(text, data: rest)
        case "invalid_request": .invalidRequest(text, data: rest)
        case "method_not_found": .methodNotFound(text, data: rest)
        case "invalid_params": .invalidParams(text, data: rest)
        case "internal": .internalError(text, data: rest)
        case "resource_not_found": .resourceNotFound(uri: data?["uri"]?.stringValue, message: text, data: rest)
        case "url_elicitation_required":
            .urlElicitationRequired(
                message: message, elicitations: (try? data?["elicitations"]?.decode([ElicitUrlParams].self)) ?? [], data: rest)
        case "header_mismatch": .headerMismatch(text, data: rest)
        case "missing_client_capability": .missingClientCapability(text, data: rest)
        case "unsupported_protocol_version": .unsupportedProtocolVersion(text, data: rest)
        case "rate_limited": .rateLimited(text, data: rest)
        case "rejected": .rejected(text, data: rest)
        case "timeout": .requestTimeout(text, data: rest)
        case "closed": .connectionClosed(text, data: rest)
        case "cancelled": .requestCancelled(text, data: rest)
        case "overloaded": .overloaded(text, data: rest)
        case "transport": .transportError(text, data: rest)
        case "protocol": .protocolViolation(text, data: rest)
        case "unauthorized": .unauthorized(text, data: rest)
        case "forbidden": .forbidden(text, data: rest)
        case "store": .storeError(text, data: rest)
        case "usage": .usage(text, data: rest)
        default: .serverError(code: code, message: message, data: data)
        }
    }

    /// Creates an error from a failure as the engine writes it.
    init(_ failure: Value) {
        self.init(
            kind: failure["kind"]?.stringValue ?? "", code: failure["code"]?.intValue ?? -32603,
            message: failure["message"]?.stringValue ?? "", data: failure["data"])
    }

    /// Converts an error that the engine threw; returns others unchanged.
    static func of(_ error: any Error) -> any Error {
        guard case EngineFailure.Refused(let kind, let code, let text, let data)? = error as? EngineFailure else {
            return error
        }
        return MCPError(kind: kind, code: Int(code), message: text, data: data.map { JSON($0).value })
    }

    /// Converts an error that a handler threw to its wire form; `ofService`, one that something threw
    /// which the engine asked.
    static func wire(_ error: any Error, ofService: Bool = false) -> Value {
        if error is CancellationError {
            return ["kind": "cancelled", "code": -32800, "message": "the request was cancelled"]
        }
        guard let known = of(error) as? MCPError else {
            return ["kind": "", "code": -32603, "message": .string(describe(error))]
        }
        // A local failure is not an error of the client that sent the request.
        let kind: Value = known.isLocal && !ofService ? "" : .string(known.kind)
        var row: [String: Value] = ["kind": kind, "code": .int(known.code), "message": .string(known.message)]
        row["data"] = known.data
        return .object(row)
    }

    /// Decodes the peer's answer; one that does not match the type is a protocol violation of the
    /// peer.
    static func answer<T: Decodable>(_ answer: JSON, to method: String, _ type: T.Type) throws -> T {
        do { return try answer.decode(type) } catch {
            throw MCPError.protocolViolation("the answer to \(method) has not the shape of its type: \(describe(error))")
        }
    }

    static func describe(_ error: any Error) -> String {
        if let shape = error as? DecodingError { return Self.words(shape) }
        return (error as? any LocalizedError)?.errorDescription ?? String(describing: error)
    }
}

extension MCPError {
    /// Names the member that is wrong, but never its value.
    private static func words(_ error: DecodingError) -> String {
        func member(_ context: DecodingError.Context, _ last: [any CodingKey] = []) -> String {
            let path = (context.codingPath + last).map(\.stringValue).joined(separator: ".")
            return path.isEmpty ? "the value" : path
        }
        return switch error {
        case .keyNotFound(let key, let context): "\(member(context, [key])) is missing"
        case .valueNotFound(_, let context): "\(member(context)) is null"
        case .typeMismatch(_, let context): "\(member(context)) has another type"
        case .dataCorrupted(let context): "\(member(context)) cannot be read"
        @unknown default: "it cannot be read"
        }
    }
}

extension MCPError: LocalizedError {
    public var errorDescription: String? { message }
}

/// Decodes the parameters of a request; throws if they do not match the type.
func decoded<T: Decodable>(_ params: JSON, _ type: T.Type) throws -> T {
    do { return try params.decode(type) } catch {
        throw MCPError.invalidParams("Invalid parameters: \(MCPError.describe(error))")
    }
}

/// A decision of the engine; throws what the engine throws as an error of this package.
func decided(_ decide: () throws -> String) throws -> Value {
    do { return JSON(try decide()).value } catch { throw MCPError.of(error) }
}
