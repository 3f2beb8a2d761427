// What a program may choose for one request, on either side. Must not know: who sends it.

/// Options of one request. Times are seconds.
public struct RequestOptions: Sendable {
    /// How long to wait for an answer or progress; if nil, the client's default.
    public var timeout: Double?
    /// How long to wait in all, whatever progress says, but no less than `timeout`; if nil, the
    /// client's default.
    public var max: Double?
    /// Whether progress restarts the timeout. Yes, if nothing is said.
    public var resetOnProgress: Bool
    /// The least level of the log messages that the request may cause (2026-07-28); none are asked for
    /// if it is nil.
    public var logLevel: LoggingLevel?
    /// Headers that go with the request of a client over HTTP; those of the protocol stay as they are.
    public var headers: [String: String]
    /// Whether the server is asked although a kept result is still good. No, if nothing is said.
    public var fresh: Bool
    /// Further options of the engine by name: `repeatable`, `input`. They come before the properties.
    public var more: [String: Value]
    /// Called with progress reports, one after another, before the request returns. One that blocks holds
    /// up this request and no other. Once 10,000 reports wait for it, further ones are dropped.
    public var onProgress: (@Sendable (ProgressParams) -> Void)?
    /// The program's own token of the request. Reports are told with it, as notifications too; on the
    /// wire the request has one of the engine's.
    var token: ProgressToken?
    /// Creates options; without any the client's own apply.
    public init(
        timeout: Double? = nil, max: Double? = nil, resetOnProgress: Bool = true, logLevel: LoggingLevel? = nil,
        headers: [String: String] = [:], fresh: Bool = false, more: [String: Value] = [:],
        onProgress: (@Sendable (ProgressParams) -> Void)? = nil
    ) {
        (self.timeout, self.max, self.resetOnProgress, self.logLevel) = (timeout, max, resetOnProgress, logLevel)
        (self.headers, self.fresh, self.more, self.onProgress) = (headers, fresh, more, onProgress)
    }
    var plan: Value? {
        var plan: [String: Value] = [:]
        (plan["timeout"], plan["max"]) = (timeout.map(Value.double), max.map(Value.double))
        if !resetOnProgress { plan["reset_on_progress"] = false }
        plan["log_level"] = logLevel.map { .string($0.rawValue) }
        if !headers.isEmpty { plan["headers"] = .array(headers.map { [.string($0.key), .string($0.value)] }) }
        if fresh { plan["fresh"] = true }
        if onProgress != nil || token != nil { plan["progress"] = true }
        plan.merge(more) { $1 }
        return plan.isEmpty ? nil : .object(plan)
    }
}
