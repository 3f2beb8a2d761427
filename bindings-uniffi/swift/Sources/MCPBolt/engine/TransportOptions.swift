// What may be chosen for the transports whose bytes the engine carries, as types. What is nil is the
// engine's default; times are seconds. Must not know: the transports.

/// Options of a server that the engine starts. Those that have no property here are in `more`: a literal
/// such as `["stderr": "capture"]` has nothing else.
public struct StdioOptions: Hashable, Sendable {
    /// Which environment variables a server inherits.
    public enum Inherit: String, Hashable, Sendable {
        /// Those that do no harm, such as `PATH` and `HOME`. The default.
        case allowList = "allow_list"
        /// All of them, with the secrets in them.
        case all
        /// None.
        case nothing
    }

    /// Where the standard error of a server goes.
    public enum Stderr: Hashable, Sendable {
        /// Where that of this process goes. The default.
        case inherit
        /// Nowhere.
        case discard
        /// Into the error of a server that failed: its last lines.
        case capture
        /// Into the file at this path, at its end.
        case file(String)

        fileprivate var value: Value {
            switch self {
            case .inherit: "inherit"
            case .discard: "null"
            case .capture: "capture"
            case .file(let path): ["file": .string(path)]
            }
        }
    }

    /// How often a server that ended is started again.
    public struct Restart: Hashable, Sendable {
        /// How many times in a row.
        public var max: Int
        /// How long to wait before each, in seconds.
        public var backoff: Double
        /// Up to `max` times in a row, each after `backoff` seconds.
        public init(max: Int = 3, backoff: Double = 0.5) { (self.max, self.backoff) = (max, backoff) }
    }

    /// The folder that the server runs in; that of this process, if it is nil.
    public var cwd: String?
    /// Which environment variables it inherits.
    public var inherit: Inherit?
    /// Where its standard error goes.
    public var stderr: Stderr?
    /// How often it is started again; not at all, if it is nil.
    public var restart: Restart?
    /// How long it may take to end once its input is closed. The default is 2.
    public var closeGrace: Double?
    /// How long it may take to end once it was asked to; then it is killed. The default is 2.
    public var killGrace: Double?
    /// The longest message that is taken, in bytes. The default is 64 MiB.
    public var maxMessageBytes: Int?
    /// Options of the engine by name. They come before the properties.
    public var more: [String: Value]

    /// The engine's defaults.
    public init() { self.init(more: [:]) }
    /// Creates options; what is nil is the engine's default.
    public init(
        cwd: String? = nil, inherit: Inherit? = nil, stderr: Stderr? = nil, restart: Restart? = nil, closeGrace: Double? = nil,
        killGrace: Double? = nil, maxMessageBytes: Int? = nil, more: [String: Value] = [:]
    ) {
        (self.cwd, self.inherit, self.stderr, self.restart) = (cwd, inherit, stderr, restart)
        (self.closeGrace, self.killGrace) = (closeGrace, killGrace)
        (self.maxMessageBytes, self.more) = (maxMessageBytes, more)
    }

    /// As the engine reads them.
    var members: [String: Value] {
        var all: [String: Value] = [:]
        all["cwd"] = cwd.map(Value.string)
        all["inherit"] = inherit.map { .string($0.rawValue) }
        all["stderr"] = stderr?.value
        all["restart"] = restart.map { ["max": .int($0.max), "backoff": .double($0.backoff)] }
        all["close_grace"] = closeGrace.map(Value.double)
        all["kill_grace"] = killGrace.map(Value.double)
        all["max_message_bytes"] = maxMessageBytes.map(Value.int)
        return all.merging(more) { $1 }
    }
}

/// Options of a server that is reached over HTTP; they hold for its authorization server, too. Those that
/// have no property here are in `more`: a literal such as `["connect_timeout": 5]` has nothing else.
public struct HTTPOptions: Hashable, Sendable {
    /// The way to a server.
    public enum Proxy: Hashable, Sendable {
        /// As the environment says (`HTTPS_PROXY`, `NO_PROXY` and so on), and straight to loopback
        /// addresses.
        case system
        /// None.
        case off
        /// This one: `http://proxy.example.com:3128`.
        case at(String)

        fileprivate var value: Value {
            switch self {
            case .system: "system"
            case .off: "off"
            case .at(let url): .string(url)
            }
        }
    }

