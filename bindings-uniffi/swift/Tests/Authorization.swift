// Who may use a server over HTTP: what a server's own verifier decides, and how clients sign in.
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@testable import MCPBolt

/// A server that tells each client its principal, and lets those in who have a ticket.
func ticketed() async throws -> (Server, Server.Listener) {
    let server = try await echoServer()
    try await server.addTool("who") { _, call in text(call.about.principal ?? "nobody") }
    await server.withVerifier { head in
        let headers = (head["headers"]?.arrayValue ?? []).compactMap { pair in pair[0]?.stringValue == "authorization" ? pair[1]?.stringValue : nil }
        switch headers.first {
        case "Bearer good": return ["principal": "ann"]
        case "Bearer open": return ["principal": nil]
        case "Bearer broken": throw Fault("the list of tickets cannot be read")
        case "Bearer other": return ["status": 403, "challenge": "Bearer error=\"insufficient_scope\""]
        default: return ["status": 401, "challenge": "Bearer"]
        }
    }
    return (server, try await server.serveHttp(options: .init(verify: true)))
}

/// A server that wants a token of an authorization server, and tells each client its principal.
/// Bound tokens need a proof; `proofs` are those that came.
func protected(_ issuer: AuthorizationServer, proofs: Box<[String]> = Box([])) async throws -> (Server, URL) {
    let server = try await echoServer()
    try await server.addTool("who") { _, call in text(call.about.principal ?? "nobody") }
    await server.withVerifier { head in
        func header(_ name: Value) -> String? { head["headers"]?.arrayValue?.first { $0[0] == name }?[1]?.stringValue }
        let (sent, proof) = (header("authorization"), header("dpop"))
        if let proof, sent?.hasPrefix("DPoP ") == true { proofs.change { $0.append(proof) } }
        if sent == (proof == nil ? "Bearer" : "DPoP") + " \(AuthorizationServer.accessToken)" { return ["principal": "ann"] }
        return ["status": 401, "challenge": .string(issuer.challenge)]
    }
    let url = try await server.serveHttp(options: ["verify": true]).url
    issuer.resource.change { $0 = url.absoluteString }
    return (server, url)
}

let place = URL(string: "http://localhost:3000/callback")!

/// Where the browser of a user who agrees ends.
func agreed(_ url: URL, _ issuer: String, _ redirectURI: URL = place) -> URL {
    let state = fields(URLComponents(url: url, resolvingAgainstBaseURL: false)?.percentEncodedQuery ?? "")["state"] ?? ""
    let word = issuer.replacingOccurrences(of: ":", with: "%3A").replacingOccurrences(of: "/", with: "%2F")
    return URL(string: "\(redirectURI.absoluteString)?code=\(AuthorizationServer.code)&state=\(state)&iss=\(word)")!
}

/// A keychain of the tests.
private actor Keychain: OAuthCredentialStore {
    private(set) var items: [String: Data] = [:]
    func load(server: String) -> Data? { items[server] }
    func save(_ credentials: Data, server: String) { items[server] = credentials }
    func delete(server: String) { items[server] = nil }
}

private struct LockedKeychain: OAuthCredentialStore {
    func load(server _: String) async throws -> Data? { throw Fault("the keychain is locked") }
    func save(_: Data, server _: String) async throws {}
    func delete(server _: String) async throws {}
}

/// What a client says to a server, signed in with a configuration.
private func who(_ url: URL, _ authorizer: OAuthAuthorizer) async throws -> String {
    let client = Client(name: "tests", version: "1")
    return try await soon(10) {
        try await client.connect(transport: HTTPClientTransport(endpoint: url, authorizer: authorizer))
        let name = said(try await client.callTool(name: "who"))
        await client.disconnect()
        return name
    }
}

private func refused(_ url: URL, _ configuration: OAuthConfiguration, line: Int = #line) async throws -> MCPError {
    let error = try await failure(line: line) { try await who(url, OAuthAuthorizer(configuration: configuration)) }
    guard let known = error as? MCPError else { throw Fault("line \(line): \(error)") }
    return known
}

