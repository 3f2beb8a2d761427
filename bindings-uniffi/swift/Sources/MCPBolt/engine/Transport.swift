// Transports: those whose messages the engine carries, and those of programs. Owns: what describes
// them. Must not know: how messages are passed on.
import Foundation
import MCPBoltEngine

/// A channel of whole messages. Programs may implement it. For the transports of this package the
/// engine carries the messages itself; the objects only describe what to open.
public protocol Transport: Actor {
    /// Opens the channel.
    func connect() async throws
    /// Closes the channel.
    func disconnect() async
    /// Sends one JSON-RPC message.
    func send(_ data: Data) async throws
    /// The messages that arrive; the stream ends with the channel.
    func receive() -> AsyncThrowingStream<Data, any Error>
}

/// Opens connections whose requests carry a token once the server wants one.
protocol SignsIn: AnyObject, Sendable {
    /// Seconds that a user may take; nil if no user is asked.
    var patience: Double? { get }
    func open(_ client: EngineClient, _ target: Value) throws -> UInt64
}

/// What the engine is told to open, and by what it signs in there.
enum Reach: Sendable {
    case standardStreams
    case target(Value, (any SignsIn)? = nil)

    /// Seconds that requests have to wait for a user; nil if no user is asked.
    var patience: Double? { if case .target(_, let signsIn?) = self { signsIn.patience } else { nil } }
}

/// A transport whose messages the engine carries.
protocol EngineMoved: Transport {
    nonisolated var reach: Reach { get }
}

extension EngineMoved {
    public func connect() async throws { throw Self.moved }
    public func disconnect() async {}
    public func send(_: Data) async throws { throw Self.moved }
    public func receive() -> AsyncThrowingStream<Data, any Error> { .init { $0.finish(throwing: Self.moved) } }
    private static var moved: MCPError {
        .usage("\(Self.self) is moved by the engine: give it to a server or a client, do not wrap it")
    }
}

/// The process's standard input and output, for servers.
public actor StdioTransport: EngineMoved {
    nonisolated let reach = Reach.standardStreams
    public init() {}
}

/// A server that runs as a child process and speaks over its standard streams.
public actor StdioClientTransport: EngineMoved {
    nonisolated let reach: Reach
    /// `options` are those of the engine by name, such as `cwd`, `stderr`, `restart`,
    /// `close_grace`.
    public init(command: String, args: [String] = [], env: [String: String] = [:], options: [String: Value] = [:]) {
        let own: [String: Value] = [
            "command": .string(command), "args": .array(args.map(Value.string)), "env": .object(env.mapValues(Value.string)),
        ]
        reach = .target(.object(own.merging(options) { $1 }))
    }
}

/// Streamable HTTP, or HTTP+SSE if the server speaks nothing newer.
public actor HTTPClientTransport: EngineMoved {
    nonisolated let reach: Reach
    /// `options` are those of the engine by name, such as `ca`, `proxy`, `connect_timeout`,
    /// `reconnect`.
    public init(endpoint: URL, headers: [String: String] = [:], streaming _: Bool = true, options: [String: Value] = [:]) {
        self.init(endpoint, headers, options, nil)
    }
    init(_ endpoint: URL, _ headers: [String: String], _ options: [String: Value], _ signsIn: (any SignsIn)?) {
        reach = urlTarget(endpoint, headers, options, signsIn)
    }
}

/// HTTP+SSE of 2024-11-05.
///
/// - Warning: Deprecated: httpSse, since 2025-03-26 (SEP-2596). Use `HTTPClientTransport`.
public actor SSEClientTransport: EngineMoved {
    nonisolated let reach: Reach
    public init(endpoint: URL, headers: [String: String] = [:], options: [String: Value] = [:]) {
        self.init(endpoint, headers, options, nil)
    }
    init(_ endpoint: URL, _ headers: [String: String], _ options: [String: Value], _ signsIn: (any SignsIn)?) {
        reach = urlTarget(endpoint, headers, options.merging(["transport": "sse"]) { $1 }, signsIn)
    }
}

private func urlTarget(
    _ url: URL, _ headers: [String: String], _ options: [String: Value], _ signsIn: (any SignsIn)?
) -> Reach {
    let pairs = headers.map { Value.array([.string($0.key), .string($0.value)]) }
    return .target(.object(["url": .string(url.absoluteString), "headers": .array(pairs)].merging(options) { $1 }), signsIn)
}

/// One end of a channel within the process.
public actor InMemoryTransport: Transport {
    private var stream: AsyncThrowingStream<Data, any Error>
    private let mine: AsyncThrowingStream<Data, any Error>.Continuation
    private var other: InMemoryTransport?

    private init() { (stream, mine) = AsyncThrowingStream.makeStream() }

    /// Creates both ends of a new channel.
    public static func createConnectedPair() async -> (client: InMemoryTransport, server: InMemoryTransport) {
        let (one, two) = (InMemoryTransport(), InMemoryTransport())
        await one.join(two)
        await two.join(one)
        return (one, two)
    }

    private func join(_ other: InMemoryTransport) { self.other = other }
    private func take(_ data: Data) { mine.yield(data) }
    private func end() {
        mine.finish()
        other = nil
    }

    public func connect() async throws { if other == nil { throw MCPError.connectionClosed } }
    public func disconnect() async {
        let last = other
        end()
        await last?.end()
    }
    public func send(_ data: Data) async throws {
        guard let other else { throw MCPError.connectionClosed }
        await other.take(data)
    }
    public func receive() -> AsyncThrowingStream<Data, any Error> { stream }
}