    /// How a connection that was lost is opened again.
    public struct Reconnect: Hashable, Sendable {
        /// The first wait, unless the server names one. The default is 1.
        public var initial: Double?
        /// The longest wait, unless the server names a longer one. The default is 30.
        public var max: Double?
        /// Fruitless attempts in a row after which a request fails. The default is 5.
        public var attempts: Int?
        /// The same for the stream of messages that belong to no request; without end by default.
        public var streamAttempts: Int?
        /// Each wait in percent of the one before; by default it doubles, with a little at random.
        public var growthPercent: Int?

        /// What is nil is the engine's default.
        public init(
            initial: Double? = nil, max: Double? = nil, attempts: Int? = nil, streamAttempts: Int? = nil, growthPercent: Int? = nil
        ) {
            (self.initial, self.max, self.attempts) = (initial, max, attempts)
            (self.streamAttempts, self.growthPercent) = (streamAttempts, growthPercent)
        }

        fileprivate var value: Value {
            var all: [String: Value] = [:]
            (all["initial"], all["max"]) = (initial.map(Value.double), max.map(Value.double))
            (all["attempts"], all["stream_attempts"]) = (attempts.map(Value.int), streamAttempts.map(Value.int))
            all["growth_percent"] = growthPercent.map(Value.int)
            return .object(all)
        }
    }

    /// What a client shows servers that want a certificate.
    public struct ClientCertificate: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
        /// The chain, as PEM.
        public var certificate: String
        /// The private key, as PEM. It is in no message.
        public var key: String
        /// With a chain and its key, both as PEM.
        public init(certificate: String, key: String) { (self.certificate, self.key) = (certificate, key) }
        /// Without the key.
        public var description: String { "ClientCertificate" }
        /// Without the key.
        public var customMirror: Mirror { Mirror(self, children: ["certificate": certificate]) }
    }

    /// Certificates that are trusted beside those of the system, as PEM.
    public var ca: String?
    /// Whether those of the system are trusted. Yes, if nothing is said.
    public var systemRoots: Bool
    /// The certificate that is shown to servers that want one.
    public var clientCertificate: ClientCertificate?
    /// The way to the server. `system`, if it is nil.
    public var proxy: Proxy?
    /// How a connection that was lost is opened again.
    public var reconnect: Reconnect?
    /// How long a connection may take to open.
    public var connectTimeout: Double?
    /// How long the end of a session may take.
    public var closeTimeout: Double?
    /// The longest message that is taken, in bytes. The default is 64 MiB.
    public var maxMessageBytes: Int?
    /// Whether the session is deleted at the end. Yes, if nothing is said.
    public var endSession: Bool
    /// Options of the engine by name. They come before the properties.
    public var more: [String: Value]

    /// The engine's defaults.
    public init() { self.init(more: [:]) }
    /// Creates options; what is nil is the engine's default.
    public init(
        ca: String? = nil, systemRoots: Bool = true, clientCertificate: ClientCertificate? = nil, proxy: Proxy? = nil,
        reconnect: Reconnect? = nil, connectTimeout: Double? = nil, closeTimeout: Double? = nil, maxMessageBytes: Int? = nil,
        endSession: Bool = true, more: [String: Value] = [:]
    ) {
        (self.ca, self.systemRoots, self.clientCertificate) = (ca, systemRoots, clientCertificate)
        (self.proxy, self.reconnect) = (proxy, reconnect)
        (self.connectTimeout, self.closeTimeout) = (connectTimeout, closeTimeout)
        (self.maxMessageBytes, self.endSession, self.more) = (maxMessageBytes, endSession, more)
    }

    /// As the engine reads them.
    var members: [String: Value] {
        var all: [String: Value] = ["system_roots": .bool(systemRoots), "end_session": .bool(endSession)]
        all["ca"] = ca.map(Value.string)
        all["client_certificate"] = clientCertificate.map { ["certificate": .string($0.certificate), "key": .string($0.key)] }
        all["proxy"] = proxy?.value
        all["reconnect"] = reconnect?.value
        all["connect_timeout"] = connectTimeout.map(Value.double)
        all["close_timeout"] = closeTimeout.map(Value.double)
        all["max_message_bytes"] = maxMessageBytes.map(Value.int)
        return all.merging(more) { $1 }
    }
}

extension StdioOptions: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, Value)...) { self.init(more: Dictionary(elements) { $1 }) }
}

extension HTTPOptions: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, Value)...) { self.init(more: Dictionary(elements) { $1 }) }
}
