// Streams of what a program is told. Owns: that nothing grows without bound, and that a slow reader
// learns how much it missed. Must not know: connections.
import Foundation

/// In a stream of notifications: says how many were dropped before the next one, because the reader
/// is too slow.
public struct LostNotification: Notification {
    /// Its name; no server sends it.
    public static let name = "mcpbolt/lost"
    /// How many there were.
    public struct Parameters: Hashable, Codable, Sendable {
        /// How many notifications are missing.
        public var count: Int
        /// With the number of those that are missing.
        public init(count: Int) { self.count = count }
    }

    static let of: @Sendable (Int) -> AnyNotification = { .init(method: name, params: ["count": .int($0)]) }
}

/// Sends the same values to any number of streams.
final class Fan<T: Sendable>: @unchecked Sendable {
    /// How many values are stored for a reader that is too slow.
    static var kept: Int { 10_000 }

    private let lost: (@Sendable (Int) -> T)?
    private let lock = NSLock()
    private var takers: [Int: Kept<T>] = [:]
    private var last = 0

    /// `lost` makes the value that tells a reader how many were dropped.
    init(lost: (@Sendable (Int) -> T)? = nil) { self.lost = lost }

    func stream(first: T?, over: Bool, _ why: MCPError?) -> AsyncThrowingStream<T, any Error> {
        let kept = Kept<T>(Self.kept)
        if let first { kept.put(first) }
        if over {
            kept.tap.finish(throwing: first == nil ? why : nil)
            return kept.stream(lost)
        }
        let number = lock.withLock {
            last += 1
            takers[last] = kept
            return last
        }
        kept.tap.onTermination = { [weak self] _ in self?.forget(number) }
        return kept.stream(lost)
    }

    /// Whether there are readers.
    var isRead: Bool { lock.withLock { !takers.isEmpty } }

    private func forget(_ number: Int) { lock.withLock { _ = takers.removeValue(forKey: number) } }
    func yield(_ value: T) { for taker in lock.withLock({ Array(takers.values) }) { taker.put(value) } }
    func finish(_ why: MCPError?) {
        for taker in lock.withLock({ Array(takers.values) }) { taker.tap.finish(throwing: why) }
    }
}

/// What one reader has not taken yet. Beyond the limit the oldest are dropped.
private final class Kept<T: Sendable>: @unchecked Sendable {
    let tap: AsyncThrowingStream<T, any Error>.Continuation
    private var source: AsyncThrowingStream<T, any Error>?
    private let lock = NSLock()
    private var missing = 0

    init(_ most: Int) {
        let (source, tap) = AsyncThrowingStream<T, any Error>.makeStream(bufferingPolicy: .bufferingNewest(most))
        (self.source, self.tap) = (source, tap)
    }

    func put(_ value: T) {
        if case .dropped = tap.yield(value) { lock.withLock { missing += 1 } }
    }

    private func took() -> Int {
        lock.withLock {
            defer { missing = 0 }
            return missing
        }
    }

    /// Returns the stream; may be called once. From then on the reader owns the stored values, and
    /// they are released with it.
    func stream(_ lost: (@Sendable (Int) -> T)?) -> AsyncThrowingStream<T, any Error> {
        guard let source else { preconditionFailure("a stream is read once") }
        self.source = nil
        guard let lost else { return source }
        let reader = Reader(source)
        return AsyncThrowingStream(unfolding: {
            if let held = reader.held {
                reader.held = nil
                return held
            }
            let next = try await reader.next()
            let count = self.took()
            if count == 0 { return next }
            reader.held = next
            return lost(count)
        })
    }
}

/// A position in a stream, and a value that was taken but not yet passed on. Used by one task at a
/// time, like iterators.
private final class Reader<T: Sendable>: @unchecked Sendable {
    var held: T?
    private var place: AsyncThrowingStream<T, any Error>.Iterator

    init(_ stream: AsyncThrowingStream<T, any Error>) { place = stream.makeAsyncIterator() }

    func next() async throws -> T? { try await place.next() }
}
