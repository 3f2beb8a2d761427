// Extensions of a client. Owns: what one is made of, and the order of their hooks. Must not know:
// any extension, or how a request is sent.

/// An extension of a client, for `Client.init`.
///
///     var colours = ClientExtension("com.example/colours")
///     colours.method("com.example/mix", namedBy: .name)
public struct ClientExtension: Sendable {
    /// The identifier, with a prefix: `com.example/colours`.
    public let id: String
    /// What servers are told of it.
    public let settings: Value
    var rows: [Value] = []
    var requestHooks: [(method: String, change: @Sendable (Value) async throws -> Value)] = []
    var resultHooks: [(method: String, look: @Sendable (Value) async throws -> Void)] = []

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
}

/// All extensions of a client.
struct ClientExtensions: Sendable {
    private let all: [ClientExtension]

    init(_ all: [ClientExtension]) { self.all = all }

    var settings: [String: Value] { Dictionary(all.map { ($0.id, $0.settings) }) { $1 } }
    var rows: [Value] { all.flatMap(\.rows) }

    /// The params to send.
    func outgoing(_ method: String, _ params: JSON?) async throws -> JSON? {
        let changes = all.flatMap(\.requestHooks).filter { $0.method == method }
        if changes.isEmpty { return params }
        var given = params?.value ?? [:]
        for (_, change) in changes { given = try await change(given) }
        return JSON(given.text)
    }

    func incoming(_ method: String, _ result: JSON) async throws {
        for hook in all.flatMap(\.resultHooks) where hook.method == method { try await hook.look(result.value) }
    }
}
