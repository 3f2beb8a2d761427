// Signing in, carried out. Owns: how the engine is told what a program chose, and what the engine
// asks the program for. Must not know: transports, connections.
import Foundation
import MCPBoltEngine

/// The engine's sign-in, and the answers to what it asks. It has an inbox of its own: a sign-in may
/// outlive the connection that led to it.
final class SignIn: SignsIn, Peer, @unchecked Sendable {
    private let configuration: OAuthConfiguration
    private let driver = Driver()
    private let lock = NSLock()
    private var made: EngineSignIn?

    init(_ configuration: OAuthConfiguration) {
        self.configuration = configuration
        driver.start(self)
    }

    /// The engine's sign-in; created on first use, so that wrong values are told where something is
    /// thrown anyway.
    private func engine() throws -> EngineSignIn {
        try lock.withLock {
            if let made { return made }
            let engine = try EngineSignIn(options: configuration.engineOptions.text, inbox: driver.inbox)
            made = engine
            return engine
        }
    }

    /// A minute more than the user has, so that it is the browser that took too long.
    var patience: Double? { configuration.grantType == .authorizationCode ? configuration.browserTimeout + 60 : nil }

    /// The program's own token, if it has one.
    func headers(_ endpoint: URL) -> HeaderHook? { configuration.ownToken(endpoint) }

    func open(_ client: EngineClient, _ target: Value) throws -> UInt64 {
        try engine().open(client: client, target: target.text)
    }

    func signOut(_ target: Value) async throws {
        _ = try await driver.answer { try engine().signOut(target: target.text) }
    }

    // What the engine asks

    func asked(_ service: String, _ payload: Value) async throws -> Value {
        do { return try await answer(service, payload) } catch let error as CancellationError { throw error } catch {
            // No server said it, so it must not look like one's error.
            if let known = MCPError.of(error) as? MCPError, known.isLocal { throw known }
            let words = MCPError.describe(error)
            throw Self.keeping.contains(service) ? MCPError.storeError(words) : MCPError.unauthorized(words)
        }
    }

    /// What a store of the program is asked for.
    private static let keeping = ["oauth.load", "oauth.save"]

    private func answer(_ service: String, _ payload: Value) async throws -> Value {
        func word(_ name: String) -> String { payload[name]?.stringValue ?? "" }
        switch (service, configuration.browser.way, configuration.storage.place) {
        case ("oauth.open", .loopback(_, _, let open?), _):
            try await open(try url(word("url")))
            return .null
        case ("oauth.visit", .callback(let redirectURI, let present), _):
            return try await visit(try url(word("url")), redirectURI, present)
        case ("oauth.load", _, .program(let store)):
            return try await store.load(server: word("key")).map { .string(String(decoding: $0, as: UTF8.self)) } ?? .null
        case ("oauth.save", _, .program(let store)):
            if let value = payload["value"]?.stringValue {
                try await store.save(Data(value.utf8), server: word("key"))
            } else {
                try await store.delete(server: word("key"))
            }
            return .null
        case ("oauth.supply", _, _):
            guard let supply = configuration.supply, let need = OAuthNeed(payload) else { return .null }
            return try await supply(need).map(Value.string) ?? .null
        case ("oauth.register", _, _):
            return try await configuration.registerByHand?(word("issuer"), payload["metadata"] ?? .null)?.row ?? .null
        default:
            throw MCPError.usage("there is no service \(service)")
        }
    }

    private func visit(_ url: URL, _ redirectURI: URL, _ present: OAuthBrowser.Present) async throws -> Value {
        do { return .string(try await present(url, redirectURI).absoluteString) } catch is CancellationError {
        } catch let error as NSError where error.domain == Self.webSession && error.code == Self.canceledLogin {}
        // If nobody waits any more, nobody hears it; else the user closed the page.
        try Task.checkCancellation()
        return .null
    }

    /// `ASWebAuthenticationSessionError.canceledLogin` by its name and number: only Apple's systems have
    /// the framework.
    private static let (webSession, canceledLogin) = ("com.apple.AuthenticationServices.WebAuthenticationSession", 1)

    /// A URL of the engine; the text is secret.
    private func url(_ text: String) throws -> URL {
        guard let url = URL(string: text) else { throw MCPError.protocolViolation("the authorization server's URL cannot be read") }
        return url
    }

