// The driver: one inbox and what waits on it. Owns: taking items, handing back what is finished,
// requests and the tasks that wait for them. Must not know: what a server or a client does with an
// item; that is up to its `Peer`.
import Foundation
import MCPBoltEngine

/// What stands behind a driver: a server or a client. Called by one task, in the order of the
/// items.
protocol Peer: AnyObject, Sendable {
    /// Answers a request with `finish` or `fail`.
    func request(_ call: UInt64, _ connection: UInt64, _ method: String, _ params: JSON, _ invalid: JSON)
    /// Called when a call is cancelled. It still has to be completed.
    func cancelled(_ call: UInt64)
    /// Handles a notification. `origin` is the request of this side that it belongs to, or 0.
    func notification(_ connection: UInt64, _ origin: UInt64, _ method: String, _ params: JSON)
    /// Handles any other item of a connection: `outgoing`, `subscription`, `log`, `closed`,
    /// `state`.
    func event(_ kind: String, _ connection: UInt64, _ row: [JSON])
    /// Answers a service that the engine calls.
    func asked(_ service: String, _ payload: Value) async throws -> Value
}

final class Driver: @unchecked Sendable {
    let inbox = EngineInbox()
    /// Tells the program's telemetry, if it has any.
    let observer: Observer?
    private weak var host: (any Peer)?
    private let lock = NSLock()
    private var waiting: [UInt64: CheckedContinuation<JSON, any Error>] = [:]
    private var reports: [UInt64: Reports] = [:]
    private var tellers: [UInt64: Teller] = [:]
    private var asks: [UInt64: Task<Void, Never>] = [:]
    private let draining = NSLock()
    private var writers: [Int: CheckedContinuation<EngineDelivery, any Error>] = [:]
    private var lastWriter = 0
    private var done: [Done] = []
    private var flushing = false
    private var parking = false
    private var over = false

    init(_ observer: Observer? = nil) { self.observer = observer }

    deinit { inbox.close() }

    /// Starts taking items. The task keeps the inbox alive, but not the driver.
    func start(_ host: any Peer) {
        self.host = host
        let inbox = inbox
        Task.detached { [weak self] in
            while await inbox.ready() { self?.drain() }
            self?.drain()
            self?.end()
        }
    }

    private func drain() {
        draining.withLock {
            while true {
                let items = JSON(inbox.take(maxItems: 256, maxBytes: 1 << 20)).rows
                if items.isEmpty { return }
                for item in items { one(item.rows) }
            }
        }
    }

    /// Waits, within a bounded time, for what the engine asked before its end, such as to store the
    /// last audit records.
    func settle() async {
        drain()
        let asked = lock.withLock { Array(asks.values) }
        await within(1) { for ask in asked { await ask.value } }
    }

    private func one(_ row: [JSON]) {
        let kind = row[0].string ?? ""
        let number = row[1].number
        switch kind {
        case "request":
            guard let host else { return fail(number, MCPError.connectionClosed) }
            host.request(number, row[2].number, row[4].string ?? "", row[6], row[7])
        case "notification":
            host?.notification(number, row[2].number, row[3].string ?? "", row[4])
        case "response":
            let (waiter, reports) = lock.withLock {
                tellers[number] = nil
                return (waiting.removeValue(forKey: number), self.reports.removeValue(forKey: number))
            }
            resume(waiter, reports, row[5].isNull ? .success(row[4]) : .failure(MCPError(row[5].value)))
        case "progress":
            let reports = lock.withLock { self.reports[number] }
            if let reports, let report = try? row[2].decode(ProgressParams.self) { reports.add(report) }
        case "sent":
            lock.withLock { tellers[number] }?(row[2].string ?? "")
        case "cancel":
            wakeWriters()
            lock.withLock { asks[number] }?.cancel()
            host?.cancelled(number)
        case "writable":
            wakeWriters()
        case "ask":
            answer(number, row[2].string ?? "", row[3])
        default:
            if kind == "closed" { wakeWriters() }
            host?.event(kind, number, row)
        }
    }

