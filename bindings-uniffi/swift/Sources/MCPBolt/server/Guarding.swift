// Guard rails carried out. Owns: how the answers of a program's functions reach the engine, which
// calls them, waits for them and enforces what they return. Must not know: handlers.

/// The guard rails of one server, in the form in which the engine calls them.
struct Guarding: Sendable {
    private let rails: GuardRails
    private let line = Line()
    /// The engine's options, with those that make it call the functions.
    let options: [String: Value]

    init(_ rails: GuardRails, _ given: [String: Value]) {
        var made: [String: Value] = ["error_detail": .string(rails.errorDetail.rawValue)]
        if rails.authorize != nil { made["authorize"] = true }
        if rails.sanitizeResult != nil { made["sanitize_result"] = true }
        made.merge(given) { $1 }
        if let audit = rails.audit {
            var records = given["audit"]?.objectValue ?? [:]
            if case .file(let path) = audit { records["path"] = .string(path) } else { records["service"] = true }
            made["audit"] = .object(records)
        }
        (self.rails, options) = (rails, made)
    }

    /// Answers a service that the engine calls; nil if it is not a guard rail.
    func answer(_ service: String, _ payload: Value) async throws -> Value? {
        do {
            switch (service, rails.authorize, rails.sanitizeResult, rails.audit) {
            case ("server.authorize", let authorize?, _, _):
                let asker = try (payload["asker"] ?? .null).decode(GuardRails.Asker.self)
                var verdicts: [Value] = []
                for action in try (payload["actions"] ?? .null).decode([GuardRails.Action].self) {
                    switch try await authorize(asker, action) {
                    case .allow: verdicts.append("allow")
                    case .hide: verdicts.append("hide")
                    case .deny(let reason): verdicts.append(["deny": .string(reason)])
                    }
                }
                return .array(verdicts)
            case ("result.sanitize", _, let sanitize?, _):
                return try await sanitize(payload["method"]?.stringValue ?? "", payload["name"]?.stringValue, payload["result"] ?? .null)
            case ("audit.record", _, _, .each(let told, let take)?):
                try await line.run {
                    guard let lost = payload["lost"]?.intValue else { return try await take(AuditRecord(payload)) }
                    if let told { return try await told(lost) }
                    failed(service, MCPError.overloaded("\(lost) records were lost: the function is too slow for them"))
                }
                return .null
            default:
                return nil
            }
        } catch {
            failed(service, error)
            throw error
        }
    }

    /// Tells the program that a function of its own failed.
    func failed(_ service: String, _ error: any Error) {
        // The task that cancelled the wait knows about it.
        if !(error is CancellationError) { rails.onInternalError("\(service) failed", error) }
    }

    /// The message that a client gets for an error that was not meant for it.
    func shown(_ error: any Error, _ place: String) -> String {
        guard options["error_detail"] == "masked" else { return MCPError.describe(error) }
        let number = String(UInt64.random(in: 0 ... .max), radix: 16)
        let words = "internal error (id \(String(repeating: "0", count: 16 - number.count))\(number))"
        rails.onInternalError("\(words) in \(place)", error)
        return words
    }

    /// The error that a call ends with; one meant for the client is kept.
    func covered(_ error: any Error, _ place: String) -> any Error {
        if options["error_detail"] != "masked" || error is CancellationError { return error }
        // Programs act on a reason.
        if let known = MCPError.of(error) as? MCPError {
            // A cancelled request of the handler is not an internal error.
            if known.kind == "cancelled" || known.code != -32603 || known.data?["reason"] != nil { return error }
        }
        return MCPError.internalError(shown(error, place))
    }
}

/// Runs one task after another.
private actor Line {
    private var last: Task<Void, any Error>?

    func run(_ body: @escaping @Sendable () async throws -> Void) async throws {
        let before = last
        let mine = Task {
            _ = await before?.result
            try await body()
        }
        last = mine
        try await mine.value
    }
}
