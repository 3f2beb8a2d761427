// What a program may choose for one request, on either side. Must not know: who sends it.

/// Options of one request.
public struct RequestOptions: Sendable {
    /// Seconds without an answer or progress; if nil, the client's default.
    public var timeout: Double?
    /// Further options of the engine: `max`, `reset_on_progress`, `log_level`, `repeatable`,
    /// `fresh`.
    public var more: [String: Value]
    /// Called with progress reports, in order.
    public var onProgress: (@Sendable (ProgressParams) -> Void)?
    /// Creates options; without any the client's own apply.
    public init(
        timeout: Double? = nil, more: [String: Value] = [:], onProgress: (@Sendable (ProgressParams) -> Void)? = nil
    ) {
        (self.timeout, self.more, self.onProgress) = (timeout, more, onProgress)
    }
    var plan: Value? {
        var plan = more
        plan["timeout"] = timeout.map(Value.double)
        if onProgress != nil { plan["progress"] = true }
        return plan.isEmpty ? nil : .object(plan)
    }
}
