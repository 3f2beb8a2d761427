// Servers that want tokens: what they say to requests, and what handlers know of who asks. The issuer
// is asked about each token; signatures are tried in the tests of Kotlin, on the same engine.
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@testable import MCPBolt

/// A server that wants tokens, at a URL that its clients know it by.
private struct Guarded: Sendable {
    let issuer: AuthorizationServer
    let server: Server
    let port: UInt16
    var url: String { "http://127.0.0.1:\(port)/mcp" }
    var metadata: String { "http://127.0.0.1:\(port)/.well-known/oauth-protected-resource/mcp" }

    init(_ guards: GuardRails = .init()) async throws {
        issuer = try AuthorizationServer()
        let (file, free) = try listeningSocket()
        close(file)
        port = free
        server = Server(name: "guarded", version: "1", guards: guards)
        try await server.addTool("who") { _, call in
            guard let who = call.principal else { return text("nobody") }
            return text("\(who.id) \(who.subject ?? "") \(who.clientID ?? "") \(who.scopes) \(who.claims["team"] ?? .null) \(who.expiresAt != nil)")
        }
        try await server.addTool("write", scopes: ["notes:read", "notes:write"]) { _, call in text("written by \(call.principal?.id ?? "")") }
    }

    /// What tokens say, with changes.
    func claims(_ changed: [String: Value] = [:]) -> [String: Value] {
        let usual: [String: Value] = [
            "active": true, "iss": .string(issuer.issuer), "aud": .string(url), "sub": "ann", "client_id": "editor",
            "scope": "notes", "exp": .int(Int(Date().timeIntervalSince1970) + 60), "team": "blue",
        ]
        return usual.merging(changed) { $1 }
    }

    func serve() async throws {
        var auth = ResourceServer(resource: url, issuer: issuer.issuer, scopes: ["notes"])
        auth.introspection = .init(clientID: "server", clientSecret: "s3cret")
        _ = try await server.serveHttp(port: port, auth: auth)
    }

