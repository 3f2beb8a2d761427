// Pages that a server offers beside its tools. Owns: how a page becomes a resource, and what a tool
// says of its page. Must not know: hosts, and what they refuse.
import MCPBoltEngine

/// As clients declare that they show pages.
private let declared = (try? decided { try appDecision(name: "extension", arguments: "{}") }) ?? [:]
private let identifier = declared["id"]?.stringValue ?? ""
private let mimeType = declared["settings"]?["mimeTypes"]?[0]?.stringValue ?? ""
private let member = "ui"

/// The origins that a page uses, such as `https://api.example.com`, for the policy that it is shown
/// under. What is not named is blocked.
public struct AppCSP: Hashable, Sendable {
    /// Origins that it sends requests to.
    public var connectDomains: [String]
    /// Origins of its scripts, styles, pictures, fonts and media.
    public var resourceDomains: [String]
    /// Origins that it shows in frames.
    public var frameDomains: [String]
    /// Origins that its base address may have.
    public var baseURIDomains: [String]

    /// Names origins; none by default.
    public init(
        connectDomains: [String] = [], resourceDomains: [String] = [], frameDomains: [String] = [], baseURIDomains: [String] = []
    ) {
        (self.connectDomains, self.resourceDomains) = (connectDomains, resourceDomains)
        (self.frameDomains, self.baseURIDomains) = (frameDomains, baseURIDomains)
    }

    fileprivate var row: [String: Value] {
        let all = [
            "connectDomains": connectDomains, "resourceDomains": resourceDomains, "frameDomains": frameDomains,
            "baseUriDomains": baseURIDomains,
        ]
        return all.filter { !$1.isEmpty }.mapValues { .array($0.map(Value.string)) }
    }
}

/// Something that a page asks the host for; a host may refuse.
public enum AppPermission: String, Hashable, Sendable {
    /// The camera.
    case camera
    /// The microphone.
    case microphone
    /// The place where the user is.
    case geolocation
    /// Writing to the clipboard.
    case clipboardWrite
}

/// Pages that hosts show beside tools (`io.modelcontextprotocol/ui`, 2026-01-26). Hosts that show none
/// get a tool's text, so every such tool returns text.
///
/// ```swift
/// var apps = Apps()
/// try apps.page("ui://clock/app.html", html: html, csp: .init(connectDomains: ["https://time.example.com"]))
/// let server = Server(name: "clock", version: "1.0.0", extensions: [apps.serverExtension])
/// try await server.addTool(apps.tool(Tool(name: "time", inputSchema: schema), page: "ui://clock/app.html")) { … }
/// ```
public struct Apps: Sendable {
    /// Who may see a tool and call it.
    public enum Visibility: String, Hashable, Sendable {
        /// The model.
        case model
        /// The pages of this server.
        case app
    }

    private var pages: [(resource: Resource, html: String)] = []

    /// Without pages.
    public init() {}

    /// Adds a page. Until more is said it can use nothing but itself.
    ///
    /// - Parameters:
    ///   - uri: Its URI, which begins with `ui://`.
    ///   - html: The document.
    ///   - name: Its name for programs; its URI by default.
    ///   - title: Its name for people.
    ///   - description: What it is.
    ///   - csp: The origins that it uses.
    ///   - permissions: What it asks the host for.
    ///   - domain: The origin that it wants to be shown on, in the host's own form.
    ///   - prefersBorder: Whether it wants a border; nil: the host decides.
    /// - Throws: `usage` if the URI is another one, or was added before.
    public mutating func page(
        _ uri: String, html: String, name: String? = nil, title: String? = nil, description: String? = nil, csp: AppCSP = .init(),
        permissions: Set<AppPermission> = [], domain: String? = nil, prefersBorder: Bool? = nil
    ) throws {
        if !uri.hasPrefix("ui://") { throw MCPError.usage("\(uri) is no page: its URI has to begin with ui://") }
        if has(uri) { throw MCPError.usage("the page \(uri) is there twice: add it once") }
        var ui: [String: Value] = [:]
        if !csp.row.isEmpty { ui["csp"] = .object(csp.row) }
        if !permissions.isEmpty {
            ui["permissions"] = .object(Dictionary(uniqueKeysWithValues: permissions.map { ($0.rawValue, Value.object([:])) }))
        }
        ui["domain"] = domain.map(Value.string)
        ui["prefersBorder"] = prefersBorder.map(Value.bool)
        let about = Resource(
            name: name ?? uri, uri: uri, title: title, description: description, mimeType: mimeType,
            _meta: ui.isEmpty ? nil : [member: .object(ui)])
        pages.append((about, html))
    }

    /// Returns a tool that says what it has to do with pages, for `Server.addTool`. `page`: the page
    /// that shows its results, by the URI with which it was added; none by default. `visibility`: who
    /// may see and call it; both if it is nil. Throws `usage` if the page was not added, or the tool
    /// says something of pages already.
    public func tool(_ tool: Tool, page: String? = nil, visibility: Set<Visibility>? = nil) throws -> Tool {
        if let page, !has(page) {
            throw MCPError.usage("the tool \(tool.name) names the page \(page), which is not there: add it first, with page()")
        }
        if tool._meta?[member] != nil {
            throw MCPError.usage("the tool \(tool.name) has \(member) in its _meta already: say it here only")
        }
        var ui: [String: Value] = [:]
        ui["resourceUri"] = page.map(Value.string)
        ui["visibility"] = visibility.map { all in .array(all.map { .string($0.rawValue) }) }
        var tool = tool
        tool._meta = (tool._meta ?? [:]).merging([member: .object(ui)]) { $1 }
        return tool
    }

    /// What serves the pages that were added so far, for `Server.init`.
    public var serverExtension: ServerExtension {
        var made = ServerExtension(identifier)
        for (resource, html) in pages {
            made.offer(resource) { uri, _ in
                .init(contents: [.text(html, uri: uri, mimeType: mimeType, _meta: resource._meta)])
            }
        }
        return made
    }

    private func has(_ uri: String) -> Bool { pages.contains { $0.resource.uri == uri } }
}

extension HandlerContext {
    /// Whether the client shows pages: it declared the extension, and takes their type. Without it a
    /// tool's text has to do.
    public var clientShowsApps: Bool {
        (clientExtension(identifier)?["mimeTypes"]?.arrayValue ?? []).contains(.string(mimeType))
    }
}
