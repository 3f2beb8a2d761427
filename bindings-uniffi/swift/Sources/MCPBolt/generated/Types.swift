// The types of the protocol. Written by `cargo xtask generate`; do not edit.

/// Hints for the client about how to use or show something. From an untrusted server they are not to be
/// trusted.
public struct Annotations: Hashable, Codable, Sendable {
    /// For whom it is: the user, the model (`assistant`), or both.
    public var audience: [Role]?
    /// How important it is, from 0 to 1 (1: effectively required).
    public var priority: Double?
    /// When it last changed, in ISO 8601. Since 2025-06-18.
    public var lastModified: String?

    /// With its members.
    public init(
        audience: [Role]? = nil,
        priority: Double? = nil,
        lastModified: String? = nil
    ) {
        self.audience = audience
        self.priority = priority
        self.lastModified = lastModified
    }
}

/// Sound. Since 2025-03-26.
public struct AudioContent: Hashable, Codable, Sendable {
    /// Always `audio`.
    public private(set) var type: String = "audio"
    /// The bytes in Base64.
    public var data: String
    /// The MIME type.
    public var mimeType: String
    /// Hints for the client.
    public var annotations: Annotations?
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        data: String,
        mimeType: String,
        annotations: Annotations? = nil,
        _meta: Metadata? = nil
    ) {
        self.data = data
        self.mimeType = mimeType
        self.annotations = annotations
        self._meta = _meta
    }
}

/// Yes or no.
public struct BooleanSchema: Hashable, Codable, Sendable {
    /// Always `boolean`.
    public private(set) var type: String = "boolean"
    /// The label.
    public var title: String?
    /// What to decide.
    public var description: String?
    /// What is chosen at first.
    public var `default`: Bool?

    /// With its members.
    public init(
        title: String? = nil,
        description: String? = nil,
        default: Bool? = nil
    ) {
        self.title = title
        self.description = description
        self.default = `default`
    }
}

/// Who may keep a cached result. Since 2026-07-28.
public struct CacheScope: RawRepresentable, Hashable, Codable, Sendable {
    /// Only the client that asked.
    public static let `private` = CacheScope(rawValue: "private")
    /// Shared caches too.
    public static let `public` = CacheScope(rawValue: "public")
    /// The word; others than these are kept.
    public let rawValue: String

    /// Any word.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// Params of `tools/call`.
public struct CallToolParams: Hashable, Codable, Sendable {
    /// The name of the tool.
    public var name: String
    /// The arguments: an object.
    public var arguments: [String: Value]?
    /// Answers to an earlier `input_required`. Since 2026-07-28.
    public var inputResponses: [String: Value]?
    /// What the earlier `input_required` asked to be sent back. Since 2026-07-28.
    public var requestState: String?
    /// Asks to run as a task. 2025-11-25 only.
    public var task: TaskMetadata?
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        name: String,
        arguments: [String: Value]? = nil,
        inputResponses: [String: Value]? = nil,
        requestState: String? = nil,
        task: TaskMetadata? = nil,
        _meta: Metadata? = nil
    ) {
        self.name = name
        self.arguments = arguments
        self.inputResponses = inputResponses
        self.requestState = requestState
        self.task = task
        self._meta = _meta
    }
}

/// Result of `tools/call`. A tool's own failure is a result with `isError`, so that the model sees it.
public struct CallToolResult: Hashable, Codable, Sendable {
    /// The answer.
    public var content: [ContentBlock]
    /// The answer as data. `null` is a value, told from absent. Since 2025-06-18; before 2026-07-28 an
    /// object.
    public var structuredContent: Value?
    /// Whether the tool failed. Taken as false when absent.
    public var isError: Bool?
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        content: [ContentBlock] = [],
        structuredContent: Value? = nil,
        isError: Bool? = nil,
        _meta: Metadata? = nil
    ) {
        self.content = content
        self.structuredContent = structuredContent
        self.isError = isError
        self._meta = _meta
    }

    /// Reads one; what is absent has its default.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        content = try members.decodeIfPresent([ContentBlock].self, forKey: .content) ?? []
        structuredContent = try members.decodeIfPresent(Value.self, forKey: .structuredContent)
        isError = try members.decodeIfPresent(Bool.self, forKey: .isError)
        _meta = try members.decodeIfPresent(Metadata.self, forKey: ._meta)
    }
}

/// Params of `tasks/cancel`.
public struct CancelTaskParams: Hashable, Codable, Sendable {
    /// The task.
    public var taskId: String

    /// With its members.
    public init(
        taskId: String
    ) {
        self.taskId = taskId
    }
}

/// Result of `tasks/cancel`.
public struct CancelTaskResult: Hashable, Codable, Sendable {
    /// The id of the task.
    public var taskId: String
    /// The status of the task.
    public var status: TaskStatus
    /// A text about the status, for people.
    public var statusMessage: String?
    /// When it was created, in ISO 8601.
    public var createdAt: String
    /// When it last changed, in ISO 8601.
    public var lastUpdatedAt: String
    /// How long it is kept once created, in milliseconds; `null` is for ever.
    public var ttl: Int?
    /// How long to wait between two polls, in milliseconds.
    public var pollInterval: Int?

    /// With its members.
    public init(
        taskId: String,
        status: TaskStatus,
        statusMessage: String? = nil,
        createdAt: String,
        lastUpdatedAt: String,
        ttl: Int? = nil,
        pollInterval: Int? = nil
    ) {
        self.taskId = taskId
        self.status = status
        self.statusMessage = statusMessage
        self.createdAt = createdAt
        self.lastUpdatedAt = lastUpdatedAt
        self.ttl = ttl
        self.pollInterval = pollInterval
    }
}

/// Params of `notifications/cancelled`.
public struct CancelledParams: Hashable, Codable, Sendable, NotRequired {
    /// The request to cancel. Only 2025-11-25 lets it be absent.
    public var requestId: ID?
    /// The reason, for logs and people.
    public var reason: String?
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        requestId: ID? = nil,
        reason: String? = nil,
        _meta: Metadata? = nil
    ) {
        self.requestId = requestId
        self.reason = reason
        self._meta = _meta
    }

    /// Nothing of it.
    public init() {}
}

/// What a client can do.
public struct ClientCapabilities: Hashable, Codable, Sendable {
    /// It can ask a model (deprecated since 2026-07-28, SEP-2577).
    ///
    /// - Warning: Deprecated: sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call
    /// the model's provider from the server.
    public var sampling: SamplingCapability?
    /// It can ask its user, since 2025-06-18.
    public var elicitation: ElicitationCapability?
    /// Unofficial features by name.
    public var experimental: [String: Value]?
    /// It has roots (deprecated since 2026-07-28, SEP-2577).
    ///
    /// - Warning: Deprecated: roots, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Pass
    /// folders and files as tool parameters, resource URIs or settings of the server.
    public var roots: RootsCapability?
    /// It runs requests as tasks. 2025-11-25 only.
    public var tasks: [String: Value]?
    /// Extensions by identifier, with their settings.
    public var extensions: [String: Value]?

    /// With its members.
    public init(
        sampling: SamplingCapability? = nil,
        elicitation: ElicitationCapability? = nil,
        experimental: [String: Value]? = nil,
        roots: RootsCapability? = nil,
        tasks: [String: Value]? = nil,
        extensions: [String: Value]? = nil
    ) {
        self.sampling = sampling
        self.elicitation = elicitation
        self.experimental = experimental
        self.roots = roots
        self.tasks = tasks
        self.extensions = extensions
    }
}

/// What the client can do with tasks. 2025-11-25 only.
public struct ClientTasksCapability: Hashable, Codable, Sendable {
    /// It answers `tasks/list`.
    public var list: TasksListCapability?
    /// It answers `tasks/cancel`.
    public var cancel: TasksCancelCapability?
    /// What may be a task.
    public var requests: ClientTasksRequestsCapability?

    /// With its members.
    public init(
        list: TasksListCapability? = nil,
        cancel: TasksCancelCapability? = nil,
        requests: ClientTasksRequestsCapability? = nil
    ) {
        self.list = list
        self.cancel = cancel
        self.requests = requests
    }
}

/// Which requests to the client may be tasks. 2025-11-25 only.
public struct ClientTasksRequestsCapability: Hashable, Codable, Sendable {
    /// Sampling.
    public var sampling: TasksSamplingCapability?
    /// Elicitation.
    public var elicitation: TasksElicitationCapability?

    /// With its members.
    public init(
        sampling: TasksSamplingCapability? = nil,
        elicitation: TasksElicitationCapability? = nil
    ) {
        self.sampling = sampling
        self.elicitation = elicitation
    }
}

/// Params of `completion/complete`.
public struct CompleteParams: Hashable, Codable, Sendable {
    /// The prompt or resource template that has the argument.
    public var ref: CompletionRef
    /// The argument.
    public var argument: CompletionArgument
    /// What is already known. Since 2025-06-18.
    public var context: CompletionContext?
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        ref: CompletionRef,
        argument: CompletionArgument,
        context: CompletionContext? = nil,
        _meta: Metadata? = nil
    ) {
        self.ref = ref
        self.argument = argument
        self.context = context
        self._meta = _meta
    }
}

/// Result of `completion/complete`.
public struct CompleteResult: Hashable, Codable, Sendable {
    /// The suggestions.
    public var completion: Completion
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        completion: Completion,
        _meta: Metadata? = nil
    ) {
        self.completion = completion
        self._meta = _meta
    }
}

/// Suggestions.
public struct Completion: Hashable, Codable, Sendable {
    /// At most 100 values, best first.
    public var values: [String]
    /// How many there are in all, if known.
    public var total: Int?
    /// Whether there are more than these.
    public var hasMore: Bool?

    /// With its members.
    public init(
        values: [String],
        total: Int? = nil,
        hasMore: Bool? = nil
    ) {
        self.values = values
        self.total = total
        self.hasMore = hasMore
    }
}