    /// Calls a tool: the status, the challenge, and the body.
    func call(_ token: String?, _ tool: String = "who") async throws -> (Int, String, String) {
        var request = URLRequest(url: URL(string: url)!)
        request.httpMethod = "POST"
        let headers = [
            "content-type": "application/json", "accept": "application/json, text/event-stream",
            "mcp-protocol-version": modern, "mcp-method": "tools/call", "mcp-name": tool,
        ]
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "authorization") }
        let meta: Value = [
            "io.modelcontextprotocol/protocolVersion": .string(modern), "io.modelcontextprotocol/clientCapabilities": [:],
            "io.modelcontextprotocol/clientInfo": ["name": "tests", "version": "1"],
        ]
        let params: Value = ["name": .string(tool), "arguments": [:], "_meta": meta]
        request.httpBody = Data((["jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params] as Value).text.utf8)
        let (body, answer) = try await URLSession.shared.data(for: request)
        guard let answer = answer as? HTTPURLResponse else { throw Fault("no answer of HTTP") }
        let challenge = answer.value(forHTTPHeaderField: "WWW-Authenticate") ?? ""
        return (answer.statusCode, challenge, String(decoding: body, as: UTF8.self))
    }

    func stop() async {
        await server.stop()
        issuer.stop()
    }
}

let resourceServerCases: [Case] = [
    Case(name: "handlers_see_who_asks_and_others_are_led_to_the_issuer") {
        let guarded = try await Guarded()
        try await guarded.serve()
        let ended = Value.int(Int(Date().timeIntervalSince1970) - 60)
        guarded.issuer.tokens.change {
            $0["good"] = guarded.claims()
            $0["other"] = guarded.claims(["aud": "https://other.example/mcp"])
            $0["ended"] = guarded.claims(["exp": ended])
        }
        let (status, _, body) = try await guarded.call("good")
        try equal(status, 200)
        try expect(body.contains("ann ann editor [\\\"notes\\\"] blue true"), body)
        for token in [nil, "unknown", "other", "ended"] {
            let (status, challenge, body) = try await guarded.call(token)
            try equal(status, 401)
            try expect(challenge.contains("resource_metadata=\"\(guarded.metadata)\""), challenge)
            try expect(token.map { !"\(challenge) \(body)".contains("\"\($0)\"") } ?? true, body)
        }
        let (document, _) = try await URLSession.shared.data(from: URL(string: guarded.metadata)!)
        let said = JSON(String(decoding: document, as: UTF8.self)).value
        try equal(said["resource"], .string(guarded.url))
        try equal(said["authorization_servers"], [.string(guarded.issuer.issuer)])
        try equal(said["scopes_supported"], ["notes"])
        await guarded.stop()
    },
    Case(name: "a_tool_needs_its_scopes_and_the_challenge_names_all_of_them") {
        let guarded = try await Guarded()
        try await guarded.serve()
        guarded.issuer.tokens.change {
            $0["some"] = guarded.claims(["scope": "notes notes:read"])
            $0["all"] = guarded.claims(["scope": "notes notes:read notes:write"])
        }
        let (status, challenge, _) = try await guarded.call("some", "write")
        try equal(status, 403)
        try expect(challenge.contains("error=\"insufficient_scope\"") && challenge.contains("scope=\"notes notes:read notes:write\""), challenge)
        try expect(try await guarded.call("all", "write").2.contains("written by ann"), "it is not written")
        // Also tools that come and change while the server serves.
        try await guarded.server.addTool("purge", scopes: ["admin"]) { _, _ in text("purged") }
        try equal(try await guarded.call("all", "purge").0, 403)
        try await guarded.server.addTool("purge") { _, _ in text("purged") }
        try equal(try await guarded.call("all", "purge").0, 200)
        let wrong = try await failure { try await guarded.server.addTool("odd", scopes: ["two words"]) { _, _ in text("") } }
        try equal((wrong as? MCPError)?.kind, "usage")
        await guarded.stop()
    },
    Case(name: "a_client_signs_in_at_the_issuer_of_a_server_and_calls") {
        let guarded = try await Guarded()
        try await guarded.serve()
        guarded.issuer.tokens.change { $0[AuthorizationServer.accessToken] = guarded.claims() }
        let place = URL(string: "http://localhost:3000/callback")!
        let browser = OAuthBrowser.callback(redirectURI: place) { page, _ in
            let asked = fields(URLComponents(url: page, resolvingAgainstBaseURL: false)?.percentEncodedQuery ?? "")
            try equal([asked["scope"], asked["resource"]], ["notes", guarded.url])
            let issuer = guarded.issuer.issuer.replacingOccurrences(of: ":", with: "%3A").replacingOccurrences(of: "/", with: "%2F")
            return URL(string: "\(place.absoluteString)?code=c1&state=\(asked["state"] ?? "")&iss=\(issuer)")!
        }
        let authorizer = OAuthAuthorizer(configuration: .init(clientName: "Example", browser: browser))
        let client = Client(name: "tests", version: "1")
        try await soon(10) {
            try await client.connect(transport: HTTPClientTransport(endpoint: URL(string: guarded.url)!, authorizer: authorizer))
            try expect(said(try await client.callTool(name: "who")).hasPrefix("ann ann editor"), "somebody else asks")
            await client.disconnect()
        }
        await guarded.stop()
    },
    Case(name: "a_program_verifies_tokens_itself_and_the_engine_judges_what_they_say") {
        let errors = Box<[String]>([])
        let guarded = try await Guarded(GuardRails(onInternalError: { place, _ in errors.change { $0.append(place) } }))
        let auth = ResourceServer(resource: guarded.url, issuer: guarded.issuer.issuer) { token in
            switch token {
            case "ticket": return .init(claims: guarded.claims())
            case "elsewhere": return .init(claims: guarded.claims(["aud": "https://other.example/mcp"]))
            case "broken": throw Fault("the list of tickets cannot be read")
            default: return nil
            }
        }
        _ = try await guarded.server.serveHttp(port: guarded.port, auth: auth)
        for (token, status) in [("ticket", 200), ("elsewhere", 401), ("stolen", 401), ("broken", 503)] {
            try equal(try await guarded.call(token).0, status)
        }
        try expect(errors.value.contains { $0.hasPrefix("token.verify") }, "\(errors.value)")
        await guarded.stop()
    },
    Case(name: "what_is_printed_of_a_resource_server_has_no_secrets") {
        var auth = ResourceServer(resource: "https://mcp.example.com/mcp", issuer: "https://login.example.com")
        auth.introspection = .init(clientID: "server", clientSecret: "s3cret")
        auth.dpop = .init(nonces: ["s3cret"])
        var dumped = ""
        dump(auth, to: &dumped)
        try expect(!"\(auth) \(dumped)".contains("s3cret"), dumped)
    },
]