    // No calls and no connections of its own

    func request(_ call: UInt64, _: UInt64, _ method: String, _: JSON, _: JSON) {
        driver.fail(call, MCPError.methodNotFound("Method not found: \(method)"))
    }
    func cancelled(_: UInt64) {}
    func notification(_: UInt64, _: UInt64, _: String, _: JSON) {}
    func event(_: String, _: UInt64, _: [JSON]) {}
}

extension OAuthConfiguration {
    /// The options as the engine reads them.
    fileprivate var engineOptions: Value {
        var all: [String: Value] = [
            "flow": .object(flow), "clients": .array(clients.map(\.row)), "browser": browser.row, "store": storage.row,
            "browser_timeout": .double(browserTimeout), "supply": .bool(supply != nil), "register": .bool(registerByHand != nil),
        ]
        all["assertion_key"] = assertionKey.map { ["algorithm": .string($0.algorithm), "key": .string($0.pem)] }
        all["dpop"] = dpop.map { .string($0.pkcs8.base64EncodedString()) }
        return .object(all)
    }

    /// Those about the way to a token. What the program names itself comes first.
    private var flow: [String: Value] {
        var flow: [String: Value] = [:]
        flow["client_metadata_url"] = clientMetadataURL.map { .string($0.absoluteString) }
        if !scopes.isEmpty { flow["scope"] = .string(scopes.joined(separator: " ")) }
        if bindsClients { flow["bind_clients"] = true }
        switch grantType {
        case .authorizationCode: flow["grant"] = "authorization_code"
        case .clientCredentials: flow["grant"] = "client_credentials"
        case .workloadIdentity: flow["grant"] = "workload_identity"
        case .enterpriseManaged(let provider):
            flow["grant"] = "id_jag"
            flow["identity_provider"] = provider?.row
        }
        flow.merge(options) { $1 }
        var metadata = options["client"]?.objectValue ?? [:]
        metadata["client_name"] = metadata["client_name"] ?? .string(clientName)
        flow["client"] = .object(metadata)
        return flow
    }
}

extension OAuthClient {
    fileprivate var row: Value {
        var row: [String: Value] = ["client_id": .string(id)]
        row["client_secret"] = secret.map(Value.string)
        row["issuer"] = issuer.map(Value.string)
        row["token_endpoint_auth_method"] = authentication.map { .string($0.rawValue) }
        return .object(row)
    }
}

extension OAuthIdentityProvider {
    fileprivate var row: Value {
        var row: [String: Value] = [
            "issuer": .string(issuer), "client": client.row, "subject_token_type": .string(subjectToken.rawValue),
        ]
        row["token_endpoint"] = tokenEndpoint.map(Value.string)
        return .object(row)
    }
}

extension OAuthBrowser {
    fileprivate var row: Value {
        switch way {
        case .callback(let redirectURI, _): return ["redirect_uri": .string(redirectURI.absoluteString)]
        case .loopback(let port, let path, let open):
            var row: [String: Value] = ["port": .int(Int(port)), "open": .bool(open != nil)]
            row["path"] = path.map(Value.string)
            return .object(row)
        }
    }
}

extension OAuthStorage {
    fileprivate var row: Value {
        switch place {
        case .memory: "memory"
        case .folder(let folder): ["folder": .string(folder.path)]
        case .program: "host"
        }
    }
}

extension OAuthNeed {
    /// Reads what the engine asks for; nil for something that this package does not know.
    fileprivate init?(_ payload: Value) {
        func word(_ name: String) -> String { payload[name]?.stringValue ?? "" }
        switch word("need") {
        case "client_assertion": self = .clientAssertion(clientID: word("client_id"), audience: word("audience"))
        case "id_jag":
            let scopes = word("scope").split(separator: " ").map(String.init)
            self = .identityAssertion(audience: word("audience"), resource: word("resource"), scopes: scopes)
        case "subject_token":
            guard let kind = OAuthIdentityProvider.SubjectToken(rawValue: word("token_type")) else { return nil }
            self = .subjectToken(kind)
        case "workload_assertion": self = .workloadAssertion(audience: word("audience"))
        default: return nil
        }
    }
}