/// The argument being typed.
public struct CompletionArgument: Hashable, Codable, Sendable {
    /// The name of the argument.
    public var name: String
    /// The text typed so far.
    public var value: String

    /// With its members.
    public init(
        name: String,
        value: String
    ) {
        self.name = name
        self.value = value
    }
}

/// What an argument belongs to.
public enum CompletionRef: Hashable, Codable, Sendable {
    /// A prompt.
    case prompt(PromptReference)
    /// A resource or a resource template.
    case resource(ResourceTemplateReference)

    /// Reads whichever it is.
    public init(from decoder: any Decoder) throws {
        if decoder.tells("type", "ref/prompt") {
            self = .prompt(try PromptReference(from: decoder))
            return
        }
        if decoder.tells("type", "ref/resource") {
            self = .resource(try ResourceTemplateReference(from: decoder))
            return
        }
        throw DecodingError.dataCorrupted(
            .init(codingPath: decoder.codingPath, debugDescription: "none of its kinds"))
    }

    /// Writes the one it is.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .prompt(let one): try one.encode(to: encoder)
        case .resource(let one): try one.encode(to: encoder)
        }
    }
}

/// One piece of content. The `type` member tells the kind.
public indirect enum ContentBlock: Hashable, Codable, Sendable {
    /// Text.
    case text(text: String, annotations: Annotations? = nil, _meta: Metadata? = nil)
    /// A picture.
    case image(data: String, mimeType: String, annotations: Annotations? = nil, _meta: Metadata? = nil)
    /// Sound. Since 2025-03-26.
    case audio(data: String, mimeType: String, annotations: Annotations? = nil, _meta: Metadata? = nil)
    /// A resource that can be read, named but not included. Since 2025-06-18.
    case resourceLink(uri: String, name: String, title: String? = nil, description: String? = nil, mimeType: String? = nil, size: Int? = nil, annotations: Annotations? = nil, icons: [Icon]? = nil, _meta: Metadata? = nil)
    /// The contents of a resource.
    case resource(resource: Resource.Content, annotations: Annotations? = nil, _meta: Metadata? = nil)
    /// A model's wish to call a tool. Since 2025-11-25; deprecated since 2026-07-28 with sampling
    /// (SEP-2577), earliest removal 2027-07-28.
    ///
    /// - Warning: Deprecated: sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call
    /// the model's provider from the server.
    case toolUse(id: String, name: String, input: [String: Value], _meta: Metadata? = nil)
    /// What a tool answered to a model. Since 2025-11-25; deprecated since 2026-07-28 with sampling
    /// (SEP-2577), earliest removal 2027-07-28.
    ///
    /// - Warning: Deprecated: sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call
    /// the model's provider from the server.
    case toolResult(toolUseId: String, content: [ContentBlock] = [], structuredContent: Value? = nil, isError: Bool? = nil, _meta: Metadata? = nil)
    /// Of an extension or a later revision.
    case other(Value)

    /// Reads whichever it is.
    public init(from decoder: any Decoder) throws {
        if decoder.tells("type", "text") {
            let one = try TextContent(from: decoder)
            self = .text(text: one.text, annotations: one.annotations, _meta: one._meta)
            return
        }
        if decoder.tells("type", "image") {
            let one = try ImageContent(from: decoder)
            self = .image(data: one.data, mimeType: one.mimeType, annotations: one.annotations, _meta: one._meta)
            return
        }
        if decoder.tells("type", "audio") {
            let one = try AudioContent(from: decoder)
            self = .audio(data: one.data, mimeType: one.mimeType, annotations: one.annotations, _meta: one._meta)
            return
        }
        if decoder.tells("type", "resource_link") {
            let one = try ResourceLink(from: decoder)
            self = .resourceLink(uri: one.uri, name: one.name, title: one.title, description: one.description, mimeType: one.mimeType, size: one.size, annotations: one.annotations, icons: one.icons, _meta: one._meta)
            return
        }
        if decoder.tells("type", "resource") {
            let one = try EmbeddedResource(from: decoder)
            self = .resource(resource: one.resource, annotations: one.annotations, _meta: one._meta)
            return
        }
        if decoder.tells("type", "tool_use") {
            let one = try ToolUseContent(from: decoder)
            self = .toolUse(id: one.id, name: one.name, input: one.input, _meta: one._meta)
            return
        }
        if decoder.tells("type", "tool_result") {
            let one = try ToolResultContent(from: decoder)
            self = .toolResult(toolUseId: one.toolUseId, content: one.content, structuredContent: one.structuredContent, isError: one.isError, _meta: one._meta)
            return
        }
        self = .other(try Value(from: decoder))
    }

    /// Writes the one it is.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .text(let text, let annotations, let _meta):
            try TextContent(text: text, annotations: annotations, _meta: _meta).encode(to: encoder)
        case .image(let data, let mimeType, let annotations, let _meta):
            try ImageContent(data: data, mimeType: mimeType, annotations: annotations, _meta: _meta).encode(to: encoder)
        case .audio(let data, let mimeType, let annotations, let _meta):
            try AudioContent(data: data, mimeType: mimeType, annotations: annotations, _meta: _meta).encode(to: encoder)
        case .resourceLink(let uri, let name, let title, let description, let mimeType, let size, let annotations, let icons, let _meta):
            try ResourceLink(uri: uri, name: name, title: title, description: description, mimeType: mimeType, size: size, annotations: annotations, icons: icons, _meta: _meta).encode(to: encoder)
        case .resource(let resource, let annotations, let _meta):
            try EmbeddedResource(resource: resource, annotations: annotations, _meta: _meta).encode(to: encoder)
        case .toolUse(let id, let name, let input, let _meta):
            try ToolUseContent(id: id, name: name, input: input, _meta: _meta).encode(to: encoder)
        case .toolResult(let toolUseId, let content, let structuredContent, let isError, let _meta):
            try ToolResultContent(toolUseId: toolUseId, content: content, structuredContent: structuredContent, isError: isError, _meta: _meta).encode(to: encoder)
        case .other(let value): try value.encode(to: encoder)
        }
    }
}

/// Params of `sampling/createMessage`.
///
/// - Warning: Deprecated: sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the
/// model's provider from the server.
public struct CreateMessageParams: Hashable, Codable, Sendable {
    /// The conversation so far, oldest message first.
    public var messages: [SamplingMessage]
    /// Which model the server prefers.
    public var modelPreferences: ModelPreferences?
    /// The system prompt.
    public var systemPrompt: String?
    /// What context the client adds.
    ///
    /// - Warning: Deprecated: includeContext, since 2025-11-25 (SEP-2596); earliest removal 2027-07-28.
    /// Leave it out, or say `none`.
    public var includeContext: IncludeContext?
    /// The temperature.
    public var temperature: Double?
    /// The largest number of tokens to generate.
    public var maxTokens: Int
    /// Texts that end the answer.
    public var stopSequences: [String]?
    /// Settings for the model's provider, passed on unchanged.
    public var metadata: [String: Value]?
    /// Tools the model may use. Since 2025-11-25.
    public var tools: [Tool]?
    /// Whether the model has to use tools. Since 2025-11-25.
    public var toolChoice: ToolChoice?
    /// Asks to run as a task. 2025-11-25 only.
    public var task: TaskMetadata?
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        messages: [SamplingMessage],
        modelPreferences: ModelPreferences? = nil,
        systemPrompt: String? = nil,
        includeContext: IncludeContext? = nil,
        temperature: Double? = nil,
        maxTokens: Int,
        stopSequences: [String]? = nil,
        metadata: [String: Value]? = nil,
        tools: [Tool]? = nil,
        toolChoice: ToolChoice? = nil,
        task: TaskMetadata? = nil,
        _meta: Metadata? = nil
    ) {
        self.messages = messages
        self.modelPreferences = modelPreferences
        self.systemPrompt = systemPrompt
        self.includeContext = includeContext
        self.temperature = temperature
        self.maxTokens = maxTokens
        self.stopSequences = stopSequences
        self.metadata = metadata
        self.tools = tools
        self.toolChoice = toolChoice
        self.task = task
        self._meta = _meta
    }
}

/// Result of `sampling/createMessage`.
///
/// - Warning: Deprecated: sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the
/// model's provider from the server.
public struct CreateMessageResult: Hashable, Codable, Sendable {
    /// The model that answered.
    public var model: String
    /// Why it stopped, if known.
    public var stopReason: StopReason?
    /// The role of the sender.
    public var role: Role
    /// What is said. One block is written as an object, any other number as an array (arrays since
    /// 2025-11-25).
    public var content: Contents
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        model: String,
        stopReason: StopReason? = nil,
        role: Role,
        content: Contents,
        _meta: Metadata? = nil
    ) {
        self.model = model
        self.stopReason = stopReason
        self.role = role
        self.content = content
        self._meta = _meta
    }
}

/// Answer to a request that became a task. 2025-11-25 only.
public struct CreateTaskResult: Hashable, Codable, Sendable {
    /// The task.
    public var task: TaskInfo

    /// With its members.
    public init(
        task: TaskInfo
    ) {
        self.task = task
    }
}

/// Result of `server/discover` (since 2026-07-28).
public struct DiscoverResult: Hashable, Codable, Sendable {
    /// The revisions that the server supports.
    public var supportedVersions: [String]
    /// What the server can do.
    public var capabilities: ServerCapabilities
    /// How to use the server, for the model.
    public var instructions: String?
    /// How long the result stays fresh, in milliseconds.
    public var ttlMs: Int?
    /// Who may share the cached result.
    public var cacheScope: CacheScope?
    /// Metadata; holds the server's `Implementation`.
    public var _meta: Metadata?

