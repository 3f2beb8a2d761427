// Extensions of a server. Owns: what one is made of, and the order of their hooks. Must not know:
// any extension, or how a request reaches a handler.

/// An extension of a server, for `Server.init`.
///
///     var colours = ServerExtension("com.example/colours")
///     colours.method("com.example/mix", namedBy: .name) { params, _ in mix(params) }
public struct ServerExtension: Sendable {
    /// Answers requests of an extension's method.
    public typealias Handler = @Sendable (_ params: Value, _ call: HandlerContext) async throws -> Value
    /// Stands around the handler of a method of others: `next` runs the rest, with the params as
    /// they came or with changed ones.
    public typealias Hook = @Sendable (
        _ params: Value, _ call: HandlerContext, _ next: @Sendable (Value) async throws -> Value
    ) async throws -> Value

    /// The identifier, with a prefix: `com.example/colours`.
    public let id: String
    /// What clients are told of it.
    public let settings: Value
    var rows: [Value] = []
    var handlers: [String: Handler] = [:]
    var hooks: [(method: String, hook: Hook)] = []
    var resources: [(resource: Resource, read: @Sendable (String, HandlerContext) async throws -> ReadResource.Result)] = []

    /// An extension without methods and hooks. `settings` is an object.
    public init(_ id: String, settings: Value = [:]) { (self.id, self.settings) = (id, settings) }

    /// Adds a method. `namedBy`: the parameter that names what a request is about. `since`: the
    /// first revision that has the method; by default all have it. `undeclared`: what clients get
    /// that did not declare the extension.
    public mutating func method(
        _ name: String, namedBy: NamedBy? = nil, since: String? = nil, undeclared: Undeclared = .refuse,
        _ handler: @escaping Handler
    ) {
        rows.append(extensionRow(id, name, namedBy, since, undeclared))
        handlers[name] = handler
    }

    /// Adds a hook. Of several hooks of one method that of the extension that is listed first is
    /// the outermost.
    public mutating func hook(_ method: String, _ hook: @escaping Hook) { hooks.append((method, hook)) }

    /// Adds a resource that belongs to it, with the function that reads it.
    public mutating func offer(
        _ resource: Resource, read: @escaping @Sendable (String, HandlerContext) async throws -> ReadResource.Result
    ) {
        resources.append((resource, read))
    }
}

/// All extensions of a server.
struct ServerExtensions: Sendable {
    private let hooks: [String: [ServerExtension.Hook]]
    let settings: [String: Value]
    /// The identifier of one that is listed twice.
    let twice: String?
    let rows: [Value]
    let handlers: [String: ServerExtension.Handler]
    let resources: [(resource: Resource, read: @Sendable (String, HandlerContext) async throws -> ReadResource.Result)]

    init(_ all: [ServerExtension]) {
        settings = Dictionary(all.map { ($0.id, $0.settings) }) { $1 }
        twice = Dictionary(grouping: all, by: \.id).first { $1.count > 1 }?.key
        rows = all.flatMap(\.rows)
        handlers = all.reduce(into: [:]) { $0.merge($1.handlers) { $1 } }
        resources = all.flatMap(\.resources)
        hooks = Dictionary(grouping: all.flatMap(\.hooks)) { $0.method }.mapValues { $0.map { $0.hook } }
    }

    /// The methods that the host answers, whatever the engine could.
    var methods: Set<String> { Set(handlers.keys).union(hooks.keys) }

    /// Answers a request, with the hooks of its method around the handler.
    func around(
        _ method: String, _ params: JSON, _ call: HandlerContext, _ handler: @escaping @Sendable (JSON) async throws -> JSON
    ) async throws -> JSON {
        guard let around = hooks[method] else { return try await handler(params) }
        var all: @Sendable (Value) async throws -> Value = { try await handler(JSON($0.text)).value }
        for hook in around.reversed() {
            let next = all
            all = { try await hook($0, call, next) }
        }
        return JSON(try await all(params.value).text)
    }
}
