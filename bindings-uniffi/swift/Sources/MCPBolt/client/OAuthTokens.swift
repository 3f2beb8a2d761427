// Tokens as programs for the official package see them: where they keep them, and how they bring
// their own. Must not know: how a token is obtained.
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An access token and what belongs to it, as `TokenStorage` keeps it.
public struct OAuthAccessToken: Hashable, Codable, Sendable {
    /// The token itself.
    public let value: String
    /// How it is sent: `Bearer`, or `DPoP` for one that is bound to a key.
    public let tokenType: String
    /// When it ends; nil if the server did not say.
    public let expiresAt: Date?
    /// What it is good for.
    public let scopes: Set<String>
    /// The authorization server that gave it.
    public let authorizationServer: URL?
    /// What gets the next one; nil if there is none.
    public let refreshToken: String?
    /// The client that it was given to.
    public let clientID: String?

    /// Creates a token from its parts.
    public init(
        value: String, tokenType: String, expiresAt: Date?, scopes: Set<String>, authorizationServer: URL?, refreshToken: String?,
        clientID: String? = nil
    ) {
        (self.value, self.tokenType, self.expiresAt, self.scopes) = (value, tokenType, expiresAt, scopes)
        (self.authorizationServer, self.refreshToken, self.clientID) = (authorizationServer, refreshToken, clientID)
    }

    /// Whether it ends within so many seconds; false if nobody said when it ends.
    public func isExpired(now: Date = Date(), skewSeconds: TimeInterval = 30) -> Bool {
        expiresAt.map { now.addingTimeInterval(skewSeconds) >= $0 } ?? false
    }
}

extension OAuthAccessToken: CustomStringConvertible, CustomReflectable {
    /// When it ends and what it is good for, never the token.
    public var description: String { "OAuthAccessToken(\(scopes.sorted().joined(separator: " ")), until \(expiresAt.map { "\($0)" } ?? "further notice"))" }
    /// The same for what prints the parts of a value: without the tokens.
    public var customMirror: Mirror { Mirror(self, children: ["scopes": scopes, "expiresAt": expiresAt as Any]) }
}

/// Keeps the token of one server, in the words of the official package. `OAuthCredentialStore` keeps
/// those of any number of servers, and the registrations of the client, too.
public protocol TokenStorage: Sendable {
    /// Keeps this token, in place of the one that was kept.
    func save(_ token: OAuthAccessToken)
    /// The token that was kept; nil if there is none.
    func load() -> OAuthAccessToken?
    /// Forgets the token.
    func clear()
}

/// A storage that ends with the program.
public final class InMemoryTokenStorage: TokenStorage {
    private let token = Box<OAuthAccessToken?>(nil)

    /// An empty one.
    public init() {}

    /// Keeps this token.
    public func save(_ token: OAuthAccessToken) { self.token.change { $0 = token } }
    /// The token that was kept.
    public func load() -> OAuthAccessToken? { token.value }
    /// Forgets it.
    public func clear() { token.change { $0 = nil } }
}

extension OAuthAuthorizer {
    /// Creates an authorizer that keeps its token in a storage of the program's. It is for one
    /// server; what else is known of that, such as a client that registered by itself, ends with the
    /// program.
    public convenience init(configuration: OAuthConfiguration, tokenStorage: any TokenStorage) {
        var configuration = configuration
        configuration.storage = .store(TokensOnly(tokenStorage))
        self.init(configuration: configuration)
    }
}

/// A storage of tokens as a store of credentials: the rest is kept here.
private final class TokensOnly: OAuthCredentialStore {
    private let storage: any TokenStorage
    private let kept = Box<[String: Value]>([:])

    init(_ storage: any TokenStorage) { self.storage = storage }

    func load(server: String) async throws -> Data? {
        var all = kept.value[server]?.objectValue ?? [:]
        all["tokens"] = storage.load().map { Self.row($0, server) }
        return all.isEmpty ? nil : Data(Value.object(all).text.utf8)
    }

    func save(_ credentials: Data, server: String) async throws {
        let all = JSON(ArraySlice(credentials)).value
        kept.change { $0[server] = all }
        if let token = all["tokens"].flatMap(Self.token) { storage.save(token) } else { storage.clear() }
    }

    func delete(server: String) async throws {
        kept.change { $0[server] = nil }
        storage.clear()
    }

    /// The token among the engine's credentials.
    private static func token(_ row: Value) -> OAuthAccessToken? {
        guard let value = row["access_token"]?.stringValue else { return nil }
        return OAuthAccessToken(
            value: value, tokenType: row["scheme"] == dpop ? "DPoP" : "Bearer",
            expiresAt: (row["expires_at"]?.doubleValue).map(Date.init(timeIntervalSince1970:)),
            scopes: Set((row["scopes"]?.arrayValue ?? []).compactMap(\.stringValue)),
            authorizationServer: row["issuer"]?.stringValue.flatMap(URL.init(string:)),
            refreshToken: row["refresh_token"]?.stringValue, clientID: row["client_id"]?.stringValue)
    }

    private static let dpop: Value = "dpop"

    /// The same the other way round. The issuer is kept as its text, to the letter.
    private static func row(_ token: OAuthAccessToken, _ server: String) -> Value {
        var row: [String: Value] = [
            "access_token": .string(token.value), "scopes": .array(token.scopes.sorted().map(Value.string)), "resource": .string(server),
        ]
        row["refresh_token"] = token.refreshToken.map(Value.string)
        row["expires_at"] = token.expiresAt.map { .int(Int($0.timeIntervalSince1970)) }
        row["issuer"] = token.authorizationServer.map { .string($0.absoluteString) }
        row["client_id"] = token.clientID.map(Value.string)
        if token.tokenType == "DPoP" { row["scheme"] = dpop }
        return .object(row)
    }
}

extension OAuthConfiguration {
    /// What a program that brings its own token is told.
    public struct AccessTokenProviderContext: Hashable, Sendable {
        /// The URL of the server, as the transport has it.
        public let endpoint: URL
        /// The same without a fragment: what the token is for (RFC 8707).
        public let resource: URL
    }

    /// Returns a token that the program has from elsewhere; nil if it has none, and the way of
    /// `grantType` is gone. It is asked before each request, so that a token can be changed while the
    /// program runs, and before anybody has looked for an authorization server: keep the token at
    /// hand. Once there is a token by way of `grantType`, that is sent. `session` is the shared one.
    public typealias AccessTokenProvider = @Sendable (_ context: AccessTokenProviderContext, _ session: URLSession) async throws -> String?

    /// The header with the program's own token, for requests to a server.
    func ownToken(_ endpoint: URL) -> HeaderHook? {
        guard let provider = accessTokenProvider else { return nil }
        var parts = URLComponents(url: endpoint, resolvingAgainstBaseURL: false)
        parts?.fragment = nil
        let context = AccessTokenProviderContext(endpoint: endpoint, resource: parts?.url ?? endpoint)
        return { _ in try await provider(context, .shared).map { [["authorization", "Bearer \($0)"]] } ?? [] }
    }
}