    /// Ends the wait for an answer, after the reports that came before it. A failure waits for none of them:
    /// a program that gives up, or whose time is over, goes on at once.
    private func resume(_ waiter: CheckedContinuation<JSON, any Error>?, _ reports: Reports?, _ outcome: Result<JSON, any Error>) {
        guard let waiter else { return }
        if let reports, case .success = outcome { return reports.end { waiter.resume(with: outcome) } }
        reports?.drop()
        waiter.resume(with: outcome)
    }

    private func answer(_ number: UInt64, _ service: String, _ payload: JSON) {
        guard let host else { return fail(number, MCPError.connectionClosed) }
        lock.withLock {
            asks[number] = Task {
                do { finish(number, JSON(try await host.asked(service, payload.value).text)) } catch {
                    // The engine of this program asked, and has to know what failed.
                    complete(number, MCPError.wire(error, ofService: true))
                }
                lock.withLock { _ = asks.removeValue(forKey: number) }
            }
        }
    }

    /// Wakes all that wait for room.
    private func wakeWriters() {
        let all = lock.withLock {
            defer { writers = [:] }
            return Array(writers.values)
        }
        for writer in all { writer.resume(returning: .full) }
    }

    /// Ends everything that waits, because the inbox is closed.
    private func end() {
        let (all, others) = lock.withLock {
            over = true
            defer { (waiting, writers, reports, tellers) = ([:], [:], [:], [:]) }
            return (waiting.map { ($1, reports[$0]) }, Array(writers.values))
        }
        for (waiter, reports) in all { resume(waiter, reports, .failure(MCPError.connectionClosed)) }
        for writer in others { writer.resume(returning: .gone) }
    }

    // Called by hosts

    func finish(_ call: UInt64, _ result: JSON) { complete(Done(call, "result", result.text)) }

    func fail(_ call: UInt64, _ error: any Error) { complete(call, MCPError.wire(error)) }

    private func complete(_ call: UInt64, _ failure: Value) { complete(Done(call, "error", failure.text)) }

    /// Ends a call with questions; it starts again with the answers.
    func ask(_ call: UInt64, _ questions: Value) { complete(Done(call, "input", questions.text)) }

    /// Hands back an outcome. While one thread does so, others only add to the queue.
    private func complete(_ row: Done) {
        let first = lock.withLock {
            done.append(row)
            defer { flushing = true }
            return !flushing
        }
        while first {
            let rows = lock.withLock {
                defer { done = [] }
                flushing = !done.isEmpty
                return done
            }
            if rows.isEmpty { return }
            handBack(rows)
        }
    }

    private func handBack(_ rows: [Done]) {
        if (try? inbox.complete(outcomes: "[\(rows.map(\.text).joined(separator: ","))]")) != nil { return }
        // Each alone, so that what the engine cannot read, such as a result that is nested too deeply,
        // fails only its own call.
        for row in rows where (try? inbox.complete(outcomes: "[\(row.text)]")) == nil {
            // With a reason the message is shown to the client even if errors are masked.
            let error = MCPError.internalError("the call has no result: it is no JSON value that can be sent", data: ["reason": "unreadable"])
            _ = try? inbox.complete(outcomes: "[\(Done(row.call, "error", MCPError.wire(error).text).text)]")
        }
    }

    /// Sends a notification, waiting while the peer's queue is full. Cancelling the task ends the
    /// wait.
    func send(_ target: UInt64, _ method: String, _ params: JSON?) async throws {
        let params = params?.text
        var sent: EngineDelivery
        do { sent = try inbox.send(target: target, method: method, params: params) } catch { throw MCPError.of(error) }
        while sent == .full { sent = try await room(target, method, params) }
        if sent == .gone { throw MCPError.connectionClosed }
    }

