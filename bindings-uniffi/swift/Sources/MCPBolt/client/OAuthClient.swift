// The client as authorization servers know it, and what proves that it is that client. Must not
// know: how a client signs in.
import Foundation
import MCPBoltEngine

/// A client of an authorization server that was registered by hand.
///
/// ```swift
/// let report = OAuthClient(id: "nightly-report", secret: secret, issuer: "https://login.example.com")
/// ```
public struct OAuthClient: Hashable, Sendable {
    /// How a client proves to an authorization server that it is the one that was registered.
    public enum Authentication: String, Hashable, Sendable {
        /// Its secret, in the header `Authorization`.
        case clientSecretBasic = "client_secret_basic"
        /// Its secret, in the body of the request.
        case clientSecretPost = "client_secret_post"
        /// An assertion that it signs with its key: `OAuthConfiguration.assertionKey`, or one that
        /// `OAuthConfiguration.supply` returns.
        case privateKeyJWT = "private_key_jwt"
        /// Nothing. Apps that users install cannot keep a secret.
        case none = "none"
    }

    /// The client's id at the authorization server.
    public var id: String
    /// Its secret, if it has one.
    public var secret: String?
    /// The issuer of the authorization server, exactly as its metadata say it. The client's
    /// credentials are sent to no other. If nil, the client fits no server, unless
    /// `OAuthConfiguration.bindsClients` is set.
    public var issuer: String?
    /// How the client proves itself; if nil, as the authorization server's metadata say.
    public var authentication: Authentication?

    /// Creates a client with an id, and a secret if it has one, that is known to the authorization
    /// server `issuer`.
    public init(id: String, secret: String? = nil, issuer: String?, authentication: Authentication? = nil) {
        (self.id, self.secret, self.issuer, self.authentication) = (id, secret, issuer, authentication)
    }
}

extension OAuthClient: CustomStringConvertible, CustomReflectable {
    /// The id and the issuer, never the secret.
    public var description: String { "OAuthClient(\(id), issuer: \(issuer ?? "none"))" }
    /// The same for what prints the parts of a value: without the secret.
    public var customMirror: Mirror { Mirror(self, children: ["id": id, "issuer": issuer as Any]) }
}

/// A company's identity provider, which speaks for the company's users (ID-JAG).
public struct OAuthIdentityProvider: Hashable, Sendable {
    /// What the program has of the user.
    public enum SubjectToken: String, Hashable, Sendable {
        /// An ID token of OpenID Connect.
        case idToken = "urn:ietf:params:oauth:token-type:id_token"
        /// A refresh token.
        case refreshToken = "urn:ietf:params:oauth:token-type:refresh_token"
    }

    /// The provider's issuer, exactly as its metadata say it.
    public var issuer: String
    /// The URL at which tokens are exchanged; if nil, it is read from the provider's metadata.
    public var tokenEndpoint: String?
    /// The client as the provider knows it.
    public var client: OAuthClient
    /// The kind of token that `OAuthConfiguration.supply` returns for the user.
    public var subjectToken: SubjectToken

    /// Creates an identity provider at which the program is known as `client`.
    public init(issuer: String, tokenEndpoint: String? = nil, client: OAuthClient, subjectToken: SubjectToken = .idToken) {
        (self.issuer, self.tokenEndpoint, self.client, self.subjectToken) = (issuer, tokenEndpoint, client, subjectToken)
    }
}

/// A private key with which a client signs assertions (`private_key_jwt`, RFC 7523).
public struct OAuthAssertionKey: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The algorithm, such as `ES256` or `RS256`.
    public var algorithm: String
    /// The key as PEM (PKCS#8; RSA also PKCS#1).
    public var pem: String

    /// Creates a key. Whether algorithm and key fit is checked when a transport is opened with
    /// it: `usage` if they do not.
    public init(algorithm: String = "ES256", pem: String) { (self.algorithm, self.pem) = (algorithm, pem) }

    /// The algorithm, never the key.
    public var description: String { "OAuthAssertionKey(\(algorithm))" }
    /// The same for what prints the parts of a value: without the key.
    public var customMirror: Mirror { Mirror(self, children: ["algorithm": algorithm]) }
}

/// A key on P-256 that tokens are bound to (DPoP, RFC 9449): whoever steals a token cannot use it
/// without the key. It follows a draft (SEP-1932).
public struct OAuthDPoPKey: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The key in DER (PKCS#8), to be kept where nobody else reads it: tokens that outlast the program
    /// need it.
    public let pkcs8: Data
    /// The thumbprint of its public part (RFC 7638), by which tokens name it.
    public let thumbprint: String

    /// Makes a new key.
    public init() throws { try self.init(of: nil) }

    /// Reads a key that was kept, in DER (PKCS#8). Throws `usage` if it is no such key.
    public init(pkcs8: Data) throws { try self.init(of: pkcs8) }

    private init(of kept: Data?) throws {
        do {
            let key = try dpopKey(pkcs8: kept)
            (pkcs8, thumbprint) = (key.pkcs8, key.thumbprint)
        } catch { throw MCPError.of(error) }
    }

    /// The thumbprint, never the key.
    public var description: String { "OAuthDPoPKey(\(thumbprint))" }
    /// The same for what prints the parts of a value: without the key.
    public var customMirror: Mirror { Mirror(self, children: ["thumbprint": thumbprint]) }
}

/// Something that only the program has, and that a sign-in needs now.
public enum OAuthNeed: Hashable, Sendable {
    /// An assertion that the client signs, for an authorization server (`private_key_jwt`).
    case clientAssertion(clientID: String, audience: String)
    /// A grant by the company's identity provider, for tokens of `resource` by the authorization
    /// server `audience`. Needed only if no `OAuthIdentityProvider` is configured.
    case identityAssertion(audience: String, resource: String, scopes: [String])
    /// A token of the user by the company's identity provider.
    case subjectToken(OAuthIdentityProvider.SubjectToken)
    /// An assertion by the platform that the program runs on.
    case workloadAssertion(audience: String)
}
