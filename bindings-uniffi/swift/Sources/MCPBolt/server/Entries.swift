// What a server lists. Owns: an item with its handler, the names of the registries, the scopes that
// tokens need for items. Must not know: how a call reaches a handler.
import Foundation
import MCPBoltEngine

/// Answers a request.
typealias Answerer = @Sendable (JSON, HandlerContext) async throws -> JSON

/// A listed item and its handler.
struct Entry: Sendable {
    let name: String
    let row: Value
    /// The URIs of a resource template.
    var pattern: EngineUriTemplate?
    /// Whether calls of a tool become tasks.
    var task = TaskSupport.forbidden
    /// The scopes that a token needs for it.
    var scopes: [String] = []
    let answer: Answerer

    static func reading(
        _ resource: Resource, _ scopes: [String] = [], _ read: @escaping @Sendable (String, HandlerContext) async throws -> ReadResource.Result
    ) throws -> Entry {
        Entry(name: resource.uri, row: try Value(resource), scopes: scopes) { _, context in
            try JSON(encoding: try await read(resource.uri, context))
        }
    }
}

/// The registries, by the engine's names.
enum Kind: String, CaseIterable {
    case tools, prompts, resources, resourceTemplates
    var list: String {
        switch self {
        case .tools: return ListTools.name
        case .prompts: return ListPrompts.name
        case .resources: return ListResources.name
        case .resourceTemplates: return ListResourceTemplates.name
        }
    }
    /// The notification of a change.
    var changed: String {
        switch self {
        case .tools: return ToolListChangedNotification.name
        case .prompts: return PromptListChangedNotification.name
        case .resources, .resourceTemplates: return ResourceListChangedNotification.name
        }
    }
}

/// The scopes that tokens need for what is in any of these registries, as the engine reads them.
func tokenScopes(_ registries: [[Kind: [Entry]]]) -> Value {
    var needs: [String: [String: Value]] = [:]
    for (kind, list) in registries.flatMap({ $0 }) {
        for entry in list where !entry.scopes.isEmpty {
            let before = needs[kind.rawValue]?[entry.name]?.arrayValue ?? []
            needs[kind.rawValue, default: [:]][entry.name] = .array(before + entry.scopes.map(Value.string))
        }
    }
    return .object(needs.mapValues(Value.object))
}
