// What an HTTP server asks of access tokens, as programs choose it. Owns: the options as the engine
// reads them. Must not know: what makes a token good; how a refusal is worded.
import Foundation

/// Makes a server over HTTP an OAuth resource server: every request needs an access token of an
/// issuer that it trusts. The engine checks signature, issuer, audience, times and scopes, answers
/// other requests with the challenge that leads clients to the issuer, and publishes the server's
/// metadata (RFC 9728).
///
/// ```swift
/// var auth = ResourceServer(resource: "https://mcp.example.com/mcp", issuer: "https://login.example.com")
/// auth.scopes = ["notes"]
/// let listener = try await server.serveHttp(port: 8000, auth: auth)
/// ```
///
/// Tokens are JWTs (RFC 9068) by the keys that their issuer publishes, unless `introspection` or
/// `verifier` says otherwise. Handlers find who asks in `HandlerContext.principal`; single tools,
/// prompts and resources may need further scopes, given where they are added.
public struct ResourceServer: Sendable {
    /// How the issuer is asked about tokens that only it can read (RFC 7662); for one issuer.
    public struct Introspection: Hashable, Sendable {
        /// The id of this server at the issuer.
        public var clientID: String
        /// The secret of this server at the issuer.
        public var clientSecret: String
        /// The URL to ask. If nil, that of the issuer's metadata.
        public var endpoint: String?
        /// For how many seconds an answer is reused: a revoked token is refused after this time at
        /// the latest. 30, if nothing is said; 0 asks for each request.
        public var remember: Double

        /// Creates the way to ask an issuer at which this server has an id and a secret.
        public init(clientID: String, clientSecret: String, endpoint: String? = nil, remember: Double = 30) {
            (self.clientID, self.clientSecret, self.endpoint, self.remember) = (clientID, clientSecret, endpoint, remember)
        }

        fileprivate var value: Value {
            var all: [String: Value] = [
                "client_id": .string(clientID), "client_secret": .string(clientSecret), "remember": .double(remember),
            ]
            all["endpoint"] = endpoint.map(Value.string)
            return .object(all)
        }
    }

    /// Tokens that clients bind to a key, so that stolen ones are useless (DPoP, RFC 9449). It follows
    /// a draft of the protocol (SEP-1932).
    public struct DPoP: Hashable, Sendable {
        /// Whether tokens that are not bound to a key are refused. No, if nothing is said.
        public var required: Bool
        /// Makes clients repeat a nonce of this server in each proof. The secrets protect the nonces
        /// and are the same on all nodes; an empty list means a random secret. If nil, no nonces.
        public var nonces: [String]?

        /// Creates the rules for bound tokens.
        public init(required: Bool = false, nonces: [String]? = nil) { (self.required, self.nonces) = (required, nonces) }

        fileprivate var value: Value {
            var all: [String: Value] = ["required": .bool(required)]
            all["nonces"] = nonces.map { .array($0.map(Value.string)) }
            return .object(all)
        }
    }

    /// A genuine token, as a program's own verifier found it.
    public struct VerifiedToken: Hashable, Sendable {
        /// What it says, by the names of RFC 9068: `iss`, `aud` and `exp` (seconds since 1970) are
        /// needed, and `sub` or `client_id`; `scope` has its scopes with spaces between them.
        public var claims: [String: Value]
        /// For how many seconds this need not be found out again, never beyond the token's end. 0, if
        /// nothing is said: the program is asked for each request.
        public var remember: Double

        /// Creates a token that says this.
        public init(claims: [String: Value], remember: Double = 0) { (self.claims, self.remember) = (claims, remember) }

        var value: Value { ["claims": .object(claims), "remember": .double(remember)] }
    }

    /// Finds out whether a token is genuine: what it says, or nil, which the client gets 401 for. An
    /// error is told to `GuardRails.onInternalError`, and the client gets 503. Issuer, audience, times and scopes are checked
    /// afterwards, as those of any other token.
    public typealias Verifier = @Sendable (_ token: String) async throws -> VerifiedToken?

