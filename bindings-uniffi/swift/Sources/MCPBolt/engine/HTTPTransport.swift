// Transports over HTTP. Owns: what describes them to the engine, and how a program's own changes
// reach its requests. Must not know: how one signs in.
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Returns a request of HTTP with other headers, such as one with a key of the program's: it is called
/// before each request. URL and method stay as they are.
public typealias RequestModifier = @Sendable (URLRequest) -> URLRequest

/// Streamable HTTP, or HTTP+SSE if the server speaks nothing newer.
public actor HTTPClientTransport: EngineMoved {
    nonisolated let reach: Reach

    /// Creates a transport to a server's endpoint.
    ///
    /// - Parameters:
    ///   - endpoint: The URL of the endpoint.
    ///   - headers: Headers of every request; none, if nothing is said.
    ///   - streaming: Taken for programs of the official package. The engine streams what the server
    ///     streams.
    ///   - requestModifier: Changes the headers of each request; nil for none.
    ///   - logger: Taken for programs of the official package, and not written to: what happens to the
    ///     connection is in `ClientSession.states`.
    ///   - options: Certificates, proxy, times, and how it is connected again.
    public init(
        endpoint: URL, headers: [String: String] = [:], streaming _: Bool = true, requestModifier: RequestModifier? = nil,
        logger _: (any Sendable)? = nil, options: HTTPOptions = .init()
    ) {
        self.init(endpoint, headers, options, nil, requestModifier)
    }
    init(
        _ endpoint: URL, _ headers: [String: String], _ options: HTTPOptions, _ signsIn: (any SignsIn)?, _ modifier: RequestModifier? = nil
    ) {
        reach = urlTarget(endpoint, headers, options, signsIn, modifier)
    }
}

/// HTTP+SSE of 2024-11-05.
///
/// - Warning: Deprecated: httpSse, since 2025-03-26 (SEP-2596). Use `HTTPClientTransport`.
public actor SSEClientTransport: EngineMoved {
    nonisolated let reach: Reach
    /// Creates a transport to a server's stream of events.
    public init(endpoint: URL, headers: [String: String] = [:], options: HTTPOptions = .init()) {
        self.init(endpoint, headers, options, nil)
    }
    init(_ endpoint: URL, _ headers: [String: String], _ options: HTTPOptions, _ signsIn: (any SignsIn)?) {
        var options = options
        options.more["transport"] = "sse"
        reach = urlTarget(endpoint, headers, options, signsIn, nil)
    }
}

private func urlTarget(
    _ url: URL, _ headers: [String: String], _ options: HTTPOptions, _ signsIn: (any SignsIn)?, _ modifier: RequestModifier?
) -> Reach {
    let pairs = headers.map { Value.array([.string($0.key), .string($0.value)]) }
    var hooks = TargetHooks(signsIn: signsIn)
    if let hook = signsIn?.headers(url) { hooks.headers.append(hook) }
    if let modifier { hooks.headers.append { try modified($0, modifier) } }
    var own: [String: Value] = ["url": .string(url.absoluteString), "headers": .array(pairs)]
    if !hooks.headers.isEmpty { own["header_hook"] = true }
    return .target(.object(own.merging(options.members) { $1 }), hooks)
}

/// The headers that a program's function adds to a request, or changes.
private func modified(_ head: Value, _ modifier: RequestModifier) throws -> [[String]] {
    guard let url = head["url"]?.stringValue.flatMap(URL.init(string:)) else { return [] }
    var request = URLRequest(url: url)
    request.httpMethod = head["method"]?.stringValue
    for header in head["headers"]?.arrayValue ?? [] {
        guard let name = header[0]?.stringValue, let value = header[1]?.stringValue else { continue }
        request.setValue(value, forHTTPHeaderField: name)
    }
    let changed = modifier(request)
    if changed.url != request.url || changed.httpMethod != request.httpMethod || changed.httpBody != nil {
        throw MCPError.usage("requestModifier changes a request's headers, and nothing else of it")
    }
    return (changed.allHTTPHeaderFields ?? [:]).filter { request.value(forHTTPHeaderField: $0.key) != $0.value }.map { [$0.key, $0.value] }
}
