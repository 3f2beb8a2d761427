// What may be chosen for a server over HTTP on the engine's own threads, as types. What is nil is the
// engine's default; times are seconds. Must not know: the server.

/// Options of a server over HTTP. Those that have no property here are in `more`: a literal such as
/// `["verify": true]` has nothing else.
public struct HTTPServerOptions: Hashable, Sendable {
    /// How answers are written.
    public enum Response: String, Hashable, Sendable {
        /// As JSON, and as an event stream where there is more to say than the answer. The default.
        case auto
        /// As JSON: progress and questions of a call do not reach its client.
        case json
        /// As an event stream.
        case sse
    }

    /// When an answer that is not there yet becomes a stream.
    public enum StreamAfter: Hashable, Sendable {
        /// After this time. The default is 100 ms.
        case milliseconds(Int)
        /// Not before there is something to say.
        case never
    }

    /// A certificate of a server.
    public struct TLSFiles: Hashable, Sendable {
        /// The path of the file with the chain, as PEM.
        public var certificate: String
        /// The path of the file with the private key, as PEM.
        public var key: String
        /// With the paths of both files.
        public init(certificate: String, key: String) { (self.certificate, self.key) = (certificate, key) }
    }

    /// Where the endpoint is. The default is `/mcp`.
    public var path: String?
    /// Whether clients of 2024 are served too, at `/sse`. Yes, if nothing is said.
    public var sse: Bool
    /// Whether legacy clients have sessions. Yes, if nothing is said.
    public var sessions: Bool
    /// How answers are written.
    public var response: Response
    /// When an answer that is not there yet becomes a stream.
    public var streamAfter: StreamAfter?
    /// The hosts that requests may be for: `tools.example.com`, `*.example.com`, `example.com:8080`,
    /// `127.0.0.1:*`; without a port, the standard ones. By default the names of this machine on a
    /// loopback address, else any.
    public var allowedHosts: [String]
    /// The origins that pages may be of, such as `https://example.com`. By default those of this
    /// machine on a loopback address, else none.
    public var allowedOrigins: [String]
    /// Whether pages of allowed origins may read answers. No, if nothing is said.
    public var cors: Bool
    /// The certificate; HTTP without TLS if it is nil.
    public var tls: TLSFiles?
    /// Addresses and networks, such as `10.0.0.0/8`, whose `Forwarded` and `X-Forwarded-For` are
    /// believed. None, if nothing is said.
    public var trustedProxies: [String]
    /// How often a stream without events says that it is there. The default is 15.
    public var keepAlive: Double?
    /// The path of a page that says whether the server is well (200, or 503 while it ends).
    public var health: String?
    /// The path of a page that says whether it takes new clients.
    public var ready: String?
    /// The path of the counters as Prometheus' text, for who may use the server.
    public var metrics: String?
    /// How long all is served while `health` and `ready` say 503 already.
    public var shutdownDelay: Double?
    /// How long calls may go on once the listener was stopped. The default is 10.
    public var drain: Double?
    /// How long a session may live on `initialize` alone. The default is 30.
    public var halfOpen: Double?
    /// How long a connection may stay open without a request. The default is 300.
    public var idle: Double?
    /// Whether the function of `Server.withVerifier` is asked who sent a request. No, if nothing is
    /// said.
    public var verify: Bool
    /// Options of the engine by name. They come before the properties.
    public var more: [String: Value]

    /// The engine's defaults.
    public init() { self.init(more: [:]) }
    /// Creates options; the defaults are those of the properties.
    public init(
        path: String? = nil, sse: Bool = true, sessions: Bool = true, response: Response = .auto, streamAfter: StreamAfter? = nil,
        allowedHosts: [String] = [], allowedOrigins: [String] = [], cors: Bool = false, tls: TLSFiles? = nil,
        trustedProxies: [String] = [], keepAlive: Double? = nil, health: String? = nil, ready: String? = nil,
        metrics: String? = nil, shutdownDelay: Double? = nil, drain: Double? = nil, halfOpen: Double? = nil, idle: Double? = nil,
        verify: Bool = false, more: [String: Value] = [:]
    ) {
        (self.path, self.sse, self.sessions, self.response, self.streamAfter) = (path, sse, sessions, response, streamAfter)
        (self.allowedHosts, self.allowedOrigins, self.cors, self.tls) = (allowedHosts, allowedOrigins, cors, tls)
        (self.trustedProxies, self.keepAlive) = (trustedProxies, keepAlive)
        (self.health, self.ready, self.metrics) = (health, ready, metrics)
        (self.shutdownDelay, self.drain, self.halfOpen, self.idle) = (shutdownDelay, drain, halfOpen, idle)
        (self.verify, self.more) = (verify, more)
    }

    /// As the engine reads them.
    var members: [String: Value] {
        var all: [String: Value] = [
            "sse": .bool(sse), "sessions": sessions ? "stateful" : "none", "response": .string(response.rawValue), "cors": .bool(cors),
            "verify": .bool(verify), "allowed_hosts": .array(allowedHosts.map(Value.string)),
            "allowed_origins": .array(allowedOrigins.map(Value.string)), "trusted_proxies": .array(trustedProxies.map(Value.string)),
        ]
        for (name, text) in [("path", path), ("health", health), ("ready", ready), ("metrics", metrics)] { all[name] = text.map(Value.string) }
        let times = [("keep_alive", keepAlive), ("shutdown_delay", shutdownDelay), ("drain", drain), ("half_open", halfOpen), ("idle", idle)]
        for (name, seconds) in times { all[name] = seconds.map(Value.double) }
        all["tls"] = tls.map { ["certificate": .string($0.certificate), "key": .string($0.key)] }
        switch streamAfter {
        case .milliseconds(let after): all["stream_after_ms"] = .int(after)
        case .never: all["stream_after_ms"] = .null
        case nil: break
        }
        return all.merging(more) { $1 }
    }
}

extension HTTPServerOptions: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, Value)...) { self.init(more: Dictionary(elements) { $1 }) }
}