    /// The URL of this server as clients know it, for which tokens have to be.
    public var resource: String
    /// The issuers whose tokens are taken, exactly as they name themselves; at least one.
    public var issuers: [String]
    /// What every request needs. Nothing, if nothing is said.
    public var scopes: [String] = []
    /// What tokens may name as their audience instead of `resource`, for issuers that do not write
    /// that URL into tokens. Nothing else, if nothing is said.
    public var audiences: [String] = []
    /// The scopes that the metadata name. Those of `scopes`, if nothing is said.
    public var scopesSupported: [String] = []
    /// For each scope those that it stands for as well. None, if nothing is said.
    public var impliedScopes: [String: [String]] = [:]
    /// The server's name for people who are asked whether a program may use it.
    public var name: String?
    /// The URL of a page for developers.
    public var documentation: String?
    /// How far clocks may differ, in seconds. 30, if nothing is said.
    public var leeway = 30.0
    /// Asks the issuer about tokens that only it can read. If nil, tokens are JWTs.
    public var introspection: Introspection?
    /// Lets clients bind tokens to a key. If nil, such tokens are refused.
    public var dpop: DPoP?
    /// Whether the documents of an issuer with a public name may be on a private network. No, if
    /// nothing is said.
    public var privateNetworks = false
    /// Finds out in the program's own way whether a token is genuine, such as in a database. If nil,
    /// by the issuer's keys.
    public var verifier: Verifier?

    /// Creates what a server asks of tokens; what is not given here is a property.
    public init(resource: String, issuer: String, scopes: [String] = [], verifier: Verifier? = nil) {
        (self.resource, self.issuers, self.scopes, self.verifier) = (resource, [issuer], scopes, verifier)
    }

    /// The options for the engine; `service` is what it asks about tokens where there is a verifier.
    func value(_ service: String) -> Value {
        func list(_ words: [String]) -> Value { .array(words.map(Value.string)) }
        var all: [String: Value] = [
            "resource": .string(resource), "issuers": list(issuers), "scopes": list(scopes), "audiences": list(audiences),
            "scopes_supported": list(scopesSupported), "implies": .object(impliedScopes.mapValues(list)),
            "leeway": .double(leeway), "private_networks": .bool(privateNetworks),
        ]
        all["name"] = name.map(Value.string)
        all["documentation"] = documentation.map(Value.string)
        all["introspection"] = introspection?.value
        all["dpop"] = dpop?.value
        if verifier != nil { all["verifier"] = .string(service) }
        return .object(all)
    }
}

extension ResourceServer.Introspection: CustomStringConvertible, CustomReflectable {
    /// The id, never the secret.
    public var description: String { "Introspection(\(clientID))" }
    /// The same for what prints the parts of a value: without the secret.
    public var customMirror: Mirror { Mirror(self, children: ["clientID": clientID]) }
}

extension ResourceServer.DPoP: CustomStringConvertible, CustomReflectable {
    /// Whether proofs are required, never the secrets.
    public var description: String { "DPoP(required: \(required))" }
    /// The same for what prints the parts of a value: without the secrets.
    public var customMirror: Mirror { Mirror(self, children: ["required": required]) }
}

/// Who sent a request, by its verified credentials.
public struct Principal: Hashable, Sendable {
    /// Identifies the sender: the token's subject, else its client; after the issuer and a space where
    /// there are several issuers.
    public let id: String
    /// Whom the token stands for (`sub`): a user, or the client itself. Nil if it does not say so.
    public let subject: String?
    /// The client that was given the token. Nil if the token does not say so.
    public let clientID: String?
    /// Who made the token. Nil without a token.
    public let issuer: String?
    /// What the token allows. Empty without a token.
    public let scopes: [String]
    /// From when on the token is void. Nil without a token.
    public let expiresAt: Date?
    /// All that the token says. Empty without a token.
    public let claims: [String: Value]

    /// Nil for a call whose credentials were not checked.
    init?(_ about: Value) {
        guard let id = about["principal"]?.stringValue else { return nil }
        let token = about["token"]
        self.id = id
        (subject, clientID, issuer) = (token?["subject"]?.stringValue, token?["clientId"]?.stringValue, token?["issuer"]?.stringValue)
        scopes = (token?["scopes"]?.arrayValue ?? []).compactMap(\.stringValue)
        expiresAt = (token?["expiresAt"]?.doubleValue).map(Date.init(timeIntervalSince1970:))
        claims = token?["claims"]?.objectValue ?? [:]
    }
}
