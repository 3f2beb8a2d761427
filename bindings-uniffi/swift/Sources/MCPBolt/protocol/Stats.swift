// Counters as types. Must not know: what counts.

/// What was counted, at one moment; all counts begin with the server or the connection. Everything is
/// in `json`, and what is not there is zero: a connection that is over counts nothing any more.
public struct Stats: Hashable, Sendable {
    /// The counters by the engine's names, with those that have no property here.
    public let json: Value

    /// Open connections.
    public var connections: Int { count("connections") }
    /// Connections ever opened.
    public var connectionsTotal: Int { count("connectionsTotal") }
    /// Sessions that are agreed on and not over. The modern era has none on a server.
    public var sessions: Int { count("sessions") }
    /// Open event streams over HTTP, and open listen requests elsewhere. Of a client: open listen
    /// requests.
    public var streams: Int { count("streams") }
    /// Calls that are not answered yet.
    public var inFlight: Int { count("inFlight") }
    /// Bytes of messages that wait to be sent.
    public var queuedBytes: Int { count("queuedBytes") }
    /// Bytes of messages received.
    public var bytesIn: Int { count("bytesIn") }
    /// Bytes of messages sent.
    public var bytesOut: Int { count("bytesOut") }
    /// Messages dropped because a queue was full or their rate too high.
    public var dropped: Int { count("dropped") }
    /// Inputs that belonged to no request.
    public var problems: Int { count("problems") }
    /// Half of the calls took no longer, in seconds; nil before the first.
    public var p50: Double? { json["p50"]?.doubleValue }
    /// 99 of 100 calls took no longer, in seconds; nil before the first.
    public var p99: Double? { json["p99"]?.doubleValue }
    /// How many calls took no longer than what, from the shortest time to that without a bound.
    public var latency: [LatencyStep] {
        (json["latency"]?.arrayValue ?? []).map { LatencyStep(bound: $0[0]?.doubleValue, calls: $0[1]?.intValue ?? 0) }
    }
    /// Calls by method; methods of the program's own count as `other`.
    public var methods: [String: MethodStats] {
        (json["methods"]?.objectValue ?? [:]).mapValues { .init(calls: $0["calls"]?.intValue ?? 0, errors: $0["errors"]?.intValue ?? 0) }
    }
    /// Failed calls by `MCPError.kind`; kinds that never happened are absent.
    public var errors: [String: Int] { (json["errors"]?.objectValue ?? [:]).compactMapValues(\.intValue) }

    private func count(_ name: String) -> Int { json[name]?.intValue ?? 0 }

    /// From the engine's text; nil: nothing was counted.
    init(_ text: String?) { json = text.map { JSON($0).value } ?? [:] }
}

/// Calls of one method.
public struct MethodStats: Hashable, Sendable {
    /// Those that ended.
    public let calls: Int
    /// Those that ended with an error.
    public let errors: Int
}

/// A step of a histogram.
public struct LatencyStep: Hashable, Sendable {
    /// The longest time, in seconds; nil: all of them.
    public let bound: Double?
    /// How many calls took no longer.
    public let calls: Int
}
