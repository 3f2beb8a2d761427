// Requests and sessions as telemetry sees them. Owns: when each begins and ends, and that it is
// recorded once. Must not know: names and attributes, which the engine knows; what records them;
// handlers.
import Foundation
import MCPBoltEngine

/// What the engine says; nothing, if it does not know the question, which is a mistake in here.
private func decide(_ name: String, _ given: [String: Value] = [:]) -> Value {
    (try? decided { try telemetryDecision(name: name, arguments: Value.object(given).text) }) ?? .null
}

private func texts(_ value: Value?) -> [String: String] { (value?.objectValue ?? [:]).compactMapValues(\.stringValue) }

private let histograms = decide("histograms")

private func histogram(_ side: String, _ what: String) -> DurationHistogram {
    let row = histograms[side]?[what] ?? .null
    return DurationHistogram(
        name: row["name"]?.stringValue ?? "", description: row["description"]?.stringValue ?? "",
        unit: row["unit"]?.stringValue ?? "", bounds: (row["bounds"]?.arrayValue ?? []).compactMap { try? $0.decode(Double.self) })
}

private let ofServers = (operation: histogram("server", "operation"), session: histogram("server", "session"))
private let ofClients = (operation: histogram("client", "operation"), session: histogram("client", "session"))

/// Called with the id under which a request is sent.
typealias Teller = @Sendable (String) -> Void

/// The members of `_meta` that carry trace context.
private let carriers = ["traceparent", "tracestate", "baggage"]

private func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }

private func seconds(since began: UInt64) -> Double { Double(now() - began) / 1e9 }

/// Tells a program's telemetry of the requests and sessions of one server, or of one client's
/// connection.
final class Observer: @unchecked Sendable {
    private let telemetry: any Telemetry
    private let ofSessions: DurationHistogram
    /// Methods of extensions that the program declared.
    private let declared: Set<String>
    private let lock = NSLock()
    private var sessions: [UInt64: (revision: String?, since: UInt64)] = [:]

    /// `isServer`: whose sessions they are; both sides send and handle requests. `rows`: the methods
    /// of the program's extensions.
    init(_ telemetry: any Telemetry, isServer: Bool, rows: [Value]) {
        self.telemetry = telemetry
        ofSessions = isServer ? ofServers.session : ofClients.session
        declared = Set(rows.compactMap { $0["method"]?.stringValue })
    }

    /// A request of the peer is about to be handled; `known` is what the engine knows of it.
    func handling(_ method: String, _ params: JSON, _ known: String?) -> Operation {
        let known = known.map { JSON($0).value }
        let id = known?["id"].flatMap { $0.stringValue ?? ($0 == .null ? nil : $0.text) }
        return Operation(telemetry, .handled, request(method, params.value, known?["revision"]?.stringValue, id), params.value)
    }

    /// Sends a request: `send` gets the params with the context of its span in `_meta`, and what to
    /// call with the id under which they are sent.
    func sending(
        _ method: String, _ params: JSON?, _ revision: String?,
        _ send: @escaping @Sendable (JSON?, @escaping Teller) async throws -> JSON
    ) async throws -> JSON {
        let given = params?.value ?? .null
        let operation = Operation(telemetry, .sent, request(method, given, revision, nil), given)
        let carrying = operation.carrying(given).map { JSON($0.text) } ?? params
        do {
            let answer = try await operation.run { try await send(carrying) { operation.sentAs($0) } }
            operation.answered(answer)
            return answer
        } catch {
            operation.failed(error)
            throw error
        }
    }

    private func request(_ method: String, _ params: Value, _ revision: String?, _ id: String?) -> Value {
        var row: [String: Value] = ["method": .string(method), "declared": .bool(declared.contains(method))]
        for name in ["name", "uri"] { row[name] = params[name]?.stringValue.map(Value.string) }
        row["id"] = id.map(Value.string)
        row["revision"] = revision.map(Value.string)
        return .object(row)
    }

