// Transports. Owns: the transports of this package, and passing messages of those that a program
// brings. Must not know: what messages say.
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

/// What the engine is told to open.
enum Reach: Sendable {
    case standardStreams
    case target(Value)
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
        reach = urlTarget(endpoint, headers, options)
    }
}

/// HTTP+SSE of 2024-11-05.
///
/// - Warning: Deprecated: httpSse, since 2025-03-26 (SEP-2596). Use `HTTPClientTransport`.
public actor SSEClientTransport: EngineMoved {
    nonisolated let reach: Reach
    public init(endpoint: URL, headers: [String: String] = [:], options: [String: Value] = [:]) {
        reach = urlTarget(endpoint, headers, options.merging(["transport": "sse"]) { $1 })
    }
}

private func urlTarget(_ url: URL, _ headers: [String: String], _ options: [String: Value]) -> Reach {
    let pairs = headers.map { Value.array([.string($0.key), .string($0.value)]) }
    return .target(.object(["url": .string(url.absoluteString), "headers": .array(pairs)].merging(options) { $1 }))
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

/// The functions of the engine that passing messages needs.
struct Feeding: Sendable {
    let feed: @Sendable (Data) throws -> [String]
    let takeOutgoing: @Sendable () throws -> [String]
    let disconnect: @Sendable (String?) -> [String]
}

/// Passes messages between a transport of the program and the engine.
final class Carrier: @unchecked Sendable {
    private let transport: any Transport
    private let feeding: Feeding
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation
    private let lock = NSLock()
    private var unsent: [String] = []
    private var tasks: [Task<Void, Never>] = []

    init(_ transport: any Transport, _ feeding: Feeding) {
        (self.transport, self.feeding) = (transport, feeding)
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func start() {
        tasks = [Task { await read() }, Task { await write() }]
    }

    /// Reports that messages wait to be sent.
    func more() { wake.yield() }

    /// In one step under the lock, so that messages the engine queues later are sent after these.
    private func add(_ messages: () -> [String]) {
        let any = lock.withLock {
            unsent += messages()
            return !unsent.isEmpty
        }
        if any { more() }
    }

    private func read() async {
        do {
            for try await data in await transport.receive() {
                // An invalid message is answered with an error; the connection goes on.
                add { (try? feeding.feed(data)) ?? [] }
            }
            add { feeding.disconnect(nil) }
        } catch { add { feeding.disconnect(MCPError.describe(error)) } }
    }

    private func write() async {
        for await _ in wakes {
            while let messages = next(), !messages.isEmpty {
                for message in messages {
                    do { try await transport.send(Data(message.utf8)) } catch {
                        _ = feeding.disconnect(MCPError.describe(error))
                        return
                    }
                }
            }
        }
    }

    private func next() -> [String]? {
        lock.withLock {
            if unsent.isEmpty { return try? feeding.takeOutgoing() }
            defer { unsent = [] }
            return unsent
        }
    }

    /// Sends what waits, for a second at most, then closes the transport.
    func stop() async {
        tasks.first?.cancel()
        // The last messages, unless the other side left first.
        add { feeding.disconnect(nil) }
        wake.finish()
        if let last = tasks.last { await within(1) { await last.value } }
        tasks.last?.cancel()
        await transport.disconnect()
    }
}

/// Waits until something has finished, but at most for so many seconds.
func within(_ seconds: Double, _ body: @escaping @Sendable () async -> Void) async {
    let (ends, end) = AsyncStream<Void>.makeStream()
    let one = Task {
        await body()
        end.finish()
    }
    let other = Task {
        try? await Task.sleep(nanoseconds: UInt64(seconds * 1_000_000_000))
        end.finish()
    }
    for await _ in ends {}
    one.cancel()
    other.cancel()
}
