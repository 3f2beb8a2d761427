// What a program watches servers and clients with. Must not know: any library of telemetry.

/// Receives a span of each request and the durations of requests and sessions, by OpenTelemetry's
/// semantic conventions for MCP. Names and attributes are made already; the guide has an
/// implementation for swift-distributed-tracing and swift-metrics. It is given to servers and clients
/// as `telemetry`.
public protocol Telemetry: Sendable {
    /// Begins the span of a request that is about to be sent, or to be handled. Must not wait.
    func begin(_ span: SpanDescription) -> any TelemetrySpan
    /// Records how long a session lasted, when it has ended. Must not wait.
    func record(_ duration: MeasuredDuration)
}

/// The span of one request.
public protocol TelemetrySpan: Sendable {
    /// What carries the span to the peer, as members of `_meta`: `traceparent`, and if there are any
    /// `tracestate` and `baggage`. Nothing does, if it is empty.
    var context: [String: String] { get }
    /// Adds what became known since the span began: of a request that is sent, its id, which each round
    /// of questions changes. A span without this method leaves it out.
    func add(_ attributes: [String: String])
    /// Runs `body`, exactly once, with the span as the current one: spans that are made inside are
    /// its children.
    func run<R: Sendable>(_ body: @Sendable () async throws -> R) async throws -> R
    /// Ends the span and records its duration; called once. `failure`: the attributes that say how
    /// the request failed; nil if it did not.
    func end(failure: [String: String]?, duration: MeasuredDuration)
}

extension TelemetrySpan {
    /// Leaves the attributes out.
    public func add(_: [String: String]) {}
}

/// A request as its span describes it.
public struct SpanDescription: Hashable, Sendable {
    /// The side of a request.
    public enum Kind: Hashable, Sendable {
        /// This side handles the request.
        case handled
        /// This side sends the request.
        case sent
    }

    /// The method and the tool or prompt that is meant: `tools/call add`.
    public let name: String
    /// Whether this side handles the request or sends it.
    public let kind: Kind
    /// `mcp.method.name` and the like, by their names.
    public let attributes: [String: String]
    /// The trace context that came with the request in `_meta`, or that the program gave it:
    /// `traceparent`, `tracestate`, `baggage`. A peer may have written anything.
    public let context: [String: String]
}

/// How long something took, for a histogram.
public struct MeasuredDuration: Hashable, Sendable {
    /// The histogram.
    public let histogram: DurationHistogram
    /// The time in seconds.
    public let seconds: Double
    /// The attributes, by their names; of each there are few values.
    public let attributes: [String: String]
}

/// A histogram of durations. There are four of them.
public struct DurationHistogram: Hashable, Sendable {
    /// Its name: `mcp.server.operation.duration`.
    public let name: String
    /// What it measures, in a sentence.
    public let description: String
    /// The unit: `s`.
    public let unit: String
    /// The upper bounds of its buckets, in `unit`.
    public let bounds: [Double]
}
