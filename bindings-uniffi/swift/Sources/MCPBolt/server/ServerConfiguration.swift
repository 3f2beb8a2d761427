// What a program chooses for a server. Must not know: what is done with it.

/// Where a server keeps tasks.
public enum Stores: Hashable, Sendable {
    /// In memory: they end with the process.
    case memory
    /// In the file at this path, which outlasts the process; one process has it at a time, and it is made
    /// if it is not there. Not in the library for phones.
    case file(String)

    fileprivate var word: String {
        switch self {
        case .memory: "memory"
        case .file(let path): "file:\(path)"
        }
    }
}

/// How often something may be asked for; more is refused (429 over HTTP), with the time to wait.
public struct RateLimit: Hashable, Sendable {
    /// Whose requests count together.
    public enum Per: String, Hashable, Sendable {
        /// Those of all clients.
        case server
        /// Those of a session.
        case session
        /// Those of a user, or of an address where nobody is known.
        case principal
        /// Those for one tool.
        case tool
    }

    /// Which methods count, together, by name: `CallTool.name`.
    public var methods: [String]
    /// Whose requests count together.
    public var per: Per
    /// How many a second, in the long run.
    public var rate: Double
    /// How many at once.
    public var burst: Int

    /// `rate` requests a second for these methods, and `burst` at once.
    public init(_ methods: [String], per: Per, rate: Double, burst: Int) {
        (self.methods, self.per, self.rate, self.burst) = (methods, per, rate, burst)
    }

    fileprivate var value: Value {
        ["methods": .array(methods.map(Value.string)), "per": .string(per.rawValue), "rate": .double(rate), "burst": .int(burst)]
    }
}

extension Server {
    /// How a server behaves.
    public struct Configuration: Hashable, Sendable {
        /// The engine's own options, and tasks in memory.
        public static let `default` = Configuration()
        /// The default: the engine is always strict.
        public static let strict = Configuration()

        /// How many items one result of a list has; all of them, if it is nil.
        public var pageSize: Int?
        /// Seconds that a handler may take; then its call fails. No limit, if it is nil.
        public var timeout: Double?
        /// How many calls run at once; more are refused. No limit but those of the engine, if it is nil.
        public var maxConcurrency: Int?
        /// How often what may be asked for. No limit, if there is none.
        public var rateLimits: [RateLimit]
        /// Further options of the engine by name, such as `max_in_flight`, `max_result_bytes`. They come
        /// before the properties.
        public var options: [String: Value]
        /// Where tasks are kept; in memory, if it is nil.
        public var stores: Stores?

        /// Creates a configuration; wrong options are told when the server starts.
        public init(
            pageSize: Int? = nil, timeout: Double? = nil, maxConcurrency: Int? = nil, rateLimits: [RateLimit] = [],
            options: [String: Value] = [:], stores: Stores? = nil
        ) {
            (self.pageSize, self.timeout, self.maxConcurrency) = (pageSize, timeout, maxConcurrency)
            (self.rateLimits, self.options, self.stores) = (rateLimits, options, stores)
        }

        /// As the engine reads them.
        var members: [String: Value] {
            var all: [String: Value] = [:]
            (all["page_size"], all["max_concurrency"]) = (pageSize.map(Value.int), maxConcurrency.map(Value.int))
            all["timeout"] = timeout.map(Value.double)
            if !rateLimits.isEmpty { all["rate_limit"] = .array(rateLimits.map(\.value)) }
            all["stores"] = stores.map { .string($0.word) }
            return all.merging(options) { $1 }
        }
    }
}
