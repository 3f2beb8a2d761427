// Requests that a program holds in its hand, and batches of them. Must not know: how a request
// travels.
import Foundation

/// A request of a client that is on its way: its id, and its result once that is there.
///
/// ```swift
/// let context: RequestContext<CallTool.Result> = try client.send(CallTool.request(.init(name: "report")))
/// try await client.cancelRequest(context.requestID)
/// ```
public struct RequestContext<Result: Sendable>: Sendable {
    /// Names the request for `Client.cancelRequest`, in this program; on the wire it has a number.
    public let requestID: ID
    let task: Task<Result, any Error>

    /// Waits for the result. Throws `CancellationError` if the request was cancelled, and the
    /// server's error if that is the answer.
    public var value: Result { get async throws { try await task.value } }
}

extension Client {
    /// Sends a request without waiting for the result. Throws `connectionClosed` if the client is
    /// not connected.
    public nonisolated func send<M: Method>(_ request: Request<M>) throws -> RequestContext<M.Result> {
        let session = try live()
        let id = ID.random
        var context: RequestContext<M.Result>?
        // The task may be over before it is known here: it has to wait for the lock then.
        running.change { running in
            let task = Task { [weak self] in
                defer { self?.running.change { $0[id] = nil } }
                return try await session.send(request)
            }
            running[id] = { task.cancel() }
            context = RequestContext(requestID: id, task: task)
        }
        guard let context else { throw MCPError.connectionClosed }
        return context
    }

    /// Calls a tool without waiting for the result. `meta` is the request's `_meta`; none, if nothing
    /// is said. Throws `connectionClosed` if the client is not connected.
    public nonisolated func callTool(
        name: String, arguments: [String: Value]? = nil, meta: Metadata? = nil
    ) throws -> RequestContext<CallTool.Result> {
        try send(CallTool.request(.init(name: name, arguments: arguments, meta: meta)))
    }

    /// Gives up a request that `send` or `callTool` began: whoever waits for its result gets a
    /// `CancellationError`, and the server is told. A request that is over is left alone. `reason` is
    /// for those who read the program; the server is told the engine's own.
    public func cancelRequest(_ requestID: ID, reason _: String? = nil) async throws {
        running.value[requestID]?()
    }
}

extension Client {
    /// Requests that begin together, once the body of `withBatch` is over.
    public actor Batch {
        private let session: ClientSession
        private var outcome: Swift.Result<Void, any Error>?
        private var waiting: [CheckedContinuation<Void, any Error>] = []

        init(_ session: ClientSession) { self.session = session }

        /// Adds a request. The task has its result; it is cancelled like any other.
        public func addRequest<M: Method>(_ request: Request<M>) throws -> Task<M.Result, any Error> {
            Task { [session] in
                try await begun()
                return try await session.send(request)
            }
        }

        private func begun() async throws {
            if let outcome { return try outcome.get() }
            try await withCheckedThrowingContinuation { waiting.append($0) }
        }

        fileprivate func end(_ outcome: Swift.Result<Void, any Error>) {
            self.outcome = outcome
            for one in waiting { one.resume(with: outcome) }
            waiting = []
        }
    }

    /// Sends requests together. Those that `body` adds begin when it is over, all at once; their
    /// tasks have the results. There is one message for each: arrays of messages were in 2025-03-26
    /// only.
    ///
    /// Throws what `body` throws, and nothing is sent then: the tasks fail with the same. Throws
    /// `connectionClosed` if the client is not connected.
    public func withBatch(
        isolation: isolated (any Actor)? = #isolation, body: (Batch) async throws -> Void
    ) async throws {
        let batch = Batch(try live())
        do { try await body(batch) } catch {
            await batch.end(.failure(error))
            throw error
        }
        await batch.end(.success(()))
    }
}
