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

/// Headers, each a name and a value, for a request with this head: `method`, `url`, `headers`.
typealias HeaderHook = @Sendable (_ head: Value) async throws -> [[String]]

/// Opens connections whose requests carry a token once the server wants one.
protocol SignsIn: AnyObject, Sendable {
    /// Seconds that a user may take; nil if no user is asked.
    var patience: Double? { get }
    /// Adds headers to each request to a server; nil for none.
    func headers(_ endpoint: URL) -> HeaderHook?
    func open(_ client: EngineClient, _ target: Value) throws -> UInt64
}

/// What the engine is told to open, and what the program does with the requests of that.
enum Reach: Sendable {
    case standardStreams
    case target(Value, TargetHooks = .init())
    /// Nothing: the transport itself carries the messages.
    case own

    /// Seconds that requests have to wait for a user; nil if no user is asked.
    var patience: Double? { if case .target(_, let hooks) = self { hooks.signsIn?.patience } else { nil } }
}

/// What the program does with the requests of a transport.
struct TargetHooks: Sendable {
    /// By what it signs in.
    var signsIn: (any SignsIn)?
    /// What adds headers.
    var headers: [HeaderHook] = []
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
    static var moved: MCPError {
        .usage("\(Self.self) is moved by the engine: give it to a server or a client, do not wrap it")
    }
}

extension Transport {
    /// What the engine is told to open; nil if the transport carries the messages itself.
    nonisolated var reachOfEngine: Reach? {
        guard let reach = (self as? any EngineMoved)?.reach else { return nil }
        if case .own = reach { return nil }
        return reach
    }
}

/// A server that runs as a child process and speaks over its standard streams.
@available(iOS, unavailable, message: "an app on iOS starts no processes: use HTTPClientTransport, or Client.connect(to:) for a server in the app")
public actor StdioClientTransport: EngineMoved {
    nonisolated let reach: Reach
    /// `env` is added to what the server inherits; see `options`.
    public init(command: String, args: [String] = [], env: [String: String] = [:], options: StdioOptions = .init()) {
        let own: [String: Value] = [
            "command": .string(command), "args": .array(args.map(Value.string)), "env": .object(env.mapValues(Value.string)),
        ]
        reach = .target(.object(own.merging(options.members) { $1 }))
    }
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
