// Questions that a call ends with. Must not know: how the call is run again.

/// Thrown by a handler to be run again, from the top, with answers to these questions. The answers
/// are in `HandlerContext.inputResponses`; `state`, which the engine seals, is in `requestState`.
/// Nothing waits on the server meanwhile.
public struct Questions: Error, Sendable {
    let row: Value
    /// Creates questions under names that the handler chooses.
    public init(_ questions: [String: InputRequest], state: String? = nil) {
        let rows = questions.sorted { $0.key < $1.key }.map { key, asked in
            Value.array([.string(key), .string(asked.method), asked.params.map(Value.object) ?? .null])
        }
        var row: [String: Value] = ["questions": .array(rows)]
        row["state"] = state.map(Value.string)
        self.row = .object(row)
    }
}

extension InputRequest {
    /// Creates a question from a request: a form or a URL, sampling, or the roots.
    public init<M: Method>(_ request: Request<M>) throws {
        self.init(method: M.name, params: try Value(request.params).objectValue)
    }
}
