// How a client signs in, as programs choose it. Must not know: how tokens are obtained, how the
// engine is told.
import Foundation

/// How `OAuthAuthorizer` signs in at servers that want a token (OAuth 2.1). For a program on the
/// user's computer a name is enough: the browser opens and comes back to a free port of 127.0.0.1,
/// the client registers by itself, and tokens end with the program.
///
/// ```swift
/// var configuration = OAuthConfiguration(clientName: "Example")
/// configuration.clientMetadataURL = URL(string: "https://example.com/client.json")
/// configuration.storage = .folder(folder)
/// ```
///
/// A program that acts for itself has a client that was registered for it:
///
/// ```swift
/// let report = OAuthClient(id: "nightly-report", secret: secret, issuer: "https://login.example.com")
/// let configuration = OAuthConfiguration(clientName: "Nightly report", grantType: .clientCredentials, clients: [report])
/// ```
public struct OAuthConfiguration: Sendable {
    /// For whom tokens are requested.
    public enum GrantType: Hashable, Sendable {
        /// For a user, who agrees in a browser.
        case authorizationCode
        /// For the program itself.
        case clientCredentials
        /// For a user for whom a company's identity provider speaks (ID-JAG). Without a provider,
        /// `supply` returns the provider's grant (`OAuthNeed.identityAssertion`); with one, a token
        /// of the user (`OAuthNeed.subjectToken`).
        case enterpriseManaged(OAuthIdentityProvider?)
        /// For the program itself, which is known by an assertion of the platform it runs on
        /// (`OAuthNeed.workloadAssertion`). It follows a draft.
        case workloadIdentity
    }

    /// The name that users see when they are asked.
    public var clientName: String
    /// For whom tokens are requested. A user, if nothing is said.
    public var grantType: GrantType
    /// Clients that were registered by hand, at most one for each issuer. Where none fits, the
    /// client is known by `clientMetadataURL` if the authorization server reads such documents,
    /// else it registers by itself.
    public var clients: [OAuthClient]
    /// Whether a client in `clients` without an issuer may be used at whichever authorization server
    /// the server names first. Off: its secret could go to a server it is not meant for.
    public var bindsClients = false
    /// The HTTPS URL where the program publishes its metadata (client id metadata document), which is
    /// its id at authorization servers that read such documents.
    public var clientMetadataURL: URL?
    /// The scopes to request where the server does not say which it needs. None, if nothing is
    /// said.
    public var scopes: [String]
    /// Who shows users the page of the authorization server. The browser of this machine, if nothing
    /// is said.
    public var browser: OAuthBrowser
    /// Seconds that a user may take in the browser.
    public var browserTimeout = 300.0
    /// Where tokens and registrations are kept. In memory, if nothing is said.
    public var storage: OAuthStorage
    /// The key of clients that prove themselves with one (`private_key_jwt`). Without it they are
    /// asked for an assertion with `supply`.
    public var assertionKey: OAuthAssertionKey?
    /// A key that tokens are bound to where the authorization server does so, so that a stolen one is
    /// worth nothing; each request then goes with a proof (DPoP, RFC 9449). By default they are bound
    /// to none: it follows a draft (SEP-1932).
    public var dpop: OAuthDPoPKey?
    /// Returns what only the program has; nil ends the sign-in with an error that names it.
    public var supply: (@Sendable (OAuthNeed) async throws -> String?)?
    /// Asks the user to register a client by hand, at an authorization server that lets no client
    /// register by itself. It is given the server's issuer and the metadata to register, and returns
    /// the client, or nil if the user gives up.
    public var registerByHand: (@Sendable (_ issuer: String, _ metadata: Value) async throws -> OAuthClient?)?
    /// Returns a token that the program has from elsewhere. If nil, tokens come by way of
    /// `grantType`.
    public var accessTokenProvider: AccessTokenProvider?
    /// Further options of the engine by name, such as `private_networks`, `max_step_ups`, `extra`,
    /// `assume_id_jag` and `default_endpoints`.
    public var options: [String: Value] = [:]

    /// Creates a configuration; what is not given here is a property.
    public init(
        clientName: String, grantType: GrantType = .authorizationCode, clients: [OAuthClient] = [],
        clientMetadataURL: URL? = nil, scopes: [String] = [], browser: OAuthBrowser = .loopback(),
        storage: OAuthStorage = .memory, assertionKey: OAuthAssertionKey? = nil
    ) {
        (self.clientName, self.grantType, self.clients) = (clientName, grantType, clients)
        (self.clientMetadataURL, self.scopes, self.browser) = (clientMetadataURL, scopes, browser)
        (self.storage, self.assertionKey) = (storage, assertionKey)
    }
}