    /// Sends a notification if there is room; otherwise waits until there may be, and returns
    /// `full`.
    private func room(_ target: UInt64, _ method: String, _ params: String?) async throws -> EngineDelivery {
        let number = lock.withLock {
            lastWriter += 1
            return lastWriter
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                lock.withLock {
                    do {
                        let sent = try inbox.send(target: target, method: method, params: params)
                        if sent != .full { return waiter.resume(returning: sent) }
                        if over { return waiter.resume(returning: .gone) }
                        // A cancellation after this check finds the waiting continuation.
                        try Task.checkCancellation()
                        writers[number] = waiter
                    } catch { waiter.resume(throwing: MCPError.of(error)) }
                }
            }
        } onCancel: {
            lock.withLock { writers.removeValue(forKey: number) }?.resume(throwing: CancellationError())
        }
    }

    /// Sends a request of the program's as `request` does, with a span around it if there is
    /// telemetry; `revision` is asked only then.
    func observed(
        _ target: UInt64, _ method: String, _ params: JSON?, _ plan: Value?, _ reports: Reports? = nil, revision: () -> String?
    ) async throws -> JSON {
        guard let observer else { return try await request(target, method, params, plan, reports) }
        let telling = Value.object((plan?.objectValue ?? [:]).merging(["sent": true]) { $1 })
        return try await observer.sending(method, params, revision()) { [self] in
            try await request(target, method, $0, telling, reports, $1)
        }
    }

    /// A request of the peer as telemetry sees it; nil if there is none.
    func handling(_ call: UInt64, _ method: String, _ params: JSON) -> Operation? {
        observer?.handling(method, params, inbox.describe(call: call))
    }

    /// Sends a request to the peer of a call or a connection.
    func request(
        _ target: UInt64, _ method: String, _ params: JSON?, _ plan: Value?, _ reports: Reports? = nil, _ teller: Teller? = nil
    ) async throws -> JSON {
        try await answer(reports, teller) {
            let id = try inbox.requestWith(target: target, method: method, params: params?.text, plan: plan?.text)
            park()
            return id
        }
    }

    /// Waits for the answer to the request that `begin` sends. Cancelling the task cancels the
    /// request.
    func answer(_ reports: Reports? = nil, _ teller: Teller? = nil, _ begin: () throws -> UInt64) async throws -> JSON {
        try Task.checkCancellation()
        let ticket = Ticket(inbox)
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { waiter in
                    lock.withLock {
                        do {
                            if over { throw MCPError.connectionClosed }
                            let id = try begin()
                            waiting[id] = waiter
                            (self.reports[id], tellers[id]) = (reports, teller)
                            ticket.begun(id)
                        } catch { waiter.resume(throwing: MCPError.of(error)) }
                    }
                }
            } onCancel: {
                ticket.cancel()
            }
        } catch let error as MCPError where error.kind == "cancelled" && Task.isCancelled {
            throw CancellationError()
        }
    }

    /// Parks a call that asked its client, after it had time to ask for more. Called under the
    /// lock.
    private func park() {
        if parking { return }
        parking = true
        Task { [weak self] in
            try? await Task.sleep(nanoseconds: 1_000_000)
            guard let self else { return }
            lock.withLock { parking = false }
            inbox.drained()
        }
    }
}

/// The outcome of a call, as it is handed back.
private struct Done {
    let call: UInt64
    let text: String

    /// `member` is how the call ended: `result`, `error` or `input`.
    init(_ call: UInt64, _ member: String, _ json: String) { (self.call, text) = (call, "{\"id\":\(call),\"\(member)\":\(json)}") }
}

/// A request that may be cancelled before it has a number.
private final class Ticket: @unchecked Sendable {
    private let inbox: EngineInbox
    private let lock = NSLock()
    private var id: UInt64?
    private var cancelled = false

    init(_ inbox: EngineInbox) { self.inbox = inbox }

    func begun(_ id: UInt64) {
        lock.withLock {
            self.id = id
            if cancelled { _ = inbox.cancel(request: id) }
        }
    }

    func cancel() {
        lock.withLock {
            cancelled = true
            if let id { _ = inbox.cancel(request: id) }
        }
    }
}
