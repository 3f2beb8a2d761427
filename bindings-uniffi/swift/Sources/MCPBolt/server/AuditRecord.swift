// What is written down of a request. Must not know: where it goes.

/// Who called what, when, and how it ended; never with which arguments.
public struct AuditRecord: Hashable, Sendable {
    /// All of it, by the engine's names.
    public let json: Value

    /// When the request arrived, in microseconds since 1970.
    public var time: Int { json["time"]?.intValue ?? 0 }
    /// The number of its connection or session in this process.
    public var session: Int { json["session"]?.intValue ?? 0 }
    /// Who sent it, if credentials were checked.
    public var principal: String? { json["principal"]?.stringValue }
    /// Name and version that the client gives itself.
    public var client: String? { json["client"]?.stringValue }
    /// The method's name.
    public var method: String { json["method"]?.stringValue ?? "" }
    /// The tool or prompt, or the URI of the resource.
    public var name: String? { json["name"]?.stringValue }
    /// `sha256:` and the digest of the arguments in canonical form, in hexadecimal.
    public var arguments: String? { json["arguments"]?.stringValue }
    /// How it ended.
    public var outcome: Outcome { Outcome(rawValue: json["outcome"]?.stringValue ?? "") }
    /// From arrival to answer, in seconds.
    public var duration: Double { (json["duration"]?.doubleValue ?? 0) / 1e6 }
    /// Size of the result or error, in bytes.
    public var bytes: Int { json["bytes"]?.intValue ?? 0 }

    /// How a request ended. Outcomes of later versions are kept.
    public struct Outcome: RawRepresentable, Hashable, Sendable {
        /// With a result.
        public static let result = Outcome(rawValue: "result")
        /// With a result that tells the model of a failure.
        public static let toolError = Outcome(rawValue: "tool_error")
        /// With questions to the client; its retry is a request of its own.
        public static let inputRequired = Outcome(rawValue: "input_required")
        /// With an error.
        public static let error = Outcome(rawValue: "error")
        /// With nothing: it was cancelled, or its connection ended.
        public static let cancelled = Outcome(rawValue: "cancelled")
        /// The engine's word.
        public let rawValue: String

        /// Any word.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    init(_ json: Value) { self.json = json }
}