    /// With its members.
    public init(
        supportedVersions: [String],
        capabilities: ServerCapabilities,
        instructions: String? = nil,
        ttlMs: Int? = nil,
        cacheScope: CacheScope? = nil,
        _meta: Metadata? = nil
    ) {
        self.supportedVersions = supportedVersions
        self.capabilities = capabilities
        self.instructions = instructions
        self.ttlMs = ttlMs
        self.cacheScope = cacheScope
        self._meta = _meta
    }
}

/// What the person did.
public enum ElicitAction: String, Hashable, Codable, Sendable, CaseIterable {
    /// Answered.
    case accept = "accept"
    /// Said no.
    case decline = "decline"
    /// Went away without a choice.
    case cancel = "cancel"
}

/// A question with a form.
public struct ElicitFormParams: Hashable, Codable, Sendable {
    /// `form`, or absent, which means the same and is understood by every revision.
    public var mode: String?
    /// The question, as shown to the user.
    public var message: String
    /// The fields.
    public var requestedSchema: Elicitation.RequestSchema?
    /// Asks to run as a task. 2025-11-25 only.
    public var task: TaskMetadata?
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        mode: String? = nil,
        message: String,
        requestedSchema: Elicitation.RequestSchema? = nil,
        task: TaskMetadata? = nil,
        _meta: Metadata? = nil
    ) {
        self.mode = mode
        self.message = message
        self.requestedSchema = requestedSchema
        self.task = task
        self._meta = _meta
    }
}

/// Params of `elicitation/create`. Since 2025-06-18.
public enum ElicitParams: Hashable, Codable, Sendable {
    /// A request to visit a page. Since 2025-11-25.
    case url(ElicitUrlParams)
    /// A question with a form.
    case form(ElicitFormParams)

    /// Reads whichever it is.
    public init(from decoder: any Decoder) throws {
        if decoder.tells("mode", "url") {
            self = .url(try ElicitUrlParams(from: decoder))
            return
        }
        self = .form(try ElicitFormParams(from: decoder))
    }

    /// Writes the one it is.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .url(let one): try one.encode(to: encoder)
        case .form(let one): try one.encode(to: encoder)
        }
    }
}

/// Result of `elicitation/create`.
public struct ElicitResult: Hashable, Codable, Sendable {
    /// What the person did.
    public var action: ElicitAction
    /// The answers by field; only for an accepted form.
    public var content: [String: Value]?
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        action: ElicitAction,
        content: [String: Value]? = nil,
        _meta: Metadata? = nil
    ) {
        self.action = action
        self.content = content
        self._meta = _meta
    }
}

/// A request to visit a page. Since 2025-11-25.
public struct ElicitUrlParams: Hashable, Codable, Sendable {
    /// Always `url`.
    public private(set) var mode: String = "url"
    /// Why to visit the page, as shown to the user.
    public var message: String
    /// The URL of the page.
    public var url: String
    /// Names this elicitation; required where it exists. 2025-11-25 only.
    public var elicitationId: String?
    /// Asks to run as a task. 2025-11-25 only.
    public var task: TaskMetadata?
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        message: String,
        url: String,
        elicitationId: String? = nil,
        task: TaskMetadata? = nil,
        _meta: Metadata? = nil
    ) {
        self.message = message
        self.url = url
        self.elicitationId = elicitationId
        self.task = task
        self._meta = _meta
    }
}

/// `elicitation`; modes since 2025-11-25. Without a mode it means forms.
public struct ElicitationCapability: Hashable, Codable, Sendable {
    /// Forms.
    public var form: [String: Value]?
    /// URLs the user opens.
    public var url: [String: Value]?

    /// With its members.
    public init(
        form: [String: Value]? = nil,
        url: [String: Value]? = nil
    ) {
        self.form = form
        self.url = url
    }
}

/// Params of `notifications/elicitation/complete`. 2025-11-25 only.
public struct ElicitationCompleteParams: Hashable, Codable, Sendable {
    /// The id of the elicitation that is done.
    public var elicitationId: String
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        elicitationId: String,
        _meta: Metadata? = nil
    ) {
        self.elicitationId = elicitationId
        self._meta = _meta
    }
}

/// The contents of a resource.
public struct EmbeddedResource: Hashable, Codable, Sendable {
    /// Always `resource`.
    public private(set) var type: String = "resource"
    /// The contents.
    public var resource: Resource.Content
    /// Hints for the client.
    public var annotations: Annotations?
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        resource: Resource.Content,
        annotations: Annotations? = nil,
        _meta: Metadata? = nil
    ) {
        self.resource = resource
        self.annotations = annotations
        self._meta = _meta
    }
}

/// A value with a title.
public struct EnumOption: Hashable, Codable, Sendable {
    /// The value.
    public var const: String
    /// What the person sees.
    public var title: String

    /// With its members.
    public init(
        const: String,
        title: String
    ) {
        self.const = const
        self.title = title
    }
}

/// Params of `prompts/get`.
public struct GetPromptParams: Hashable, Codable, Sendable {
    /// The name of the prompt.
    public var name: String
    /// The arguments by name, in the caller's order.
    public var arguments: [String: String]?
    /// Answers to an earlier `input_required`. Since 2026-07-28.
    public var inputResponses: [String: Value]?
    /// What the earlier `input_required` asked to be sent back. Since 2026-07-28.
    public var requestState: String?
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        name: String,
        arguments: [String: String]? = nil,
        inputResponses: [String: Value]? = nil,
        requestState: String? = nil,
        _meta: Metadata? = nil
    ) {
        self.name = name
        self.arguments = arguments
        self.inputResponses = inputResponses
        self.requestState = requestState
        self._meta = _meta
    }
}

/// Result of `prompts/get`.
public struct GetPromptResult: Hashable, Codable, Sendable {
    /// A description of the prompt.
    public var description: String?
    /// The messages.
    public var messages: [PromptMessage]
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        description: String? = nil,
        messages: [PromptMessage],
        _meta: Metadata? = nil
    ) {
        self.description = description
        self.messages = messages
        self._meta = _meta
    }
}

/// Params of `tasks/get`.
public struct GetTaskParams: Hashable, Codable, Sendable {
    /// The task.
    public var taskId: String

    /// With its members.
    public init(
        taskId: String
    ) {
        self.taskId = taskId
    }
}

/// Params of `tasks/result`. 2025-11-25 only.
public struct GetTaskPayloadParams: Hashable, Codable, Sendable {
    /// The task.
    public var taskId: String

    /// With its members.
    public init(
        taskId: String
    ) {
        self.taskId = taskId
    }
}

/// Result of `tasks/result`: what the request would have been answered. 2025-11-25 only.
public struct GetTaskPayloadResult: Hashable, Codable, Sendable {

    /// What there is to say.
    public init() {}
}

/// Result of `tasks/get`.
public struct GetTaskResult: Hashable, Codable, Sendable {
    /// The id of the task.
    public var taskId: String
    /// The status of the task.
    public var status: TaskStatus
    /// A text about the status, for people.
    public var statusMessage: String?
    /// When it was created, in ISO 8601.
    public var createdAt: String
    /// When it last changed, in ISO 8601.
    public var lastUpdatedAt: String
    /// How long it is kept once created, in milliseconds; `null` is for ever.
    public var ttl: Int?
    /// How long to wait between two polls, in milliseconds.
    public var pollInterval: Int?

    /// With its members.
    public init(
        taskId: String,
        status: TaskStatus,
        statusMessage: String? = nil,
        createdAt: String,
        lastUpdatedAt: String,
        ttl: Int? = nil,
        pollInterval: Int? = nil
    ) {
        self.taskId = taskId
        self.status = status
        self.statusMessage = statusMessage
        self.createdAt = createdAt
        self.lastUpdatedAt = lastUpdatedAt
        self.ttl = ttl
        self.pollInterval = pollInterval
    }
}

/// A picture that stands for something. Since 2025-11-25.
public struct Icon: Hashable, Codable, Sendable {
    /// An `https:` or `data:` URI.
    public var src: String
    /// The MIME type, if the source has none or a wrong one.
    public var mimeType: String?
    /// Sizes as `WxH`, or `any`.
    public var sizes: [String]?
    /// The background it is drawn for.
    public var theme: IconTheme?

    /// With its members.
    public init(
        src: String,
        mimeType: String? = nil,
        sizes: [String]? = nil,
        theme: IconTheme? = nil
    ) {
        self.src = src
        self.mimeType = mimeType
        self.sizes = sizes
        self.theme = theme
    }
}

/// The background an icon is drawn for.
public struct IconTheme: RawRepresentable, Hashable, Codable, Sendable {
    /// A light background.
    public static let light = IconTheme(rawValue: "light")
    /// A dark background.
    public static let dark = IconTheme(rawValue: "dark")
    /// The word; others than these are kept.
    public let rawValue: String

    /// Any word.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// A picture.
public struct ImageContent: Hashable, Codable, Sendable {
    /// Always `image`.
    public private(set) var type: String = "image"
    /// The bytes in Base64.
    public var data: String
    /// The MIME type.
    public var mimeType: String
    /// Hints for the client.
    public var annotations: Annotations?
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        data: String,
        mimeType: String,
        annotations: Annotations? = nil,
        _meta: Metadata? = nil
    ) {
        self.data = data
        self.mimeType = mimeType
        self.annotations = annotations
        self._meta = _meta
    }
}

/// Name and version of a program. For display only: never decide by it.
public struct Implementation: Hashable, Codable, Sendable {
    /// Identifier.
    public var name: String
    /// Name for people, since 2025-06-18.
    public var title: String?
    /// Version.
    public var version: String
    /// What it does, since 2025-11-25.
    public var description: String?
    /// Home page, since 2025-11-25.
    public var websiteUrl: String?
    /// Icons, since 2025-11-25.
    public var icons: [Icon]?

    /// With its members.
    public init(
        name: String,
        title: String? = nil,
        version: String,
        description: String? = nil,
        websiteUrl: String? = nil,
        icons: [Icon]? = nil
    ) {
        self.name = name
        self.title = title
        self.version = version
        self.description = description
        self.websiteUrl = websiteUrl
        self.icons = icons
    }
}

