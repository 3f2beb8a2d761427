// Pages that a server shows beside its tools, for a host. Owns: asking for tools and pages, and
// refusing what a host must refuse. Must not know: the rules of that, which the engine knows; web
// views and models.
import Foundation
import MCPBoltEngine

private func decide(_ name: String, _ given: [String: Value] = [:]) throws -> Value {
    try decided { try appDecision(name: name, arguments: Value.object(given).text) }
}

extension ClientExtension {
    /// Tells servers that this client shows pages.
    public static var showsApps: ClientExtension {
        let declared = (try? decide("extension")) ?? [:]
        return ClientExtension(declared["id"]?.stringValue ?? "", settings: declared["settings"] ?? [:])
    }
}

/// Why a page is not shown, or a call that it asks for is not made.
public enum AppError: LocalizedError, Hashable {
    /// What the server sent is no page that may be shown.
    case page(String)
    /// The page's server has no such tool.
    case unknown(tool: String)
    /// The tool's visibility does not name `app`.
    case notForApps(tool: String)

    public var errorDescription: String? {
        switch self {
        case .page(let why): why
        case .unknown(let tool): "the server of the page has no tool \(tool)"
        case .notForApps(let tool): "the tool \(tool) is not for pages"
        }
    }
}

/// A page, and how it is to be shown: in a sandboxed frame or web view, under its policy.
public struct AppPage: Hashable, Sendable {
    /// Its URI.
    public let uri: String
    /// The document.
    public let html: String
    /// The `Content-Security-Policy` it is shown under: nothing but the page itself, and the origins
    /// it declares.
    public let policy: String
    /// The `allow` attribute of a frame that grants all it asks for; a host may grant less.
    public let allow: String
    /// What it declares that is no origin, and has no effect.
    public let ignored: [String]
    /// The origin it wants to be shown on, in the host's own form.
    public let domain: String?
    /// Whether it wants a border; nil: the host decides.
    public let border: Bool?
}

/// The pages of one server. A page lives with the connection it came from: it can call the tools of
/// that server, and no other's.
public struct AppsClient: Sendable {
    private let client: Client

    /// For a connected client.
    public init(_ client: Client) { self.client = client }

    /// Lists the tools that a model may be told of: those whose visibility names it.
    public func modelTools() async throws -> [Tool] { try await client.allTools().filter { try rules($0)["model"] == true } }

    /// Reads the page that shows the results of a tool, as this server listed it; nil if it has
    /// none. Throws `AppError.page` if what the server sent must not be shown.
    public func page(_ tool: Tool) async throws -> AppPage? {
        guard let uri = try rules(tool)["page"]?.stringValue else { return nil }
        let read = try await client.request(ReadResource.name, ["uri": .string(uri)])
        let found = try decide("page", ["uri": .string(uri), "result": read])
        if let why = found["refused"]?.stringValue { throw AppError.page(why) }
        return AppPage(
            uri: uri, html: found["html"]?.stringValue ?? "", policy: found["policy"]?.stringValue ?? "",
            allow: found["allow"]?.stringValue ?? "", ignored: (found["ignored"]?.arrayValue ?? []).compactMap(\.stringValue),
            domain: found["domain"]?.stringValue, border: found["border"]?.boolValue)
    }

    /// Makes a call that a page of this server asks for. Throws an `AppError` if the server has no
    /// such tool, or it is not for pages; nothing was called.
    public func call(name: String, arguments: [String: Value] = [:], options: RequestOptions = .init()) async throws -> CallToolResult {
        let tools = try await client.allTools().map { try Value($0) }
        switch try decide("call", ["tools": .array(tools), "name": .string(name)]) {
        case "allowed": return try await client.send(CallTool.request(.init(name: name, arguments: arguments)), options: options)
        case "unknown": throw AppError.unknown(tool: name)
        default: throw AppError.notForApps(tool: name)
        }
    }

    private func rules(_ tool: Tool) throws -> Value { try decide("tool", ["tool": try Value(tool)]) }
}
