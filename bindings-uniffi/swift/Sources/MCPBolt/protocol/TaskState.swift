// What a server says of a task. Must not know: who asked for it.

/// Where a task stands (2026-07-28). Not one of the generated types, such as `TaskInfo`: these have
/// the shape of 2025-11-25, without `ttlMs`, `pollIntervalMs`, `inputRequests`, `result` and `error`.
public struct TaskState: Hashable, Codable, Sendable {
    /// The task's id.
    public var taskId: String
    /// How far it is.
    public var status: TaskStatus
    /// How the work gets on, for people.
    public var statusMessage: String?
    /// When it was created, in ISO 8601.
    public var createdAt: String
    /// When it last changed, in ISO 8601.
    public var lastUpdatedAt: String
    /// Milliseconds from its creation for which the server keeps it; nil: without end.
    public var ttlMs: Int?
    /// Milliseconds between two questions how it stands, as the server wishes.
    public var pollIntervalMs: Int?
    /// What it asks and has no answer to, by key: `method` and `params`; while it is
    /// `inputRequired`.
    public var inputRequests: [String: Value]?
    /// The result, once it is `completed`; a tool that failed has one too, with `isError`.
    public var result: CallToolResult?
    /// The JSON-RPC error it ended with, once it is `failed`: `code`, `message`, `data`.
    public var error: Value?

    /// Whether nothing can follow.
    public var isOver: Bool { [.completed, .failed, .cancelled].contains(status) }
}