private func configuration(_ present: @escaping OAuthBrowser.Present) -> OAuthConfiguration {
    OAuthConfiguration(clientName: "Example", browser: .callback(redirectURI: place, present))
}

/// Bytes in base64url.
private func bytes(_ text: String) -> Data? {
    let plain = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    return Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.count % 4) % 4))
}

/// A part of a proof of possession: its head, or what it says.
private func part(_ proof: String, _ index: Int) -> Value {
    JSON(String(decoding: bytes(String(proof.split(separator: ".")[index])) ?? Data(), as: UTF8.self)).value
}

let authorizationCases: [Case] = verifierCases + signInCases

private let signInCases: [Case] = [
    Case(name: "users_sign_in_once_and_out_with_a_browser_and_a_keychain_of_the_programs") {
        let (issuer, keychain, shown) = (try AuthorizationServer(), Keychain(), Box<[URL]>([]))
        let (server, url) = try await protected(issuer)
        var chosen = configuration { page, redirectURI in
            shown.change { $0 += [page, redirectURI] }
            return agreed(page, issuer.issuer)
        }
        (chosen.storage, chosen.scopes) = (.store(keychain), ["files:read"])
        let authorizer = OAuthAuthorizer(configuration: chosen)
        // Another authorizer finds what this one left in the keychain.
        for one in [authorizer, authorizer, OAuthAuthorizer(configuration: chosen)] { try equal(try await who(url, one), "ann") }
        try equal(shown.value.count, 2)
        try equal(shown.value[1], place)
        let asked = fields(URLComponents(url: shown.value[0], resolvingAgainstBaseURL: false)?.percentEncodedQuery ?? "")
        try equal([asked["scope"], asked["resource"], asked["code_challenge_method"]], ["files:read", url.absoluteString, "S256"])
        try equal(issuer.forms("/token").map { $0["code"] }, [AuthorizationServer.code])
        let kept = await keychain.items
        try equal(Array(kept.keys), [url.absoluteString])
        try expect(String(decoding: kept.values.first!, as: UTF8.self).contains(AuthorizationServer.accessToken), "no token is kept")

        try await soon { try await authorizer.signOut(HTTPClientTransport(endpoint: url)) }
        try expect(issuer.forms("/revoke").contains { $0["token"] == AuthorizationServer.refreshToken }, "\(issuer.forms("/revoke"))")
        let left = await keychain.items.values.map { String(decoding: $0, as: UTF8.self) }
        try expect(!left.contains { $0.contains(AuthorizationServer.accessToken) }, "a token is left")
        try equal(try await who(url, authorizer), "ann")
        try equal(shown.value.count, 4)
        try equal(issuer.seen.value.filter { $0.path == "/register" }.count, 1)
        await server.stop()
        issuer.stop()
    },
    Case(name: "a_browser_comes_back_to_a_port_of_this_machine") {
        let issuer = try AuthorizationServer()
        let (server, url) = try await protected(issuer)
        let browser = OAuthBrowser.loopback(path: "/back") { page in
            let asked = fields(URLComponents(url: page, resolvingAgainstBaseURL: false)?.percentEncodedQuery ?? "")
            guard let redirectURI = asked["redirect_uri"].flatMap({ URL(string: $0) }), redirectURI.path == "/back" else {
                throw Fault("\(asked)")
            }
            Task { _ = try await URLSession.shared.data(from: agreed(page, issuer.issuer, redirectURI)) }
        }
        try equal(try await who(url, OAuthAuthorizer(configuration: .init(clientName: "Example", browser: browser))), "ann")
        await server.stop()
        issuer.stop()
    },
    Case(name: "who_gives_up_and_what_fails_ends_the_sign_in") {
        let issuer = try AuthorizationServer()
        let (server, url) = try await protected(issuer)
        let gaveUp = try await refused(url, configuration { _, _ in throw CancellationError() })
        try expect(gaveUp.kind == "unauthorized" && gaveUp.message.contains("browser"), "\(gaveUp)")
        // What `ASWebAuthenticationSession` says when its sheet is closed, on systems without it.
        let sheet = "com.apple.AuthenticationServices.WebAuthenticationSession"
        try equal(try await refused(url, configuration { _, _ in throw NSError(domain: sheet, code: 1) }), gaveUp)
        let unseen = try await refused(url, configuration { _, _ in throw NSError(domain: sheet, code: 2) })
        try expect(unseen.kind == "unauthorized" && unseen.isLocal && unseen.message.contains(sheet), "\(unseen)")
        let broken = try await refused(url, configuration { _, _ in throw Fault("the window is gone") })
        try expect(broken.kind == "unauthorized" && broken.message.contains("the window is gone"), "\(broken)")
        let known = try await refused(url, configuration { _, _ in throw MCPError.usage("no window is set") })
        try expect(known.kind == "usage" && known.message.contains("no window is set"), "\(known)")
        var locked = configuration { page, _ in agreed(page, issuer.issuer) }
        locked.storage = .store(LockedKeychain())
        let unread = try await refused(url, locked)
        try expect(unread.kind == "store" && unread.message.contains("the keychain is locked"), "\(unread)")
        let mixedUp = try await refused(url, configuration { page, _ in agreed(page, "http://127.0.0.1:9") })
        try equal(mixedUp.kind, "unauthorized")
        try equal(issuer.forms("/token").count, 0)
        var wrong = configuration { page, _ in agreed(page, issuer.issuer) }
        wrong.options["max_stepups"] = 1
        let usage = try await refused(url, wrong)
        try expect(usage.kind == "usage" && usage.message.contains("max_stepups"), "\(usage)")
        wrong.options = [:]
        wrong.assertionKey = OAuthAssertionKey(pem: "no key")
        try equal(try await refused(url, wrong).kind, "usage")
        await server.stop()
        issuer.stop()
    },
    Case(name: "a_browser_that_nobody_waits_for_is_told") {
        let (issuer, notes) = (try AuthorizationServer(), Notes())
        let (server, url) = try await protected(issuer)
        var slow = configuration { page, _ in
            await cancelled()
            await notes.add("closed")
            return page
        }
        slow.browserTimeout = 0.2
        try equal(try await refused(url, slow).kind, "unauthorized")
        try await notes.has("closed")
        await server.stop()
        issuer.stop()
    },
    Case(name: "a_program_signs_in_for_itself_with_a_secret_or_an_assertion") {
        let issuer = try AuthorizationServer()
        let (server, url) = try await protected(issuer)
        let secret = OAuthClient(id: "report", secret: "s3cret", issuer: issuer.issuer, authentication: .clientSecretBasic)
        let known = OAuthConfiguration(clientName: "Report", grantType: .clientCredentials, clients: [secret])
        try equal(try await who(url, OAuthAuthorizer(configuration: known)), "ann")
        var signs = known
        signs.clients = [OAuthClient(id: "report", issuer: issuer.issuer, authentication: .privateKeyJWT)]
        signs.supply = { need in
            guard case .clientAssertion(let id, let audience) = need else { return nil }
            return "signed-by-\(id)-for-\(audience)"
        }
        try equal(try await who(url, OAuthAuthorizer(configuration: signs)), "ann")
        try equal(issuer.forms("/token").map { $0["grant_type"] }, ["client_credentials", "client_credentials"])
        try equal(issuer.forms("/token").last?["client_assertion"], "signed-by-report-for-\(issuer.issuer)")
        signs.supply = nil
        try expect(try await refused(url, signs).message.contains("assertion"), "another error")
        // A client of another issuer is shown to nobody here.
        signs.clients = [OAuthClient(id: "report", secret: "s3cret", issuer: "https://login.example.com")]
        _ = try await refused(url, signs)
        try equal(issuer.forms("/token").count, 2)
        await server.stop()
        issuer.stop()
    },
    Case(name: "tokens_are_bound_to_a_key_if_the_program_has_one") {
        let (issuer, proofs, key) = (try AuthorizationServer(), Box<[String]>([]), try OAuthDPoPKey())
        let (server, url) = try await protected(issuer, proofs: proofs)
        var chosen = configuration { page, _ in agreed(page, issuer.issuer) }
        try equal(try await who(url, OAuthAuthorizer(configuration: chosen)), "ann")
        try equal(issuer.seen.value.compactMap(\.proof), [])
        chosen.dpop = try OAuthDPoPKey(pkcs8: key.pkcs8)
        try equal(chosen.dpop, key)
        try equal(try await who(url, OAuthAuthorizer(configuration: chosen)), "ann")
        let forTokens = issuer.seen.value.filter { $0.path == "/token" }.compactMap(\.proof)
        try equal(forTokens.map { part($0, 1)["htu"]?.stringValue }, ["\(issuer.issuer)/token"])
        try expect(!proofs.value.isEmpty, "no token came with a proof")
        for proof in proofs.value { try equal([part(proof, 1)["htu"], part(proof, 0)["typ"]], [.string(url.absoluteString), "dpop+jwt"]) }
        for proof in forTokens + proofs.value {
            // The key in DER has its public part, which proofs are sent with.
            let point = ["x", "y"].compactMap { part(proof, 0)["jwk"]?[$0]?.stringValue }.compactMap(bytes).reduce(Data(), +)
            try expect(point.count == 64 && key.pkcs8.range(of: point) != nil, "\(part(proof, 0))")
        }
        let wrong = try await failure { try OAuthDPoPKey(pkcs8: Data("no key".utf8)) } as? MCPError
        try expect(wrong?.kind == "usage" && wrong?.message.contains("PKCS#8") == true, "\(String(describing: wrong))")
        await server.stop()
        issuer.stop()
    },
    Case(name: "where_no_client_registers_by_itself_the_user_does") {
        let issuer = try AuthorizationServer(registers: false)
        let (server, url) = try await protected(issuer)
        var chosen = configuration { page, _ in agreed(page, issuer.issuer) }
        try equal(try await refused(url, chosen).kind, "unauthorized")
        chosen.registerByHand = { at, metadata in
            try equal([at, metadata["client_name"]?.stringValue], [issuer.issuer, "Example"])
            return OAuthClient(id: "by-hand", issuer: at)
        }
        try equal(try await who(url, OAuthAuthorizer(configuration: chosen)), "ann")
        try equal(issuer.forms("/token").map { $0["client_id"] }, ["by-hand"])
        await server.stop()
        issuer.stop()
    },
    Case(name: "a_host_signs_in_where_its_configuration_says_so") {
        let issuer = try AuthorizationServer()
        let (server, url) = try await protected(issuer)
        let authorizer = OAuthAuthorizer(configuration: configuration { page, _ in agreed(page, issuer.issuer) })
        let host = Host(name: "tests", version: "1", authorizer: authorizer)
        let failed = try await host.add(config: ["mcpServers": [
            "in": ["url": .string(url.absoluteString), "auth": "oauth"], "out": ["url": .string(url.absoluteString)],
            "wrong": ["url": .string(url.absoluteString), "auth": "basic"],
        ]])
        try equal(failed.mapValues { ($0 as? MCPError)?.kind }, ["out": "unauthorized", "wrong": "usage"])
        try equal(try await host.callTool("who").content, [.text("ann")])
        await host.close()
        await server.stop()
        issuer.stop()
    },
    Case(name: "a_configuration_in_the_words_of_the_official_package") {
        let issuer = try AuthorizationServer()
        let (server, url) = try await protected(issuer)
        struct Delegate: OAuthAuthorizationDelegate {
            let issuer: String
            func presentAuthorizationURL(_ url: URL) async throws -> URL { agreed(url, issuer) }
        }
        let ways: [OAuthConfiguration] = [
            .init(
                grantType: .authorizationCode, authentication: .none(clientID: ""), authorizationRedirectURI: place,
                clientName: "Example", authorizationDelegate: Delegate(issuer: issuer.issuer)),
            .init(authentication: .clientSecretBasic(clientID: "report", clientSecret: "s3cret")),
            .init(authentication: .privateKeyJWT(clientID: "report", assertionFactory: { "\($1) at \($0.path)" })),
        ]
        for way in ways { try equal(try await who(url, OAuthAuthorizer(configuration: way)), "ann") }
        try equal(issuer.forms("/token").map { $0["client_id"] ?? "" }.first, "registered")
        try equal(issuer.forms("/token").last?["client_assertion"], "report at /token")
        await server.stop()
        issuer.stop()
    },
    Case(name: "no_token_and_no_code_is_in_a_trace_of_frames_or_printed", seconds: 60) {
        // Frames are traced for a whole process, so the program of the tests signs in once more.
        let frames = FileManager.default.temporaryDirectory.appendingPathComponent("frames-\(UUID().uuidString).jsonl")
        defer { try? FileManager.default.removeItem(at: frames) }
        let (again, printed) = (Process(), Foundation.Pipe())
        again.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        again.arguments = ["users_sign_in_once", "a_browser_comes_back", "tokens_are_bound"]
        again.environment = ProcessInfo.processInfo.environment.merging(["MCPBOLT_TRACE": frames.path]) { $1 }
        (again.standardOutput, again.standardError) = (printed, printed)
        try again.run()
        let words = String(decoding: printed.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        again.waitUntilExit()
        try expect(again.terminationStatus == 0 && words.contains("3 of 3"), words)
        let trace = try String(contentsOf: frames, encoding: .utf8)
        try expect(trace.contains("\"who\""), "no frame was written")
        try expect(!(words + trace).contains("canary"), "a secret was written")
    },
    Case(name: "what_is_printed_of_a_client_has_no_secrets") {
        let client = OAuthClient(id: "report", secret: "s3cret", issuer: "https://login.example.com")
        let key = OAuthAssertionKey(pem: "s3cret")
        var dumped = ""
        dump(client, to: &dumped)
        dump(key, to: &dumped)
        let bound = try OAuthDPoPKey()
        dump(bound, to: &dumped)
        try expect("\(bound) \(String(reflecting: bound)) \(dumped)".contains(bound.thumbprint) && !dumped.contains("pkcs8"), dumped)
        let provider = OAuthIdentityProvider(issuer: "https://login.example.com", client: client)
        let all = "\(client) \(key) \(String(reflecting: client)) \(String(reflecting: key)) \(provider) \(dumped)"
        try expect(all.contains("report") && !all.contains("s3cret"), all)
    },
]

private let verifierCases: [Case] = [
    Case(name: "a_verifier_says_who_asks_and_who_may_not") {
        let (server, listener) = try await ticketed()
        for protocolVersion in ["2025-11-25", modern] {
            func client() -> Client { Client(name: "tests", version: "1", configuration: .init(protocolVersion: .init(protocolVersion))) }
            @Sendable func way(_ ticket: String?) -> HTTPClientTransport {
                HTTPClientTransport(endpoint: listener.url, headers: ticket.map { ["Authorization": "Bearer \($0)"] } ?? [:])
            }
            for (ticket, principal) in [("good", "ann"), ("open", "nobody")] {
                let known = client()
                _ = try await soon { try await known.connect(transport: way(ticket)) }
                try equal(said(try await known.callTool(name: "who")), principal)
                await known.disconnect()
            }
            // A verifier that fails lets nobody in.
            for (ticket, kind) in [(nil, "unauthorized"), ("wrong", "unauthorized"), ("other", "forbidden"), ("broken", "forbidden")] {
                let stranger = client()
                let error = try await soon { try await failure { try await stranger.connect(transport: way(ticket)) } }
                try equal((error as? MCPError)?.kind, kind)
                try expect(!"\(error)".contains("tickets"), "\(error)")
            }
        }
        await server.stop()
    },
]