/// What context of MCP servers the client adds to the prompt.
///
/// - Warning: Deprecated: includeContext, since 2025-11-25 (SEP-2596); earliest removal 2027-07-28.
/// Leave it out, or say `none`.
public struct IncludeContext: RawRepresentable, Hashable, Codable, Sendable {
    /// Nothing.
    public static let none = IncludeContext(rawValue: "none")
    /// Of the asking server. Deprecated since 2025-11-25 (SEP-2596); earliest removal with sampling,
    /// 2027-07-28.
    ///
    /// - Warning: Deprecated: includeContext, since 2025-11-25 (SEP-2596); earliest removal 2027-07-28.
    /// Leave it out, or say `none`.
    public static let thisServer = IncludeContext(rawValue: "thisServer")
    /// Of every server. Deprecated since 2025-11-25 (SEP-2596); earliest removal with sampling,
    /// 2027-07-28.
    ///
    /// - Warning: Deprecated: includeContext, since 2025-11-25 (SEP-2596); earliest removal 2027-07-28.
    /// Leave it out, or say `none`.
    public static let allServers = IncludeContext(rawValue: "allServers")
    /// The word; others than these are kept.
    public let rawValue: String

    /// Any word.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// Params of `initialize` (before 2026-07-28).
public struct InitializeParams: Hashable, Codable, Sendable {
    /// The revision that the client prefers.
    public var protocolVersion: String
    /// What the client can do.
    public var capabilities: ClientCapabilities
    /// The name and version of the client.
    public var clientInfo: Implementation
    /// Metadata.
    public var _meta: Metadata?

    /// With its members.
    public init(
        protocolVersion: String,
        capabilities: ClientCapabilities,
        clientInfo: Implementation,
        _meta: Metadata? = nil
    ) {
        self.protocolVersion = protocolVersion
        self.capabilities = capabilities
        self.clientInfo = clientInfo
        self._meta = _meta
    }
}

/// Result of `initialize` (before 2026-07-28).
public struct InitializeResult: Hashable, Codable, Sendable {
    /// The revision of the session.
    public var protocolVersion: String
    /// What the server can do.
    public var capabilities: ServerCapabilities
    /// The name and version of the server.
    public var serverInfo: Implementation
    /// How to use the server, for the model.
    public var instructions: String?
    /// Metadata.
    public var _meta: Metadata?

    /// With its members.
    public init(
        protocolVersion: String,
        capabilities: ServerCapabilities,
        serverInfo: Implementation,
        instructions: String? = nil,
        _meta: Metadata? = nil
    ) {
        self.protocolVersion = protocolVersion
        self.capabilities = capabilities
        self.serverInfo = serverInfo
        self.instructions = instructions
        self._meta = _meta
    }
}

/// One question: a request of the client's without an envelope.
public struct InputRequest: Hashable, Codable, Sendable {
    /// `elicitation/create`, `sampling/createMessage` or `roots/list`.
    public var method: String
    /// Its params: an object.
    public var params: [String: Value]?

    /// With its members.
    public init(
        method: String,
        params: [String: Value]? = nil
    ) {
        self.method = method
        self.params = params
    }
}

/// A result that asks the client to call again with answers.
public struct InputRequiredResult: Hashable, Codable, Sendable {
    /// The questions.
    public var inputRequests: [String: InputRequest]?
    /// A text that the client sends back unchanged.
    public var requestState: String?
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        inputRequests: [String: InputRequest]? = nil,
        requestState: String? = nil,
        _meta: Metadata? = nil
    ) {
        self.inputRequests = inputRequests
        self.requestState = requestState
        self._meta = _meta
    }
}

/// One of some values with titles in `enumNames`. `TitledSingleSelectEnumSchema` replaces it since
/// 2025-11-25.
public struct LegacyTitledEnumSchema: Hashable, Codable, Sendable {
    /// Always `string`.
    public private(set) var type: String = "string"
    /// The label.
    public var title: String?
    /// What to choose.
    public var description: String?
    /// The values.
    public var `enum`: [String]
    /// Their titles, in the same order.
    public var enumNames: [String]?
    /// What is chosen at first. Since 2025-11-25.
    public var `default`: String?

    /// With its members.
    public init(
        title: String? = nil,
        description: String? = nil,
        enum: [String],
        enumNames: [String]? = nil,
        default: String? = nil
    ) {
        self.title = title
        self.description = description
        self.enum = `enum`
        self.enumNames = enumNames
        self.default = `default`
    }
}

/// A capability with nothing but a change notification: `tools`, `prompts`.
public struct ListCapability: Hashable, Codable, Sendable {
    /// Whether changes of the list are announced.
    public var listChanged: Bool?

    /// With its members.
    public init(
        listChanged: Bool? = nil
    ) {
        self.listChanged = listChanged
    }
}

/// Result of `prompts/list`.
public struct ListPromptsResult: Hashable, Codable, Sendable {
    /// The prompts of this page.
    public var prompts: [Prompt]
    /// Where the next page starts; absent on the last.
    public var nextCursor: String?
    /// How long this may be kept, in milliseconds. Since 2026-07-28.
    public var ttlMs: Int?
    /// Who may keep it. Since 2026-07-28.
    public var cacheScope: CacheScope?
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        prompts: [Prompt],
        nextCursor: String? = nil,
        ttlMs: Int? = nil,
        cacheScope: CacheScope? = nil,
        _meta: Metadata? = nil
    ) {
        self.prompts = prompts
        self.nextCursor = nextCursor
        self.ttlMs = ttlMs
        self.cacheScope = cacheScope
        self._meta = _meta
    }
}

/// Result of `resources/templates/list`.
public struct ListResourceTemplatesResult: Hashable, Codable, Sendable {
    /// The templates of this page.
    public var resourceTemplates: [ResourceTemplate]
    /// Where the next page starts; absent on the last.
    public var nextCursor: String?
    /// How long this may be kept, in milliseconds. Since 2026-07-28.
    public var ttlMs: Int?
    /// Who may keep it. Since 2026-07-28.
    public var cacheScope: CacheScope?
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        resourceTemplates: [ResourceTemplate],
        nextCursor: String? = nil,
        ttlMs: Int? = nil,
        cacheScope: CacheScope? = nil,
        _meta: Metadata? = nil
    ) {
        self.resourceTemplates = resourceTemplates
        self.nextCursor = nextCursor
        self.ttlMs = ttlMs
        self.cacheScope = cacheScope
        self._meta = _meta
    }
}

/// Result of `resources/list`.
public struct ListResourcesResult: Hashable, Codable, Sendable {
    /// The resources of this page.
    public var resources: [Resource]
    /// Where the next page starts; absent on the last.
    public var nextCursor: String?
    /// How long this may be kept, in milliseconds. Since 2026-07-28.
    public var ttlMs: Int?
    /// Who may keep it. Since 2026-07-28.
    public var cacheScope: CacheScope?
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        resources: [Resource],
        nextCursor: String? = nil,
        ttlMs: Int? = nil,
        cacheScope: CacheScope? = nil,
        _meta: Metadata? = nil
    ) {
        self.resources = resources
        self.nextCursor = nextCursor
        self.ttlMs = ttlMs
        self.cacheScope = cacheScope
        self._meta = _meta
    }
}

/// Result of `roots/list`.
///
/// - Warning: Deprecated: roots, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Pass folders
/// and files as tool parameters, resource URIs or settings of the server.
public struct ListRootsResult: Hashable, Codable, Sendable {
    /// The places.
    public var roots: [Root]
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        roots: [Root],
        _meta: Metadata? = nil
    ) {
        self.roots = roots
        self._meta = _meta
    }
}

/// Result of `tasks/list`. 2025-11-25 only.
public struct ListTasksResult: Hashable, Codable, Sendable {
    /// The tasks of this page.
    public var tasks: [TaskInfo]
    /// Where the next page starts; absent on the last.
    public var nextCursor: String?

    /// With its members.
    public init(
        tasks: [TaskInfo],
        nextCursor: String? = nil
    ) {
        self.tasks = tasks
        self.nextCursor = nextCursor
    }
}

/// Result of `tools/list`.
public struct ListToolsResult: Hashable, Codable, Sendable {
    /// The tools of this page.
    public var tools: [Tool]
    /// Where the next page starts; absent on the last.
    public var nextCursor: String?
    /// How long this may be kept, in milliseconds. Since 2026-07-28.
    public var ttlMs: Int?
    /// Who may keep it. Since 2026-07-28.
    public var cacheScope: CacheScope?
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        tools: [Tool],
        nextCursor: String? = nil,
        ttlMs: Int? = nil,
        cacheScope: CacheScope? = nil,
        _meta: Metadata? = nil
    ) {
        self.tools = tools
        self.nextCursor = nextCursor
        self.ttlMs = ttlMs
        self.cacheScope = cacheScope
        self._meta = _meta
    }
}

/// Params of `subscriptions/listen` and of its acknowledgement.
public struct ListenParams: Hashable, Codable, Sendable {
    /// What to listen for.
    public var notifications: SubscriptionFilter
    /// Metadata.
    public var _meta: Metadata?

    /// With its members.
    public init(
        notifications: SubscriptionFilter,
        _meta: Metadata? = nil
    ) {
        self.notifications = notifications
        self._meta = _meta
    }
}

/// The eight syslog levels, in ascending order.
///
/// - Warning: Deprecated: logging, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Write to
/// stderr on stdio; use OpenTelemetry elsewhere.
public enum LoggingLevel: String, Hashable, Codable, Sendable, CaseIterable {
    /// For developers.
    case debug = "debug"
    /// Ordinary events.
    case info = "info"
    /// Ordinary but significant.
    case notice = "notice"
    /// Might go wrong.
    case warning = "warning"
    /// Went wrong.
    case error = "error"
    /// A part failed.
    case critical = "critical"
    /// Act at once.
    case alert = "alert"
    /// Unusable.
    case emergency = "emergency"
}

