// Names of the official package for types and members that have others here. Must not know: what
// they do.
import Foundation

extension ID {
    /// A new id that no other request has.
    public static var random: ID { .string(UUID().uuidString) }
    /// The same; the official package's name for a progress token.
    public static func unique() -> ID { random }
}

extension Metadata {
    /// Metadata with the token that progress reports of a request refer to, and further members;
    /// none, if nothing is said.
    public init(progressToken: ProgressToken?, additionalFields: [String: Value] = [:]) {
        self = additionalFields
        self["progressToken"] = progressToken.flatMap { try? MCPBolt.Value($0) }
    }
}

extension CallToolParams {
    /// With the request's `_meta` under the official name.
    public init(name: String, arguments: [String: Value]? = nil, meta: Metadata?) {
        self.init(name: name, arguments: arguments, _meta: meta)
    }
}

extension ServerCapabilities {
    /// Takes `sampling` as the official package does. It is a client's capability: a server that
    /// asks a model declares nothing, and `sampling` is left out.
    public init(
        completions: [String: Value]? = nil, logging: [String: Value]? = nil, prompts: ListCapability? = nil,
        resources: ResourcesCapability? = nil, sampling _: SamplingCapability?, tools: ListCapability? = nil
    ) {
        self.init(completions: completions, logging: logging, prompts: prompts, resources: resources, tools: tools)
    }
}

/// What is already known of the arguments to complete. Since 2025-06-18.
public struct CompletionContext: Hashable, Codable, Sendable {
    /// Arguments already given, by name.
    public var arguments: [String: String]

    /// With the arguments that are given.
    public init(arguments: [String: String]) { self.arguments = arguments }

    /// Reads one; what is absent is empty.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        arguments = try members.decodeIfPresent([String: String].self, forKey: .arguments) ?? [:]
    }
}

/// What an argument to complete belongs to; the official name.
public typealias CompletionReference = CompletionRef
/// The official name.
public typealias ResourceReference = ResourceTemplateReference
/// The official name.
public typealias LogLevel = LoggingLevel

extension CompleteParams {
    /// The official name.
    public typealias Argument = CompletionArgument
    /// The official name.
    public typealias Context = CompletionContext
}

extension ElicitParams {
    /// The official name.
    public typealias FormParameters = ElicitFormParams
    /// The official name.
    public typealias URLParameters = ElicitUrlParams
}

extension ElicitResult {
    /// The official name.
    public typealias Action = ElicitAction
}

extension Sampling {
    /// The official name.
    public typealias ModelPreferences = MCPBolt.ModelPreferences
    /// The official name.
    public typealias ContextInclusion = IncludeContext
    /// The official name.
    public typealias StopReason = MCPBolt.StopReason
}

extension ModelPreferences {
    /// The official name.
    public typealias Hint = ModelHint
}

extension SamplingMessage {
    /// The official name.
    public typealias Role = MCPBolt.Role
}
