// Every method and notification of every revision. Written by `cargo xtask generate`; do not edit.

/// Request `completion/complete` from the client.
public enum Complete: Method {
    /// Its name on the wire.
    public static let name = "completion/complete"
    /// What it is given.
    public typealias Parameters = CompleteParams
    /// What it answers.
    public typealias Result = CompleteResult
}

/// Request `elicitation/create` from the server. 2025-06-18 to 2025-11-25.
public enum CreateElicitation: Method {
    /// Its name on the wire.
    public static let name = "elicitation/create"
    /// What it is given.
    public typealias Parameters = ElicitParams
    /// What it answers.
    public typealias Result = ElicitResult
}

/// Request `initialize` from the client. Until 2025-11-25.
public enum Initialize: Method {
    /// Its name on the wire.
    public static let name = "initialize"
    /// What it is given.
    public typealias Parameters = InitializeParams
    /// What it answers.
    public typealias Result = InitializeResult
}

/// Request `logging/setLevel` from the client. Until 2025-11-25.
///
/// - Warning: Deprecated: logging, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Write to
/// stderr on stdio; use OpenTelemetry elsewhere.
public enum SetLoggingLevel: Method {
    /// Its name on the wire.
    public static let name = "logging/setLevel"
    /// What it is given.
    public typealias Parameters = SetLevelParams
    /// What it answers.
    public typealias Result = Empty
}

/// Notification `notifications/cancelled` from either side.
public struct CancelledNotification: Notification {
    /// Its name on the wire.
    public static let name = "notifications/cancelled"
    /// What it is given.
    public typealias Parameters = CancelledParams

    /// Nothing by itself; see `message`.
    public init() {}
}

/// Notification `notifications/elicitation/complete` from the server. 2025-11-25 only.
public struct ElicitationCompleteNotification: Notification {
    /// Its name on the wire.
    public static let name = "notifications/elicitation/complete"
    /// What it is given.
    public typealias Parameters = ElicitationCompleteParams

    /// Nothing by itself; see `message`.
    public init() {}
}

/// Notification `notifications/initialized` from the client. Until 2025-11-25.
public struct InitializedNotification: Notification {
    /// Its name on the wire.
    public static let name = "notifications/initialized"
    /// What it is given.
    public typealias Parameters = Empty

    /// Nothing by itself; see `message`.
    public init() {}
}

/// Notification `notifications/message` from the server.
///
/// - Warning: Deprecated: logging, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Write to
/// stderr on stdio; use OpenTelemetry elsewhere.
public struct LogMessageNotification: Notification {
    /// Its name on the wire.
    public static let name = "notifications/message"
    /// What it is given.
    public typealias Parameters = LoggingMessageParams

    /// Nothing by itself; see `message`.
    public init() {}
}

/// Notification `notifications/progress` from either side.
public struct ProgressNotification: Notification {
    /// Its name on the wire.
    public static let name = "notifications/progress"
    /// What it is given.
    public typealias Parameters = ProgressParams

    /// Nothing by itself; see `message`.
    public init() {}
}

/// Notification `notifications/prompts/list_changed` from the server.
public struct PromptListChangedNotification: Notification {
    /// Its name on the wire.
    public static let name = "notifications/prompts/list_changed"
    /// What it is given.
    public typealias Parameters = Empty

    /// Nothing by itself; see `message`.
    public init() {}
}

/// Notification `notifications/resources/list_changed` from the server.
public struct ResourceListChangedNotification: Notification {
    /// Its name on the wire.
    public static let name = "notifications/resources/list_changed"
    /// What it is given.
    public typealias Parameters = Empty

    /// Nothing by itself; see `message`.
    public init() {}
}

/// Notification `notifications/resources/updated` from the server.
public struct ResourceUpdatedNotification: Notification {
    /// Its name on the wire.
    public static let name = "notifications/resources/updated"
    /// What it is given.
    public typealias Parameters = ResourceUpdatedParams

    /// Nothing by itself; see `message`.
    public init() {}
}

/// Notification `notifications/roots/list_changed` from the client. Until 2025-11-25.
///
/// - Warning: Deprecated: roots, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Pass folders
/// and files as tool parameters, resource URIs or settings of the server.
public struct RootsListChangedNotification: Notification {
    /// Its name on the wire.
    public static let name = "notifications/roots/list_changed"
    /// What it is given.
    public typealias Parameters = Empty

    /// Nothing by itself; see `message`.
    public init() {}
}

/// Notification `notifications/subscriptions/acknowledged` from the server. Since 2026-07-28.
public struct SubscriptionsAcknowledgedNotification: Notification {
    /// Its name on the wire.
    public static let name = "notifications/subscriptions/acknowledged"
    /// What it is given.
    public typealias Parameters = ListenParams

    /// Nothing by itself; see `message`.
    public init() {}
}

/// Notification `notifications/tasks` from the server. Since 2026-07-28.
public struct TaskNotification: Notification {
    /// Its name on the wire.
    public static let name = "notifications/tasks"
    /// What it is given.
    public typealias Parameters = TaskParams

    /// Nothing by itself; see `message`.
    public init() {}
}

/// Notification `notifications/tasks/status` from either side. 2025-11-25 only.
public struct TaskStatusNotification: Notification {
    /// Its name on the wire.
    public static let name = "notifications/tasks/status"
    /// What it is given.
    public typealias Parameters = TaskStatusParams

    /// Nothing by itself; see `message`.
    public init() {}
}

/// Notification `notifications/tools/list_changed` from the server.
public struct ToolListChangedNotification: Notification {
    /// Its name on the wire.
    public static let name = "notifications/tools/list_changed"
    /// What it is given.
    public typealias Parameters = Empty

    /// Nothing by itself; see `message`.
    public init() {}
}

