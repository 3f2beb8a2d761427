// What a program chooses for a client. Must not know: what is done with it.

/// Which era of the protocol a client begins with, or a revision: a text such as `"2025-11-25"`.
public struct ProtocolPolicy: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The modern era (2026-07-28) if the server has it, and the legacy one if not.
    public static let auto = ProtocolPolicy("auto")
    /// The legacy era, as the official package; then the modern one with servers that speak nothing else.
    public static let legacy = ProtocolPolicy("legacy")
    /// The modern era, or none.
    public static let modern = ProtocolPolicy("modern")
    /// The word, or the revision.
    public let rawValue: String

    /// A revision, or a word of the engine's.
    public init(_ word: String) { rawValue = word }
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }
}

extension Client {
    /// How a client connects and what it checks.
    public struct Configuration: Hashable, Sendable {
        /// Asks whatever the program asks, and begins as the official package does.
        public static let `default` = Configuration()
        /// Refuses requests for capabilities that the server did not declare.
        public static let strict = Configuration(strict: true)

        /// Looks whether the server is still there while nothing comes from it. Times are seconds.
        public struct KeepAlive: Hashable, Sendable {
            /// How long nothing may come before the server is asked.
            public var interval: Double
            /// How long its answer may take; then the connection is lost: a process is ended and started
            /// again if ``StdioOptions/restart`` says so, else the connection is over.
            public var timeout: Double
            /// Asks after `interval` seconds of silence, and waits `timeout` for the answer.
            public init(interval: Double, timeout: Double) { (self.interval, self.timeout) = (interval, timeout) }
        }

        /// Whether a request for a capability that the server did not declare fails here, and is not
        /// sent. No, if nothing is said.
        public var strict: Bool
        /// Which era or revision is asked for. If nil, the environment variable `MCPBOLT_PROTOCOL`
        /// decides, else `legacy`.
        public var protocolVersion: ProtocolPolicy?
        /// Seconds that a request waits unless its options say otherwise; progress restarts it. The
        /// default is 60, and a minute more than the browser may take for a client that signs a user in.
        public var requestTimeout: Double?
        /// Asks a server that is silent whether it is still there. Nobody asks, if it is nil.
        public var keepAlive: KeepAlive?
        /// Whether results are kept for as long as the server allows. Yes, if nothing is said.
        public var cache: Bool
        /// Further options of the engine by name, such as `max_in_flight`, `max_pages`,
        /// `max_result_bytes`. They come before the properties.
        public var options: [String: Value]
        /// Whether servers may answer a tool call with a task (2026-07-28). `callTool` then goes on
        /// until the task is over and returns its result; what it asks meanwhile goes to the
        /// client's handlers. `startTool` returns the task instead.
        public var tasks: Bool

        /// Creates a configuration; the defaults are those of the properties.
        public init(
            strict: Bool = false, protocolVersion: ProtocolPolicy? = nil, requestTimeout: Double? = nil, keepAlive: KeepAlive? = nil,
            cache: Bool = true, options: [String: Value] = [:], tasks: Bool = false
        ) {
            (self.strict, self.protocolVersion) = (strict, protocolVersion)
            (self.requestTimeout, self.keepAlive, self.cache) = (requestTimeout, keepAlive, cache)
            (self.options, self.tasks) = (options, tasks)
        }

        /// As the engine reads them.
        var members: [String: Value] {
            var all: [String: Value] = [:]
            all["request_timeout"] = requestTimeout.map(Value.double)
            all["keep_alive"] = keepAlive.map { ["interval": .double($0.interval), "timeout": .double($0.timeout)] }
            if !cache { all["cache"] = false }
            return all.merging(options) { $1 }
        }
    }
}
