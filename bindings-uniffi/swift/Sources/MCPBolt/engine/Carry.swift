// A connection by a transport of the program. Owns: that messages leave in order, and that input waits
// while the other side takes nothing. Must not know: what messages say.
import Foundation

/// The functions of the engine that passing messages needs.
struct Feeding: Sendable {
    let feed: @Sendable (Data) throws -> [String]
    let takeOutgoing: @Sendable () throws -> [String]
    let disconnect: @Sendable (String?) -> [String]
}

/// Passes messages between a transport of the program and the engine.
final class Carry: @unchecked Sendable {
    /// How many messages may wait for a transport before its input waits.
    private static let mostUnsent = 10_000

    private let transport: any Transport
    private let feeding: Feeding
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation
    private let rooms: AsyncStream<Void>
    private let room: AsyncStream<Void>.Continuation
    private let lock = NSLock()
    private var unsent: [String] = []
    private var tasks: [Task<Void, Never>] = []
    private var ending: Task<Void, Never>?

    init(_ transport: any Transport, _ feeding: Feeding) {
        (self.transport, self.feeding) = (transport, feeding)
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (rooms, room) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
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
        var places = rooms.makeAsyncIterator()
        do {
            for try await data in await transport.receive() {
                // An invalid message is answered with an error; the connection goes on.
                add { (try? feeding.feed(data)) ?? [] }
                // Input waits while the other side does not take answers.
                if hasMany { await places.next() }
            }
            add { feeding.disconnect(nil) }
        } catch { add { feeding.disconnect(MCPError.describe(error)) } }
    }

    private var hasMany: Bool { lock.withLock { unsent.count > Self.mostUnsent } }

    private func write() async {
        // Once nothing is sent any more, nobody waits for room.
        defer { room.finish() }
        for await _ in wakes {
            while let messages = next(), !messages.isEmpty {
                for message in messages {
                    do { try await transport.send(Data(message.utf8)) } catch {
                        _ = feeding.disconnect(MCPError.describe(error))
                        return
                    }
                }
                room.yield()
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

    /// Sends what waits, for a second at most, then closes the transport: once, and whoever comes later waits
    /// for that.
    func stop() async {
        let one = lock.withLock {
            let one = ending ?? Task { await end() }
            ending = one
            return one
        }
        await one.value
    }

    private func end() async {
        tasks.first?.cancel()
        // The last messages, unless the other side left first.
        add { feeding.disconnect(nil) }
        wake.finish()
        if let last = tasks.last { await within(1) { await last.value } }
        tasks.last?.cancel()
        await transport.disconnect()
    }
}