/// Request `ping` from either side. Until 2025-11-25.
public enum Ping: Method {
    /// Its name on the wire.
    public static let name = "ping"
    /// What it is given.
    public typealias Parameters = Empty
    /// What it answers.
    public typealias Result = Empty
}

/// Request `prompts/get` from the client.
public enum GetPrompt: Method {
    /// Its name on the wire.
    public static let name = "prompts/get"
    /// What it is given.
    public typealias Parameters = GetPromptParams
    /// What it answers.
    public typealias Result = GetPromptResult
}

/// Request `prompts/list` from the client.
public enum ListPrompts: Method {
    /// Its name on the wire.
    public static let name = "prompts/list"
    /// What it is given.
    public typealias Parameters = PaginatedParams
    /// What it answers.
    public typealias Result = ListPromptsResult
}

/// Request `resources/list` from the client.
public enum ListResources: Method {
    /// Its name on the wire.
    public static let name = "resources/list"
    /// What it is given.
    public typealias Parameters = PaginatedParams
    /// What it answers.
    public typealias Result = ListResourcesResult
}

/// Request `resources/read` from the client.
public enum ReadResource: Method {
    /// Its name on the wire.
    public static let name = "resources/read"
    /// What it is given.
    public typealias Parameters = ReadResourceParams
    /// What it answers.
    public typealias Result = ReadResourceResult
}

/// Request `resources/subscribe` from the client. Until 2025-11-25.
public enum ResourceSubscribe: Method {
    /// Its name on the wire.
    public static let name = "resources/subscribe"
    /// What it is given.
    public typealias Parameters = SubscribeParams
    /// What it answers.
    public typealias Result = Empty
}

/// Request `resources/templates/list` from the client.
public enum ListResourceTemplates: Method {
    /// Its name on the wire.
    public static let name = "resources/templates/list"
    /// What it is given.
    public typealias Parameters = PaginatedParams
    /// What it answers.
    public typealias Result = ListResourceTemplatesResult
}

/// Request `resources/unsubscribe` from the client. Until 2025-11-25.
public enum ResourceUnsubscribe: Method {
    /// Its name on the wire.
    public static let name = "resources/unsubscribe"
    /// What it is given.
    public typealias Parameters = UnsubscribeParams
    /// What it answers.
    public typealias Result = Empty
}

/// Request `roots/list` from the server. Until 2025-11-25.
///
/// - Warning: Deprecated: roots, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Pass folders
/// and files as tool parameters, resource URIs or settings of the server.
public enum ListRoots: Method {
    /// Its name on the wire.
    public static let name = "roots/list"
    /// What it is given.
    public typealias Parameters = Empty
    /// What it answers.
    public typealias Result = ListRootsResult
}

/// Request `sampling/createMessage` from the server. Until 2025-11-25.
///
/// - Warning: Deprecated: sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the
/// model's provider from the server.
public enum CreateSamplingMessage: Method {
    /// Its name on the wire.
    public static let name = "sampling/createMessage"
    /// What it is given.
    public typealias Parameters = CreateMessageParams
    /// What it answers.
    public typealias Result = CreateMessageResult
}

/// Request `server/discover` from the client. Since 2026-07-28.
public enum Discover: Method {
    /// Its name on the wire.
    public static let name = "server/discover"
    /// What it is given.
    public typealias Parameters = Empty
    /// What it answers.
    public typealias Result = DiscoverResult
}

/// Request `subscriptions/listen` from the client. Since 2026-07-28.
public enum Listen: Method {
    /// Its name on the wire.
    public static let name = "subscriptions/listen"
    /// What it is given.
    public typealias Parameters = ListenParams
    /// What it answers.
    public typealias Result = Empty
}

/// Request `tasks/cancel` from either side. Since 2025-11-25.
public enum CancelTask: Method {
    /// Its name on the wire.
    public static let name = "tasks/cancel"
    /// What it is given.
    public typealias Parameters = CancelTaskParams
    /// What it answers.
    public typealias Result = CancelTaskResult
}

/// Request `tasks/get` from either side. Since 2025-11-25.
public enum GetTask: Method {
    /// Its name on the wire.
    public static let name = "tasks/get"
    /// What it is given.
    public typealias Parameters = GetTaskParams
    /// What it answers.
    public typealias Result = GetTaskResult
}

/// Request `tasks/list` from either side. 2025-11-25 only.
public enum ListTasks: Method {
    /// Its name on the wire.
    public static let name = "tasks/list"
    /// What it is given.
    public typealias Parameters = PaginatedParams
    /// What it answers.
    public typealias Result = ListTasksResult
}

/// Request `tasks/result` from either side. 2025-11-25 only.
public enum GetTaskPayload: Method {
    /// Its name on the wire.
    public static let name = "tasks/result"
    /// What it is given.
    public typealias Parameters = GetTaskPayloadParams
    /// What it answers.
    public typealias Result = GetTaskPayloadResult
}

/// Request `tasks/update` from the client. Since 2026-07-28.
public enum UpdateTask: Method {
    /// Its name on the wire.
    public static let name = "tasks/update"
    /// What it is given.
    public typealias Parameters = UpdateTaskParams
    /// What it answers.
    public typealias Result = UpdateTaskResult
}

/// Request `tools/call` from the client.
public enum CallTool: Method {
    /// Its name on the wire.
    public static let name = "tools/call"
    /// What it is given.
    public typealias Parameters = CallToolParams
    /// What it answers.
    public typealias Result = CallToolResult
}

/// Request `tools/list` from the client.
public enum ListTools: Method {
    /// Its name on the wire.
    public static let name = "tools/list"
    /// What it is given.
    public typealias Parameters = PaginatedParams
    /// What it answers.
    public typealias Result = ListToolsResult
}