/// Params of `notifications/message`.
///
/// - Warning: Deprecated: logging, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Write to
/// stderr on stdio; use OpenTelemetry elsewhere.
public struct LoggingMessageParams: Hashable, Codable, Sendable {
    /// The severity.
    public var level: LoggingLevel
    /// The part of the server that logs.
    public var logger: String?
    /// Any JSON value.
    public var data: Value
    /// Metadata.
    public var _meta: Metadata?

    /// With its members.
    public init(
        level: LoggingLevel,
        logger: String? = nil,
        data: Value,
        _meta: Metadata? = nil
    ) {
        self.level = level
        self.logger = logger
        self.data = data
        self._meta = _meta
    }
}

/// A name to look for.
///
/// - Warning: Deprecated: sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the
/// model's provider from the server.
public struct ModelHint: Hashable, Codable, Sendable {
    /// Part of a model's name.
    public var name: String?

    /// With its members.
    public init(
        name: String? = nil
    ) {
        self.name = name
    }
}

/// Which model a server would like; the client decides.
///
/// - Warning: Deprecated: sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the
/// model's provider from the server.
public struct ModelPreferences: Hashable, Codable, Sendable {
    /// Names to look for, best first.
    public var hints: [ModelHint]?
    /// How much cost matters, from 0 to 1.
    public var costPriority: Double?
    /// How much speed matters, from 0 to 1.
    public var speedPriority: Double?
    /// How much ability matters, from 0 to 1.
    public var intelligencePriority: Double?

    /// With its members.
    public init(
        hints: [ModelHint]? = nil,
        costPriority: Double? = nil,
        speedPriority: Double? = nil,
        intelligencePriority: Double? = nil
    ) {
        self.hints = hints
        self.costPriority = costPriority
        self.speedPriority = speedPriority
        self.intelligencePriority = intelligencePriority
    }
}

/// `number` or `integer`.
public struct NumberKind: RawRepresentable, Hashable, Codable, Sendable {
    /// Any number.
    public static let number = NumberKind(rawValue: "number")
    /// Whole numbers.
    public static let integer = NumberKind(rawValue: "integer")
    /// The word; others than these are kept.
    public let rawValue: String

    /// Any word.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// A number.
public struct NumberSchema: Hashable, Codable, Sendable {
    /// `number` or `integer`.
    public var type: NumberKind
    /// The label.
    public var title: String?
    /// What to fill in.
    public var description: String?
    /// The smallest.
    public var minimum: Double?
    /// The largest.
    public var maximum: Double?
    /// What is filled in at first. Since 2025-11-25.
    public var `default`: Double?

    /// With its members.
    public init(
        type: NumberKind,
        title: String? = nil,
        description: String? = nil,
        minimum: Double? = nil,
        maximum: Double? = nil,
        default: Double? = nil
    ) {
        self.type = type
        self.title = title
        self.description = description
        self.minimum = minimum
        self.maximum = maximum
        self.default = `default`
    }
}

/// Params of the list methods.
public struct PaginatedParams: Hashable, Codable, Sendable, NotRequired {
    /// Where the page starts: a `nextCursor` of the same list. Absent for the first.
    public var cursor: String?
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        cursor: String? = nil,
        _meta: Metadata? = nil
    ) {
        self.cursor = cursor
        self._meta = _meta
    }

    /// Nothing of it.
    public init() {}
}

/// Params of `notifications/progress`.
public struct ProgressParams: Hashable, Codable, Sendable {
    /// The token the request came with.
    public var progressToken: ID
    /// How much is done; increases with each report.
    public var progress: Double
    /// The value of `progress` when the work is complete, if known.
    public var total: Double?
    /// What is being done, for the person. Since 2025-03-26.
    public var message: String?
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        progressToken: ID,
        progress: Double,
        total: Double? = nil,
        message: String? = nil,
        _meta: Metadata? = nil
    ) {
        self.progressToken = progressToken
        self.progress = progress
        self.total = total
        self.message = message
        self._meta = _meta
    }
}

/// A prompt or a template of one.
public struct Prompt: Hashable, Codable, Sendable {
    /// Its name for programs.
    public var name: String
    /// Its name for people. Since 2025-06-18.
    public var title: String?
    /// A description of the prompt.
    public var description: String?
    /// The arguments of the prompt.
    public var arguments: [PromptArgument]?
    /// Icons. Since 2025-11-25.
    public var icons: [Icon]?
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        name: String,
        title: String? = nil,
        description: String? = nil,
        arguments: [PromptArgument]? = nil,
        icons: [Icon]? = nil,
        _meta: Metadata? = nil
    ) {
        self.name = name
        self.title = title
        self.description = description
        self.arguments = arguments
        self.icons = icons
        self._meta = _meta
    }
}

/// One argument of a prompt.
public struct PromptArgument: Hashable, Codable, Sendable {
    /// Its name for programs.
    public var name: String
    /// Its name for people. Since 2025-06-18.
    public var title: String?
    /// A description of the argument.
    public var description: String?
    /// Whether it must be given. Taken as false when absent.
    public var required: Bool?

    /// With its members.
    public init(
        name: String,
        title: String? = nil,
        description: String? = nil,
        required: Bool? = nil
    ) {
        self.name = name
        self.title = title
        self.description = description
        self.required = required
    }
}

/// A prompt.
public struct PromptReference: Hashable, Codable, Sendable {
    /// 
    public private(set) var type: String = "ref/prompt"
    /// Its name for programs.
    public var name: String
    /// Its name for people. Since 2025-06-18.
    public var title: String?

    /// With its members.
    public init(
        name: String,
        title: String? = nil
    ) {
        self.name = name
        self.title = title
    }
}

/// Params of `resources/read`.
public struct ReadResourceParams: Hashable, Codable, Sendable {
    /// The URI of the resource to read.
    public var uri: String
    /// Answers to an earlier `input_required`. Since 2026-07-28.
    public var inputResponses: [String: Value]?
    /// What the earlier `input_required` asked to be sent back. Since 2026-07-28.
    public var requestState: String?
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        uri: String,
        inputResponses: [String: Value]? = nil,
        requestState: String? = nil,
        _meta: Metadata? = nil
    ) {
        self.uri = uri
        self.inputResponses = inputResponses
        self.requestState = requestState
        self._meta = _meta
    }
}

/// Result of `resources/read`.
public struct ReadResourceResult: Hashable, Codable, Sendable {
    /// The contents; those of a folder may have several parts.
    public var contents: [Resource.Content]
    /// How long this may be kept, in milliseconds. Since 2026-07-28.
    public var ttlMs: Int?
    /// Who may keep it. Since 2026-07-28.
    public var cacheScope: CacheScope?
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        contents: [Resource.Content],
        ttlMs: Int? = nil,
        cacheScope: CacheScope? = nil,
        _meta: Metadata? = nil
    ) {
        self.contents = contents
        self.ttlMs = ttlMs
        self.cacheScope = cacheScope
        self._meta = _meta
    }
}

/// Says in `_meta` which task a message belongs to. 2025-11-25 only.
public struct RelatedTaskMetadata: Hashable, Codable, Sendable {
    /// The task.
    public var taskId: String

    /// With its members.
    public init(
        taskId: String
    ) {
        self.taskId = taskId
    }
}

/// Something a client can read.
public struct Resource: Hashable, Codable, Sendable {
    /// Its name for programs.
    public var name: String
    /// The URI of the resource.
    public var uri: String
    /// Its name for people. Since 2025-06-18.
    public var title: String?
    /// A description of the resource.
    public var description: String?
    /// The MIME type, if known.
    public var mimeType: String?
    /// Size in bytes before any encoding, if known.
    public var size: Int?
    /// Hints for the client.
    public var annotations: Annotations?
    /// Icons. Since 2025-11-25.
    public var icons: [Icon]?
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        name: String,
        uri: String,
        title: String? = nil,
        description: String? = nil,
        mimeType: String? = nil,
        size: Int? = nil,
        annotations: Annotations? = nil,
        icons: [Icon]? = nil,
        _meta: Metadata? = nil
    ) {
        self.name = name
        self.uri = uri
        self.title = title
        self.description = description
        self.mimeType = mimeType
        self.size = size
        self.annotations = annotations
        self.icons = icons
        self._meta = _meta
    }
}

/// A resource that can be read, named but not included. Since 2025-06-18.
public struct ResourceLink: Hashable, Codable, Sendable {
    /// Always `resource_link`.
    public private(set) var type: String = "resource_link"
    /// The URI of the resource.
    public var uri: String
    /// Its name for programs.
    public var name: String
    /// Its name for people.
    public var title: String?
    /// A description of the resource.
    public var description: String?
    /// The MIME type, if known.
    public var mimeType: String?
    /// Size in bytes before any encoding, if known.
    public var size: Int?
    /// Hints for the client.
    public var annotations: Annotations?
    /// Icons. Since 2025-11-25.
    public var icons: [Icon]?
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        uri: String,
        name: String,
        title: String? = nil,
        description: String? = nil,
        mimeType: String? = nil,
        size: Int? = nil,
        annotations: Annotations? = nil,
        icons: [Icon]? = nil,
        _meta: Metadata? = nil
    ) {
        self.uri = uri
        self.name = name
        self.title = title
        self.description = description
        self.mimeType = mimeType
        self.size = size
        self.annotations = annotations
        self.icons = icons
        self._meta = _meta
    }
}