    func sessionBegan(_ connection: UInt64, _ revision: String?) {
        lock.withLock { if sessions[connection] == nil { sessions[connection] = (revision, now()) } }
    }

    /// A session is over, if one had begun. That one side closed it is no failure.
    func sessionEnded(_ connection: UInt64, _ error: MCPError? = nil) {
        guard let session = lock.withLock({ sessions.removeValue(forKey: connection) }) else { return }
        var given: [String: Value] = [:]
        given["revision"] = session.revision.map(Value.string)
        if let error, error.kind != "closed" { given["failure"] = ["type": .string(error.kind)] }
        let duration = MeasuredDuration(
            histogram: ofSessions, seconds: seconds(since: session.since), attributes: texts(decide("session", given)))
        telemetry.record(duration)
    }

    /// All sessions are over.
    func ended() { for connection in lock.withLock({ Array(sessions.keys) }) { sessionEnded(connection) } }
}

/// One request from its beginning to its end.
struct Operation: Sendable {
    private let kind: SpanDescription.Kind
    private let request: Value
    private let since = now()
    private let span: any TelemetrySpan

    init(_ telemetry: any Telemetry, _ kind: SpanDescription.Kind, _ request: Value, _ params: Value) {
        (self.kind, self.request) = (kind, request)
        let began = decide("began", ["request": request])
        let context = texts(params["_meta"]).filter { carriers.contains($0.key) }
        span = telemetry.begin(
            SpanDescription(
                name: began["name"]?.stringValue ?? "", kind: kind, attributes: texts(began["attributes"]), context: context))
    }

    /// Runs code with the span as the current one.
    func run<R: Sendable>(_ body: @Sendable () async throws -> R) async throws -> R { try await span.run(body) }

    /// The request goes to the other side under this id.
    func sentAs(_ id: String) { span.add(texts(decide("sent", ["id": .string(id)]))) }

    /// The params with the span's context; nil if the program gave its own, or there is none.
    func carrying(_ params: Value) -> Value? {
        let meta = params["_meta"]?.objectValue ?? [:]
        let context = span.context.filter { carriers.contains($0.key) }
        if meta["traceparent"] != nil || context.isEmpty { return nil }
        let carried = meta.merging(context.mapValues(Value.string)) { $1 }
        return .object((params.objectValue ?? [:]).merging(["_meta": .object(carried)]) { $1 })
    }

    /// The answer is a result, which may say that a tool failed.
    func answered(_ result: JSON) {
        let isCall = request["method"] == .string(CallTool.name)
        end(isCall && result.value["isError"] == true ? [:] : nil)
    }

    /// The handler asked its client something, and begins again with the answers.
    func parked() { end(nil) }

    /// The handler threw `error`; the peer gets `told`.
    func refused(_ error: any Error, _ told: any Error) {
        if error is CancellationError { return end(["type": "cancelled"]) }
        var failure: [String: Value] = [:]
        failure["code"] = MCPError.wire(told)["code"]
        // What was not meant for the peer is named by its type, as the program threw it.
        if !(MCPError.of(error) is MCPError) { failure["type"] = .string(String(reflecting: type(of: error))) }
        end(failure)
    }

    /// There is no result.
    func failed(_ error: any Error) {
        if error is CancellationError { return end(["type": "cancelled"]) }
        guard let known = MCPError.of(error) as? MCPError else { return end(["type": .string(String(reflecting: type(of: error)))]) }
        end(known.isLocal ? ["type": .string(known.kind)] : ["code": .int(known.code)])
    }

    private func end(_ failure: [String: Value]?) {
        let ended = decide("ended", ["request": request, "failure": failure.map(Value.object) ?? .null])
        let histogram = (kind == .handled ? ofServers : ofClients).operation
        let duration = MeasuredDuration(histogram: histogram, seconds: seconds(since: since), attributes: texts(ended["duration"]))
        span.end(failure: failure == nil ? nil : texts(ended["span"]), duration: duration)
    }
}
