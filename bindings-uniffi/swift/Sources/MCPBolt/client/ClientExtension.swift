// Extensions of a client. Owns: what one is made of, and the order of their hooks. Must not know:
// any extension, or how a request is sent.

/// An extension of a client, for `Client.init`.
///
///     var colours = ClientExtension("com.example/colours")
///     colours.method("com.example/mix", namedBy: .name)
public struct ClientExtension: Sendable {
    /// Sends a request on the connection that a result came on.
    public typealias Sender = @Sendable (_ method: String, _ params: Value) async throws -> Value
    /// Makes the whole result of one in a shape that an extension defines; `request` sends what that
    /// takes.
    public typealias ResultResolver = @Sendable (_ result: Value, _ method: String, _ request: @escaping Sender) async throws -> Value

    /// The identifier, with a prefix: `com.example/colours`.
    public let id: String
    /// What servers are told of it.
    public let settings: Value
    var rows: [Value] = []
    var requestHooks: [(method: String, change: @Sendable (Value) async throws -> Value)] = []
    var resultHooks: [(method: String, look: @Sendable (Value) async throws -> Void)] = []
    var resolvers: [String: ResultResolver] = [:]

    /// An extension without methods and hooks. `settings` is an object.
    public init(_ id: String, settings: Value = [:]) { (self.id, self.settings) = (id, settings) }

    /// Adds a method that the client sends. To a server that did not declare the extension it is
    /// not sent: the request fails with -32601. `namedBy`: the parameter that names what a request
    /// is about. `since`: the first revision that has the method; by default all have it.
    public mutating func method(_ name: String, namedBy: NamedBy? = nil, since: String? = nil) {
        rows.append(extensionRow(id, name, namedBy, since))
    }

    /// Calls a function with the params of each request of a method; what it returns is sent. If it
    /// throws, nothing is sent.
    public mutating func onRequest(_ method: String, _ change: @escaping @Sendable (Value) async throws -> Value) {
        requestHooks.append((method, change))
    }

    /// Calls a function with each result of a method, before the program gets it. If it throws, the
    /// request has failed.
    public mutating func onResult(_ method: String, _ look: @escaping @Sendable (Value) async throws -> Void) {
        resultHooks.append((method, look))
    }

    /// Has a function make the whole result of each whose `resultType` is this one; hooks and the
    /// program get what it returns, an object. If it throws, the request has failed, and with `usage`
    /// if it returns no object.
    public mutating func onResultType(_ resultType: String, _ resolve: @escaping ResultResolver) {
        resolvers[resultType] = resolve
    }
}

/// All extensions of a client.
struct ClientExtensions: Sendable {
    let settings: [String: Value]
    let rows: [Value]
    private let changes: [String: [@Sendable (Value) async throws -> Value]]
    private let looks: [String: [@Sendable (Value) async throws -> Void]]
    private let resolvers: [String: ClientExtension.ResultResolver]

    init(_ all: [ClientExtension]) {
        settings = Dictionary(all.map { ($0.id, $0.settings) }) { $1 }
        rows = all.flatMap(\.rows)
        changes = Dictionary(grouping: all.flatMap(\.requestHooks)) { $0.method }.mapValues { $0.map { $0.change } }
        looks = Dictionary(grouping: all.flatMap(\.resultHooks)) { $0.method }.mapValues { $0.map { $0.look } }
        resolvers = all.reduce(into: [:]) { $0.merge($1.resolvers) { first, _ in first } }
    }

    /// What results may say of their shape, beside what the protocol has.
    var resultTypes: [String] { Array(resolvers.keys) }

    /// The params to send.
    func outgoing(_ method: String, _ params: JSON?) async throws -> JSON? {
        guard let changes = changes[method] else { return params }
        var given = params?.value ?? [:]
        for change in changes { given = try await change(given) }
        return JSON(given.text)
    }

    /// The result that the program gets.
    func incoming(_ method: String, _ sent: JSON, _ request: @escaping ClientExtension.Sender) async throws -> JSON {
        let result = try await whole(method, sent, request)
        for look in looks[method] ?? [] { try await look(result.value) }
        return result
    }

    private func whole(_ method: String, _ sent: JSON, _ request: @escaping ClientExtension.Sender) async throws -> JSON {
        if resolvers.isEmpty { return sent }
        let part = sent.value
        guard let kind = part["resultType"]?.stringValue, let resolve = resolvers[kind] else { return sent }
        guard let made = try await resolve(part, method, request).objectValue else {
            throw MCPError.usage("what the function for results of \(kind) made of one of \(method) is no object: return the whole result")
        }
        return JSON(Value.object(made.merging(["resultType": "complete"]) { said, _ in said }).text)
    }
}