/// A family of resources.
public struct ResourceTemplate: Hashable, Codable, Sendable {
    /// An RFC 6570 template of the URIs.
    public var uriTemplate: String
    /// Its name for programs.
    public var name: String
    /// Its name for people. Since 2025-06-18.
    public var title: String?
    /// A description of the resources.
    public var description: String?
    /// The MIME type, if all have the same.
    public var mimeType: String?
    /// Hints for the client.
    public var annotations: Annotations?
    /// Icons. Since 2025-11-25.
    public var icons: [Icon]?
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        uriTemplate: String,
        name: String,
        title: String? = nil,
        description: String? = nil,
        mimeType: String? = nil,
        annotations: Annotations? = nil,
        icons: [Icon]? = nil,
        _meta: Metadata? = nil
    ) {
        self.uriTemplate = uriTemplate
        self.name = name
        self.title = title
        self.description = description
        self.mimeType = mimeType
        self.annotations = annotations
        self.icons = icons
        self._meta = _meta
    }
}

/// A resource or a resource template.
public struct ResourceTemplateReference: Hashable, Codable, Sendable {
    /// 
    public private(set) var type: String = "ref/resource"
    /// The URI or the RFC 6570 template.
    public var uri: String

    /// With its members.
    public init(
        uri: String
    ) {
        self.uri = uri
    }
}

/// Params of `notifications/resources/updated`.
public struct ResourceUpdatedParams: Hashable, Codable, Sendable {
    /// The URI that changed; it may be below the one that is watched.
    public var uri: String
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        uri: String,
        _meta: Metadata? = nil
    ) {
        self.uri = uri
        self._meta = _meta
    }
}

/// `resources`.
public struct ResourcesCapability: Hashable, Codable, Sendable {
    /// Whether changes of single resources are announced.
    public var subscribe: Bool?
    /// Whether changes of the list are announced.
    public var listChanged: Bool?

    /// With its members.
    public init(
        subscribe: Bool? = nil,
        listChanged: Bool? = nil
    ) {
        self.subscribe = subscribe
        self.listChanged = listChanged
    }
}

/// The user, or the model (`assistant`).
public struct Role: RawRepresentable, Hashable, Codable, Sendable {
    /// The person.
    public static let user = Role(rawValue: "user")
    /// The model.
    public static let assistant = Role(rawValue: "assistant")
    /// The word; others than these are kept.
    public let rawValue: String

    /// Any word.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// A place.
///
/// - Warning: Deprecated: roots, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Pass folders
/// and files as tool parameters, resource URIs or settings of the server.
public struct Root: Hashable, Codable, Sendable {
    /// Any absolute URI; the specification speaks of `file:` ones.
    public var uri: String
    /// Its name for people.
    public var name: String?
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        uri: String,
        name: String? = nil,
        _meta: Metadata? = nil
    ) {
        self.uri = uri
        self.name = name
        self._meta = _meta
    }
}

/// `roots`.
///
/// - Warning: Deprecated: roots, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Pass folders
/// and files as tool parameters, resource URIs or settings of the server.
public struct RootsCapability: Hashable, Codable, Sendable {
    /// Whether changes of the list are announced (before 2026-07-28).
    public var listChanged: Bool?

    /// With its members.
    public init(
        listChanged: Bool? = nil
    ) {
        self.listChanged = listChanged
    }
}

/// `sampling`; sub-capabilities since 2025-11-25.
///
/// - Warning: Deprecated: sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the
/// model's provider from the server.
public struct SamplingCapability: Hashable, Codable, Sendable {
    /// `includeContext` other than `none`.
    ///
    /// - Warning: Deprecated: includeContext, since 2025-11-25 (SEP-2596); earliest removal 2027-07-28.
    /// Leave it out, or say `none`.
    public var context: [String: Value]?
    /// `tools` and `toolChoice`.
    public var tools: [String: Value]?

    /// With its members.
    public init(
        context: [String: Value]? = nil,
        tools: [String: Value]? = nil
    ) {
        self.context = context
        self.tools = tools
    }
}

/// One message to or from a model.
///
/// - Warning: Deprecated: sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the
/// model's provider from the server.
public struct SamplingMessage: Hashable, Codable, Sendable {
    /// The role of the sender.
    public var role: Role
    /// What is said. One block is written as an object, any other number as an array (arrays since
    /// 2025-11-25).
    public var content: Contents
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        role: Role,
        content: Contents,
        _meta: Metadata? = nil
    ) {
        self.role = role
        self.content = content
        self._meta = _meta
    }
}

/// What a server can do.
public struct ServerCapabilities: Hashable, Codable, Sendable {
    /// It completes arguments, since 2025-03-26.
    public var completions: [String: Value]?
    /// Unofficial features by name.
    public var experimental: [String: Value]?
    /// Extensions by identifier, with their settings.
    public var extensions: [String: Value]?
    /// It sends log messages (deprecated since 2026-07-28, SEP-2577).
    ///
    /// - Warning: Deprecated: logging, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Write
    /// to stderr on stdio; use OpenTelemetry elsewhere.
    public var logging: [String: Value]?
    /// It has prompts.
    public var prompts: ListCapability?
    /// It has resources.
    public var resources: ResourcesCapability?
    /// It has tools.
    public var tools: ListCapability?
    /// It runs requests as tasks. 2025-11-25 only.
    public var tasks: [String: Value]?

    /// With its members.
    public init(
        completions: [String: Value]? = nil,
        experimental: [String: Value]? = nil,
        extensions: [String: Value]? = nil,
        logging: [String: Value]? = nil,
        prompts: ListCapability? = nil,
        resources: ResourcesCapability? = nil,
        tools: ListCapability? = nil,
        tasks: [String: Value]? = nil
    ) {
        self.completions = completions
        self.experimental = experimental
        self.extensions = extensions
        self.logging = logging
        self.prompts = prompts
        self.resources = resources
        self.tools = tools
        self.tasks = tasks
    }
}

/// What the server can do with tasks. 2025-11-25 only.
public struct ServerTasksCapability: Hashable, Codable, Sendable {
    /// It answers `tasks/list`.
    public var list: TasksListCapability?
    /// It answers `tasks/cancel`.
    public var cancel: TasksCancelCapability?
    /// What may be a task.
    public var requests: ServerTasksRequestsCapability?

    /// With its members.
    public init(
        list: TasksListCapability? = nil,
        cancel: TasksCancelCapability? = nil,
        requests: ServerTasksRequestsCapability? = nil
    ) {
        self.list = list
        self.cancel = cancel
        self.requests = requests
    }
}

/// Which requests to the server may be tasks. 2025-11-25 only.
public struct ServerTasksRequestsCapability: Hashable, Codable, Sendable {
    /// Tools.
    public var tools: TasksToolsCapability?

    /// With its members.
    public init(
        tools: TasksToolsCapability? = nil
    ) {
        self.tools = tools
    }
}

/// Params of `logging/setLevel` (legacy era).
///
/// - Warning: Deprecated: logging, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Write to
/// stderr on stdio; use OpenTelemetry elsewhere.
public struct SetLevelParams: Hashable, Codable, Sendable {
    /// Lowest level to send.
    public var level: LoggingLevel
    /// Metadata.
    public var _meta: Metadata?

    /// With its members.
    public init(
        level: LoggingLevel,
        _meta: Metadata? = nil
    ) {
        self.level = level
        self._meta = _meta
    }
}

/// Why the model stopped.
///
/// - Warning: Deprecated: sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the
/// model's provider from the server.
public struct StopReason: RawRepresentable, Hashable, Codable, Sendable {
    /// It was done.
    public static let endTurn = StopReason(rawValue: "endTurn")
    /// It met a stop sequence.
    public static let stopSequence = StopReason(rawValue: "stopSequence")
    /// It reached the token limit.
    public static let maxTokens = StopReason(rawValue: "maxTokens")
    /// It wants to use tools. Since 2025-11-25.
    public static let toolUse = StopReason(rawValue: "toolUse")
    /// The word; others than these are kept.
    public let rawValue: String

    /// Any word.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// What a text must be.
public struct StringFormat: RawRepresentable, Hashable, Codable, Sendable {
    /// An e-mail address.
    public static let email = StringFormat(rawValue: "email")
    /// A URI.
    public static let uri = StringFormat(rawValue: "uri")
    /// A date, as `2026-07-28`.
    public static let date = StringFormat(rawValue: "date")
    /// A date and time, in RFC 3339.
    public static let dateTime = StringFormat(rawValue: "date-time")
    /// The word; others than these are kept.
    public let rawValue: String

    /// Any word.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// Text.
public struct StringSchema: Hashable, Codable, Sendable {
    /// Always `string`.
    public private(set) var type: String = "string"
    /// The label.
    public var title: String?
    /// What to fill in.
    public var description: String?
    /// Fewest characters.
    public var minLength: Int?
    /// Most characters.
    public var maxLength: Int?
    /// A regular expression to match. Not in the specification's subset.
    public var pattern: String?
    /// What the text must be.
    public var format: StringFormat?
    /// What is filled in at first. Since 2025-11-25.
    public var `default`: String?

    /// With its members.
    public init(
        title: String? = nil,
        description: String? = nil,
        minLength: Int? = nil,
        maxLength: Int? = nil,
        pattern: String? = nil,
        format: StringFormat? = nil,
        default: String? = nil
    ) {
        self.title = title
        self.description = description
        self.minLength = minLength
        self.maxLength = maxLength
        self.pattern = pattern
        self.format = format
        self.default = `default`
    }
}

/// Params of `resources/subscribe`. Until 2025-11-25.
public struct SubscribeParams: Hashable, Codable, Sendable {
    /// The URI of the resource to watch.
    public var uri: String
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        uri: String,
        _meta: Metadata? = nil
    ) {
        self.uri = uri
        self._meta = _meta
    }
}

/// Kinds of change: wanted in `subscriptions/listen`, honoured in its acknowledgement.
public struct SubscriptionFilter: Hashable, Codable, Sendable {
    /// Changes of the tool list.
    public var toolsListChanged: Bool?
    /// Changes of the prompt list.
    public var promptsListChanged: Bool?
    /// Changes of the resource and template lists.
    public var resourcesListChanged: Bool?
    /// Changes of these resources, and of those below them.
    public var resourceSubscriptions: [String]?

