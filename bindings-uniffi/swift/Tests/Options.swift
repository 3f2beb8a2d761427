// Options of transports as types, and what the engine says of connections.
import Foundation

@testable import MCPBolt

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server whose name is the folder it runs in, with a word of its environment; it ends when it is told
/// `acme/end`.
private let placed = #"""
    while read -r line; do
      case "$line" in
        *acme/end*) exit 1 ;;
        *'"initialize"'*)
          id=$(printf '%s' "$line" | sed 's/.*"id": *\([0-9]*\).*/\1/')
          printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"%s","version":"%s"}}}\n' "$id" "$(pwd -P)" "${SECRET:-none}" ;;
      esac
    done
    """#

private func status(_ url: URL) async throws -> Int? {
    let (_, answer) = try await URLSession.shared.data(from: url)
    return (answer as? HTTPURLResponse)?.statusCode
}

let optionCases: [Case] = [
    Case(name: "a_program_runs_where_its_options_say_and_is_started_again") {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString, isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        setenv("SECRET", "s3cret", 1)
        defer { unsetenv("SECRET") }
        for (inherit, secret) in [(StdioOptions.Inherit.allowList, "none"), (.all, "s3cret")] {
            let options = StdioOptions(
                cwd: folder.path, inherit: inherit, stderr: .file(folder.appendingPathComponent("log").path),
                restart: .init(max: 2, backoff: 0.01), closeGrace: 1, killGrace: 1, maxMessageBytes: 100_000)
            let client = someone()
            let transport = StdioClientTransport(command: "sh", args: ["-c", placed], options: options)
            let server = try await soon { try await client.connect(transport: transport) }.serverInfo
            try equal(server.name, folder.resolvingSymlinksInPath().path)
            try equal(server.version, secret)
            let session = await client.session!
            let before = session.info
            try equal(before.transport, .stdio)
            _ = try await failure { try await soon { try await client.request("acme/end") } }
            try await until({ "it is not started again: \(session.state)" }) {
                session.state == .ready && session.info.process.map { $0 != before.process } == true
            }
            try expect(FileManager.default.fileExists(atPath: folder.appendingPathComponent("log").path), "no file for stderr")
            await client.disconnect()
        }
        let wrong = StdioClientTransport(command: "sh", options: ["restrat": 1])
        let error = try await failure { try await someone().connect(transport: wrong) }
        try expect("\(error)".contains("restrat"), "\(error)")
    },
    Case(name: "a_server_and_a_client_over_http_keep_to_their_options") {
        let server = try await echoServer()
        let listener = try await server.serveHttp(
            options: .init(
                path: "/tools", sse: false, sessions: false, response: .json, streamAfter: .never, allowedHosts: ["127.0.0.1:*"],
                allowedOrigins: ["https://example.com"], cors: true, trustedProxies: ["10.0.0.0/8"], keepAlive: 5, health: "/healthz",
                ready: "/ready", metrics: "/metrics", shutdownDelay: 0, drain: 1, halfOpen: 5, idle: 60))
        try equal(listener.url.path, "/tools")
        let reached = try await status(listener.url.deletingLastPathComponent().appendingPathComponent("healthz"))
        try equal(reached, 200)
        let options = HTTPOptions(
            systemRoots: true, proxy: .off,
            reconnect: .init(initial: 0.1, max: 1, attempts: 2, streamAttempts: 3, growthPercent: 150), connectTimeout: 5, closeTimeout: 1,
            maxMessageBytes: 1_000_000, endSession: false)
        let client = someone()
        try await client.connect(transport: HTTPClientTransport(endpoint: listener.url, options: options))
        try equal(said(try await client.callTool(name: "echo", arguments: ["text": "a"])), "a")
        let info = await client.session!.info
        try equal(info.transport, .http)
        try equal(info.sessionID, nil)
        let counted = try await server.stats()
        try equal(counted.methods["tools/call"], MethodStats(calls: 1, errors: 0))
        try expect(counted.bytesOut > 0 && counted.connectionsTotal > 0, "\(counted)")
        try equal(counted.latency.last, LatencyStep(bound: nil, calls: counted.latency.last?.calls ?? -1))
        try equal(counted.json["bytesOut"], .int(counted.bytesOut))
        await client.disconnect()
        for (options, word) in [
            (HTTPOptions(ca: "no PEM"), "ca"), (HTTPOptions(clientCertificate: .init(certificate: "no PEM", key: "s3cret")), "private key"),
            (HTTPOptions(proxy: .at("no proxy")), "proxy"), (["reconect": 1], "reconect"),
        ] {
            let error = try await failure { try await someone().connect(transport: HTTPClientTransport(endpoint: listener.url, options: options)) }
            try equal((error as? MCPError)?.kind, "usage")
            try expect("\(error)".contains(word) && !"\(error)".contains("s3cret"), "\(word): \(error)")
            var dumped = ""
            dump(options, to: &dumped)
            try expect(!dumped.contains("s3cret"), dumped)
        }
        await server.stop()
    },
    Case(name: "a_call_knows_who_sent_it") {
        let server = try await echoServer()
        let seen = Notes()
        try await server.addTool("who") { _, call in
            let about = call.about
            await seen.add("\(about)")
            let era = about.era == .modern ? "modern" : "legacy"
            return text("\(about.clientInfo?.name ?? ""), \(about.transport?.rawValue ?? ""), \(era), \(about.header("x-word") ?? "")")
        }
        let listener = try await server.serveHttp()
        let client = Client(name: "tests", version: "1", configuration: .init(protocolVersion: "auto"))
        try await client.connect(transport: HTTPClientTransport(endpoint: listener.url, headers: ["X-Word": "s3cret"]))
        try equal(said(try await client.callTool(name: "who")), "tests, http, modern, s3cret")
        let words = await seen.all.first ?? ""
        try expect(words.contains("headers") && !words.contains("s3cret"), words)
        await client.disconnect()
        await server.stop()
    },
    Case(name: "configurations_and_requests_keep_to_their_numbers") {
        let limit = RateLimit([ListPrompts.name], per: .server, rate: 0.01, burst: 2)
        let server = Server(
            name: "numbers", version: "1", configuration: .init(pageSize: 1, rateLimits: [limit], stores: .memory))
        try await server.addPrompt(Prompt(name: "later")) { _, _ in .init(messages: []) }
        try await server.addTool("trace") { _, call in text(call.about.header("x-trace") ?? "") }
        try await server.addTool("hang") { _, _ in
            await cancelled()
            throw CancellationError()
        }
        let url = try await server.serveHttp().url
        for policy in [ProtocolPolicy.modern, "2025-11-25"] {
            let configuration = Client.Configuration(
                protocolVersion: policy, requestTimeout: 0.2, keepAlive: .init(interval: 30, timeout: 30), cache: false)
            let client = Client(name: "tests", version: "1", configuration: configuration)
            try await client.connect(transport: HTTPClientTransport(endpoint: url))
            let session = await client.session!
            try equal(session.info.era, policy == .modern ? .modern : .legacy)
            let page = try await client.listTools()
            try equal(page.tools.count, 1)
            try expect(page.nextCursor != nil, "there is no second page")
            _ = try await client.listPrompts()
            let all = RequestOptions(
                timeout: 5, max: 10, resetOnProgress: false, logLevel: .info, headers: ["X-Trace": "one"], fresh: true)
            let traced = try await client.callTool(name: "trace", options: all)
            try equal(said(traced), "one")
            let late = try await failure { try await soon { try await client.callTool(name: "hang") } }
            try equal((late as? MCPError)?.kind, "timeout")
            let later = try await failure { try await soon { try await client.callTool(name: "hang", options: .init(timeout: 0.1, max: 0.1)) } }
            try equal((later as? MCPError)?.kind, "timeout")
            await client.disconnect()
        }
        let client = Client(name: "tests", version: "1")
        try await client.connect(transport: HTTPClientTransport(endpoint: url))
        let often = try await failure { try await client.listPrompts() }
        try equal((often as? MCPError)?.kind, "rate_limited")
        await client.disconnect()
        await server.stop()
    },
    Case(name: "beyond_the_concurrency_of_a_configuration_calls_are_refused") {
        let server = Server(name: "numbers", version: "1", configuration: .init(timeout: 30, maxConcurrency: 1))
        let (begun, gate) = (Notes(), Notes())
        try await server.addTool("hold") { _, _ in
            await begun.add("begun")
            try await gate.has("go")
            return text("held")
        }
        let client = someone()
        try await client.connect(to: server)
        let held = Task { said(try await client.callTool(name: "hold")) }
        try await begun.has("begun")
        let refused = try await failure { try await client.callTool(name: "hold") }
        try equal((refused as? MCPError)?.data?["reason"], "max_concurrency of the server")
        await gate.add("go")
        try equal(try await soon { try await held.value }, "held")
        await client.disconnect()
        await server.stop()
    },
]
