// A client of a server in this process: the one place that knows both sides. Must not know: what they
// say to each other.

extension Client {
    /// Connects to a server in this process, without a transport.
    @discardableResult
    public func connect(to server: Server) async throws -> Initialize.Result {
        let engine = try server.engine()
        return try await begin { try $0.open(engine) }
    }
}
