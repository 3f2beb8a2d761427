// The words in which programs for the official package configure a sign-in. Must not know: how it
// is carried out.
import Foundation

extension OAuthConfiguration {
    /// How a client is known to the authorization server, in the words of the official package.
    public enum TokenEndpointAuthentication: Sendable {
        /// A client with a secret, which it sends in the header `Authorization`.
        case clientSecretBasic(clientID: String, clientSecret: String)
        /// A client with a secret, which it sends in the body of the request.
        case clientSecretPost(clientID: String, clientSecret: String)
        /// A client without a secret. An `https` URL is that of its metadata document; without an
        /// id it registers by itself.
        case none(clientID: String)
        /// A client that signs assertions with a key.
        case privateKeyJWT(clientID: String, assertionFactory: JWTAssertionFactory)
    }

    /// Returns a signed assertion (`private_key_jwt`) of a client for a token endpoint.
    /// `assertionKey` does the same without code.
    public typealias JWTAssertionFactory = @Sendable (_ tokenEndpoint: URL, _ clientID: String) async throws -> String

    /// Creates a configuration in the words of the official package. `issuer` is the authorization
    /// server that the client is registered at, exactly as its metadata say it; if nil, the client is
    /// used at whichever the server names first (`bindsClients`). Without `authorizationDelegate` the
    /// browser of this machine opens, and comes back to `authorizationRedirectURI`, which has to be at
    /// 127.0.0.1 then, or to a free port.
    public init(
        grantType: GrantType = .clientCredentials, authentication: TokenEndpointAuthentication, issuer: String? = nil,
        authorizationRedirectURI: URL? = nil, clientName: String = "mcpbolt", accessTokenProvider: AccessTokenProvider? = nil,
        authorizationDelegate: (any OAuthAuthorizationDelegate)? = nil
    ) {
        self.init(clientName: clientName, grantType: grantType)
        self.accessTokenProvider = accessTokenProvider
        bindsClients = issuer == nil
        switch authentication {
        case .clientSecretBasic(let id, let secret):
            clients = [OAuthClient(id: id, secret: secret, issuer: issuer, authentication: .clientSecretBasic)]
        case .clientSecretPost(let id, let secret):
            clients = [OAuthClient(id: id, secret: secret, issuer: issuer, authentication: .clientSecretPost)]
        case .none(let id) where id.hasPrefix("https://"):
            clientMetadataURL = URL(string: id)
        case .none(let id):
            clients = id.isEmpty ? [] : [OAuthClient(id: id, issuer: issuer, authentication: OAuthClient.Authentication.none)]
        case .privateKeyJWT(let id, let factory):
            clients = [OAuthClient(id: id, issuer: issuer, authentication: .privateKeyJWT)]
            options["audience"] = "token_endpoint"
            supply = { need in
                guard case .clientAssertion(let id, let audience) = need, let endpoint = URL(string: audience) else { return nil }
                return try await factory(endpoint, id)
            }
        }
        browser = Self.browser(authorizationDelegate, authorizationRedirectURI)
    }

    private static func browser(_ delegate: (any OAuthAuthorizationDelegate)?, _ place: URL?) -> OAuthBrowser {
        if let delegate { return .delegate(delegate, redirectURI: place ?? anywhere) }
        guard let place else { return .loopback() }
        if place.scheme == "http", place.host == "127.0.0.1" {
            return .loopback(port: UInt16(clamping: place.port ?? 0), path: place.path.isEmpty ? "/" : place.path)
        }
        return .callback(redirectURI: place) { _, _ in
            throw MCPError.usage("authorizationRedirectURI: only a delegate can receive what comes back to a place other than http://127.0.0.1")
        }
    }

    /// Where a browser comes back to if a delegate names no place: it reads the answer there by
    /// itself.
    private static let anywhere = URL(string: "http://127.0.0.1:33418/callback")!
}