    /// With its members.
    public init(
        toolsListChanged: Bool? = nil,
        promptsListChanged: Bool? = nil,
        resourcesListChanged: Bool? = nil,
        resourceSubscriptions: [String]? = nil
    ) {
        self.toolsListChanged = toolsListChanged
        self.promptsListChanged = promptsListChanged
        self.resourcesListChanged = resourcesListChanged
        self.resourceSubscriptions = resourceSubscriptions
    }
}

/// A request that runs on its own. 2025-11-25 only.
public struct TaskInfo: Hashable, Codable, Sendable {
    /// The id of the task.
    public var taskId: String
    /// The status of the task.
    public var status: TaskStatus
    /// A text about the status, for people.
    public var statusMessage: String?
    /// When it was created, in ISO 8601.
    public var createdAt: String
    /// When it last changed, in ISO 8601.
    public var lastUpdatedAt: String
    /// How long it is kept once created, in milliseconds; `null` is for ever.
    public var ttl: Int?
    /// How long to wait between two polls, in milliseconds.
    public var pollInterval: Int?

    /// With its members.
    public init(
        taskId: String,
        status: TaskStatus,
        statusMessage: String? = nil,
        createdAt: String,
        lastUpdatedAt: String,
        ttl: Int? = nil,
        pollInterval: Int? = nil
    ) {
        self.taskId = taskId
        self.status = status
        self.statusMessage = statusMessage
        self.createdAt = createdAt
        self.lastUpdatedAt = lastUpdatedAt
        self.ttl = ttl
        self.pollInterval = pollInterval
    }
}

/// Asks for a request to run as a task. 2025-11-25 only.
public struct TaskMetadata: Hashable, Codable, Sendable {
    /// How long to keep the task once created, in milliseconds.
    public var ttl: Int?

    /// With its members.
    public init(
        ttl: Int? = nil
    ) {
        self.ttl = ttl
    }
}

/// Params of `notifications/tasks`. Since 2026-07-28.
public struct TaskParams: Hashable, Codable, Sendable {
    /// The id of the task.
    public var taskId: String
    /// The status of the task.
    public var status: TaskStatus
    /// A text about the status, for people.
    public var statusMessage: String?
    /// When it was created, in ISO 8601.
    public var createdAt: String
    /// When it last changed, in ISO 8601.
    public var lastUpdatedAt: String
    /// How long it is kept once created, in milliseconds; `null` is for ever.
    public var ttl: Int?
    /// How long to wait between two polls, in milliseconds.
    public var pollInterval: Int?

    /// With its members.
    public init(
        taskId: String,
        status: TaskStatus,
        statusMessage: String? = nil,
        createdAt: String,
        lastUpdatedAt: String,
        ttl: Int? = nil,
        pollInterval: Int? = nil
    ) {
        self.taskId = taskId
        self.status = status
        self.statusMessage = statusMessage
        self.createdAt = createdAt
        self.lastUpdatedAt = lastUpdatedAt
        self.ttl = ttl
        self.pollInterval = pollInterval
    }
}

/// The status of a task. 2025-11-25 only.
public enum TaskStatus: String, Hashable, Codable, Sendable, CaseIterable {
    /// It runs.
    case working = "working"
    /// It waits for an answer of the requestor's.
    case inputRequired = "input_required"
    /// It has a result.
    case completed = "completed"
    /// It failed.
    case failed = "failed"
    /// It was given up.
    case cancelled = "cancelled"
}

/// Params of `notifications/tasks/status`. 2025-11-25 only.
public struct TaskStatusParams: Hashable, Codable, Sendable {
    /// The id of the task.
    public var taskId: String
    /// The status of the task.
    public var status: TaskStatus
    /// A text about the status, for people.
    public var statusMessage: String?
    /// When it was created, in ISO 8601.
    public var createdAt: String
    /// When it last changed, in ISO 8601.
    public var lastUpdatedAt: String
    /// How long it is kept once created, in milliseconds; `null` is for ever.
    public var ttl: Int?
    /// How long to wait between two polls, in milliseconds.
    public var pollInterval: Int?

    /// With its members.
    public init(
        taskId: String,
        status: TaskStatus,
        statusMessage: String? = nil,
        createdAt: String,
        lastUpdatedAt: String,
        ttl: Int? = nil,
        pollInterval: Int? = nil
    ) {
        self.taskId = taskId
        self.status = status
        self.statusMessage = statusMessage
        self.createdAt = createdAt
        self.lastUpdatedAt = lastUpdatedAt
        self.ttl = ttl
        self.pollInterval = pollInterval
    }
}

/// Whether a tool runs as a task. 2025-11-25 only.
public struct TaskSupport: RawRepresentable, Hashable, Codable, Sendable {
    /// Never; the default.
    public static let forbidden = TaskSupport(rawValue: "forbidden")
    /// When the caller asks.
    public static let optional = TaskSupport(rawValue: "optional")
    /// Always.
    public static let required = TaskSupport(rawValue: "required")
    /// The word; others than these are kept.
    public let rawValue: String

    /// Any word.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// Tool calls as tasks. 2025-11-25 only.
public struct TasksCallCapability: Hashable, Codable, Sendable {

    /// What there is to say.
    public init() {}
}

/// Cancelling tasks. 2025-11-25 only.
public struct TasksCancelCapability: Hashable, Codable, Sendable {

    /// What there is to say.
    public init() {}
}

/// Elicitation as a task. 2025-11-25 only.
public struct TasksCreateElicitationCapability: Hashable, Codable, Sendable {

    /// What there is to say.
    public init() {}
}

/// Sampling as a task. 2025-11-25 only.
public struct TasksCreateMessageCapability: Hashable, Codable, Sendable {

    /// What there is to say.
    public init() {}
}

/// Which elicitations may be tasks. 2025-11-25 only.
public struct TasksElicitationCapability: Hashable, Codable, Sendable {
    /// `elicitation/create`.
    public var create: TasksCreateElicitationCapability?

    /// With its members.
    public init(
        create: TasksCreateElicitationCapability? = nil
    ) {
        self.create = create
    }
}

/// Lists of tasks. 2025-11-25 only.
public struct TasksListCapability: Hashable, Codable, Sendable {

    /// What there is to say.
    public init() {}
}

/// Which sampling requests may be tasks. 2025-11-25 only.
public struct TasksSamplingCapability: Hashable, Codable, Sendable {
    /// `sampling/createMessage`.
    public var createMessage: TasksCreateMessageCapability?

    /// With its members.
    public init(
        createMessage: TasksCreateMessageCapability? = nil
    ) {
        self.createMessage = createMessage
    }
}

/// Which tool requests may be tasks. 2025-11-25 only.
public struct TasksToolsCapability: Hashable, Codable, Sendable {
    /// `tools/call`.
    public var call: TasksCallCapability?

    /// With its members.
    public init(
        call: TasksCallCapability? = nil
    ) {
        self.call = call
    }
}

/// Text.
public struct TextContent: Hashable, Codable, Sendable {
    /// Always `text`.
    public private(set) var type: String = "text"
    /// The text.
    public var text: String
    /// Hints for the client.
    public var annotations: Annotations?
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        text: String,
        annotations: Annotations? = nil,
        _meta: Metadata? = nil
    ) {
        self.text = text
        self.annotations = annotations
        self._meta = _meta
    }
}

/// The items of `TitledMultiSelectEnumSchema`.
public struct TitledItems: Hashable, Codable, Sendable {
    /// The values with titles.
    public var anyOf: [EnumOption]

    /// With its members.
    public init(
        anyOf: [EnumOption]
    ) {
        self.anyOf = anyOf
    }
}

/// Several of some values that have titles. Since 2025-11-25.
public struct TitledMultiSelectEnumSchema: Hashable, Codable, Sendable {
    /// Always `array`.
    public private(set) var type: String = "array"
    /// The label.
    public var title: String?
    /// What to choose.
    public var description: String?
    /// Fewest values to choose.
    public var minItems: Int?
    /// Most values to choose.
    public var maxItems: Int?
    /// The values with titles.
    public var items: TitledItems
    /// What is chosen at first.
    public var `default`: [String]?

    /// With its members.
    public init(
        title: String? = nil,
        description: String? = nil,
        minItems: Int? = nil,
        maxItems: Int? = nil,
        items: TitledItems,
        default: [String]? = nil
    ) {
        self.title = title
        self.description = description
        self.minItems = minItems
        self.maxItems = maxItems
        self.items = items
        self.default = `default`
    }
}

/// One of some values that have titles. Since 2025-11-25.
public struct TitledSingleSelectEnumSchema: Hashable, Codable, Sendable {
    /// Always `string`.
    public private(set) var type: String = "string"
    /// The label.
    public var title: String?
    /// What to choose.
    public var description: String?
    /// The values with titles.
    public var oneOf: [EnumOption]
    /// What is chosen at first.
    public var `default`: String?

    /// With its members.
    public init(
        title: String? = nil,
        description: String? = nil,
        oneOf: [EnumOption],
        default: String? = nil
    ) {
        self.title = title
        self.description = description
        self.oneOf = oneOf
        self.default = `default`
    }
}

/// Something a client can call.
public struct Tool: Hashable, Codable, Sendable {
    /// Its name for programs.
    public var name: String
    /// Its name for people. Since 2025-06-18.
    public var title: String?
    /// What it does, for the model.
    public var description: String?
    /// JSON Schema of the arguments. Its root has `type: object`.
    public var inputSchema: Value
    /// JSON Schema of `structuredContent`. Since 2025-06-18; before 2026-07-28 its root has `type:
    /// object`.
    public var outputSchema: Value?
    /// Hints about what it does. Since 2025-03-26.
    public var annotations: ToolAnnotations?
    /// Icons. Since 2025-11-25.
    public var icons: [Icon]?
    /// How it runs. 2025-11-25 only.
    public var execution: ToolExecution?
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        name: String,
        title: String? = nil,
        description: String? = nil,
        inputSchema: Value,
        outputSchema: Value? = nil,
        annotations: ToolAnnotations? = nil,
        icons: [Icon]? = nil,
        execution: ToolExecution? = nil,
        _meta: Metadata? = nil
    ) {
        self.name = name
        self.title = title
        self.description = description
        self.inputSchema = inputSchema
        self.outputSchema = outputSchema
        self.annotations = annotations
        self.icons = icons
        self.execution = execution
        self._meta = _meta
    }
}

