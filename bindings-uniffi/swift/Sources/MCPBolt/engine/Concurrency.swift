// Small tools for tasks: a value under a lock, work in order, waiting with a bound. Must not know: who
// uses them.
import Foundation

/// A value protected by a lock.
final class Box<T: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var inner: T
    init(_ inner: T) { self.inner = inner }
    var value: T { lock.withLock { inner } }
    func change(_ body: (inout T) -> Void) { lock.withLock { body(&inner) } }
}

/// A queue of work that runs in order, one after another. As in the engine's own queue, work that
/// finds no room is dropped. It ends with `finish()`.
func inOrder() -> AsyncStream<@Sendable () async -> Void>.Continuation {
    let (works, queue) = AsyncStream<@Sendable () async -> Void>.makeStream(bufferingPolicy: .bufferingOldest(10_000))
    Task.detached { for await work in works { await work() } }
    return queue
}

/// Seconds as a task sleeps them; a century for all that is longer, which no number may hold.
func nanoseconds(_ seconds: Double) -> UInt64 { UInt64(min(max(seconds, 0), 3_153_600_000) * 1_000_000_000) }

/// Waits until something has finished, but at most for so many seconds. A task that is cancelled waits as well:
/// programs stop what they have where they are cancelled.
func within(_ seconds: Double, _ body: @escaping @Sendable () async -> Void) async {
    let (ends, end) = AsyncStream<Void>.makeStream()
    let one = Task {
        await body()
        end.finish()
    }
    let other = Task {
        try? await Task.sleep(nanoseconds: nanoseconds(seconds))
        end.finish()
    }
    // In a task of its own, because a stream ends at once for one that is cancelled.
    await Task { for await _ in ends {} }.value
    one.cancel()
    other.cancel()
}
