// What a program has registered with a client. Must not know: connections.

/// The handlers that the client has registered.
struct Handlers: Sendable {
    var methods: [String: @Sendable (JSON) async throws -> JSON] = [:]
    var notifications: [String: [@Sendable (JSON) async throws -> Void]] = [:]
    var services: [String: @Sendable (Value) async throws -> Value] = [:]
    var review: ToolReviewer?
    var trusted = false
}