/// Hints about a tool. From an untrusted server they are not to be trusted.
public struct ToolAnnotations: Hashable, Codable, Sendable {
    /// Its name for people; the tool's own title comes first.
    public var title: String?
    /// It changes nothing. Taken as false when absent.
    public var readOnlyHint: Bool?
    /// It may destroy; only matters when it is not read-only. Taken as true when absent.
    public var destructiveHint: Bool?
    /// Calling it again with the same arguments changes nothing more. Taken as false when absent.
    public var idempotentHint: Bool?
    /// It deals with the outside world. Taken as true when absent.
    public var openWorldHint: Bool?

    /// With its members.
    public init(
        title: String? = nil,
        readOnlyHint: Bool? = nil,
        destructiveHint: Bool? = nil,
        idempotentHint: Bool? = nil,
        openWorldHint: Bool? = nil
    ) {
        self.title = title
        self.readOnlyHint = readOnlyHint
        self.destructiveHint = destructiveHint
        self.idempotentHint = idempotentHint
        self.openWorldHint = openWorldHint
    }
}

/// How the model uses tools. Since 2025-11-25.
///
/// - Warning: Deprecated: sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the
/// model's provider from the server.
public struct ToolChoice: Hashable, Codable, Sendable {
    /// Whether it may, must or must not. Taken as `auto` when absent.
    public var mode: ToolChoiceMode?

    /// With its members.
    public init(
        mode: ToolChoiceMode? = nil
    ) {
        self.mode = mode
    }
}

/// Whether the model may or must use tools. Since 2025-11-25.
///
/// - Warning: Deprecated: sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the
/// model's provider from the server.
public struct ToolChoiceMode: RawRepresentable, Hashable, Codable, Sendable {
    /// The model decides; the default.
    public static let auto = ToolChoiceMode(rawValue: "auto")
    /// It must use one at least.
    public static let required = ToolChoiceMode(rawValue: "required")
    /// It must use none.
    public static let none = ToolChoiceMode(rawValue: "none")
    /// The word; others than these are kept.
    public let rawValue: String

    /// Any word.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// How a tool runs. 2025-11-25 only.
public struct ToolExecution: Hashable, Codable, Sendable {
    /// Whether it runs as a task.
    public var taskSupport: TaskSupport?

    /// With its members.
    public init(
        taskSupport: TaskSupport? = nil
    ) {
        self.taskSupport = taskSupport
    }
}

/// What a tool answered to a model. Since 2025-11-25; deprecated since 2026-07-28 with sampling
/// (SEP-2577), earliest removal 2027-07-28.
///
/// - Warning: Deprecated: sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the
/// model's provider from the server.
public struct ToolResultContent: Hashable, Codable, Sendable {
    /// Always `tool_result`.
    public private(set) var type: String = "tool_result"
    /// The id of the `tool_use` that this is the result of.
    public var toolUseId: String
    /// The answer.
    public var content: [ContentBlock]
    /// The result as data; `null` is a value.
    public var structuredContent: Value?
    /// Whether the tool failed.
    public var isError: Bool?
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        toolUseId: String,
        content: [ContentBlock] = [],
        structuredContent: Value? = nil,
        isError: Bool? = nil,
        _meta: Metadata? = nil
    ) {
        self.toolUseId = toolUseId
        self.content = content
        self.structuredContent = structuredContent
        self.isError = isError
        self._meta = _meta
    }

    /// Reads one; what is absent has its default.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        toolUseId = try members.decode(String.self, forKey: .toolUseId)
        content = try members.decodeIfPresent([ContentBlock].self, forKey: .content) ?? []
        structuredContent = try members.decodeIfPresent(Value.self, forKey: .structuredContent)
        isError = try members.decodeIfPresent(Bool.self, forKey: .isError)
        _meta = try members.decodeIfPresent(Metadata.self, forKey: ._meta)
    }
}

/// A model's wish to call a tool. Since 2025-11-25; deprecated since 2026-07-28 with sampling
/// (SEP-2577), earliest removal 2027-07-28.
///
/// - Warning: Deprecated: sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the
/// model's provider from the server.
public struct ToolUseContent: Hashable, Codable, Sendable {
    /// Always `tool_use`.
    public private(set) var type: String = "tool_use"
    /// Names this use; the result refers to it.
    public var id: String
    /// The name of the tool.
    public var name: String
    /// The arguments: an object.
    public var input: [String: Value]
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        id: String,
        name: String,
        input: [String: Value],
        _meta: Metadata? = nil
    ) {
        self.id = id
        self.name = name
        self.input = input
        self._meta = _meta
    }
}

/// Params of `resources/unsubscribe`. Until 2025-11-25.
public struct UnsubscribeParams: Hashable, Codable, Sendable {
    /// The URI of the resource that is no longer watched.
    public var uri: String
    /// Metadata of the protocol and of extensions.
    public var _meta: Metadata?

    /// With its members.
    public init(
        uri: String,
        _meta: Metadata? = nil
    ) {
        self.uri = uri
        self._meta = _meta
    }
}

/// The items of `UntitledMultiSelectEnumSchema`.
public struct UntitledItems: Hashable, Codable, Sendable {
    /// Always `string`.
    public private(set) var type: String = "string"
    /// The values.
    public var `enum`: [String]

    /// With its members.
    public init(
        enum: [String]
    ) {
        self.enum = `enum`
    }
}

/// Several of some values. Since 2025-11-25.
public struct UntitledMultiSelectEnumSchema: Hashable, Codable, Sendable {
    /// Always `array`.
    public private(set) var type: String = "array"
    /// The label.
    public var title: String?
    /// What to choose.
    public var description: String?
    /// Fewest values to choose.
    public var minItems: Int?
    /// Most values to choose.
    public var maxItems: Int?
    /// The values.
    public var items: UntitledItems
    /// What is chosen at first.
    public var `default`: [String]?

    /// With its members.
    public init(
        title: String? = nil,
        description: String? = nil,
        minItems: Int? = nil,
        maxItems: Int? = nil,
        items: UntitledItems,
        default: [String]? = nil
    ) {
        self.title = title
        self.description = description
        self.minItems = minItems
        self.maxItems = maxItems
        self.items = items
        self.default = `default`
    }
}

/// One of some values.
public struct UntitledSingleSelectEnumSchema: Hashable, Codable, Sendable {
    /// Always `string`.
    public private(set) var type: String = "string"
    /// The label.
    public var title: String?
    /// What to choose.
    public var description: String?
    /// The values.
    public var `enum`: [String]
    /// What is chosen at first. Since 2025-11-25.
    public var `default`: String?

    /// With its members.
    public init(
        title: String? = nil,
        description: String? = nil,
        enum: [String],
        default: String? = nil
    ) {
        self.title = title
        self.description = description
        self.enum = `enum`
        self.default = `default`
    }
}

/// Params of `tasks/update`. Since 2026-07-28.
public struct UpdateTaskParams: Hashable, Codable, Sendable {
    /// The task.
    public var taskId: String
    /// Answers to what the task asked.
    public var inputResponses: [String: Value]?

    /// With its members.
    public init(
        taskId: String,
        inputResponses: [String: Value]? = nil
    ) {
        self.taskId = taskId
        self.inputResponses = inputResponses
    }
}

/// Result of `tasks/update`. Since 2026-07-28.
public struct UpdateTaskResult: Hashable, Codable, Sendable {

    /// What there is to say.
    public init() {}
}

/// The `data` of the error that pages must be visited first. 2025-11-25 only.
public struct UrlElicitationRequiredData: Hashable, Codable, Sendable {
    /// The pages.
    public var elicitations: [ElicitUrlParams]

    /// With its members.
    public init(
        elicitations: [ElicitUrlParams]
    ) {
        self.elicitations = elicitations
    }
}

extension Tool {
    /// The official name.
    public typealias Annotations = MCPBolt.ToolAnnotations
}

extension Tool {
    /// The official name.
    public typealias Content = MCPBolt.ContentBlock
}

extension Tool {
    /// The official name.
    public typealias Execution = MCPBolt.ToolExecution
}

extension Prompt {
    /// The official name.
    public typealias Argument = MCPBolt.PromptArgument
}

extension Prompt {
    /// The official name.
    public typealias Message = MCPBolt.PromptMessage
}

extension Prompt {
    /// The official name.
    public typealias Reference = MCPBolt.PromptReference
}

extension PromptMessage {
    /// The official name.
    public typealias Role = MCPBolt.Role
}

extension Resource {
    /// The official name.
    public typealias Annotations = MCPBolt.Annotations
}

extension Resource {
    /// The official name.
    public typealias Template = MCPBolt.ResourceTemplate
}

extension CompleteResult {
    /// The official name.
    public typealias Completion = MCPBolt.Completion
}

extension ServerCapabilities {
    /// The official name.
    public typealias Tools = MCPBolt.ListCapability
}

extension ServerCapabilities {
    /// The official name.
    public typealias Prompts = MCPBolt.ListCapability
}

extension ServerCapabilities {
    /// The official name.
    public typealias Resources = MCPBolt.ResourcesCapability
}

extension ClientCapabilities {
    /// The official name.
    public typealias Roots = MCPBolt.RootsCapability
}

extension ClientCapabilities {
    /// The official name.
    public typealias Sampling = MCPBolt.SamplingCapability
}

extension ClientCapabilities {
    /// The official name.
    public typealias Elicitation = MCPBolt.ElicitationCapability
}
