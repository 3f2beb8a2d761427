// Signing in as a program switches it on. Owns: which transports it is for, and signing out. Must not
// know: what is chosen, what the program is asked, how tokens are obtained.
import Foundation
import MCPBoltEngine

/// Signs users or programs in at servers that want a token (OAuth 2.1). A server that refuses a
/// request says which authorization server it trusts; the user agrees in a browser; tokens are
/// kept, refreshed, and sent to that server only.
///
/// ```swift
/// let authorizer = OAuthAuthorizer(clientName: "Example")
/// try await client.connect(transport: HTTPClientTransport(endpoint: url, authorizer: authorizer))
/// ```
///
/// One authorizer is for any number of transports; those to the same server share its tokens, and
/// users are asked once, however many requests are waiting. Users need time: where one may be asked,
/// the requests of a client may take a minute more than `OAuthConfiguration.browserTimeout`, unless
/// its option `request_timeout` says otherwise. A sign-in goes on when the request that led to it is
/// given up, so connecting again finds the token.
///
/// A sign-in that fails ends the request with an `MCPError`: `unauthorized` if the server, the
/// authorization server or the user refused, if the user took too long, if a function of the program
/// failed, or if what the servers publish cannot be trusted; `usage` if the configuration is wrong;
/// `storeError` if what is kept cannot be read or written. What a function throws as a local
/// `MCPError` stays what it is.
public final class OAuthAuthorizer: Sendable {
    /// How it signs in.
    public let configuration: OAuthConfiguration
    private let signIn: SignIn

    /// Creates an authorizer. Wrong values in the configuration are told when a transport is opened.
    public init(configuration: OAuthConfiguration) {
        self.configuration = configuration
        signIn = SignIn(configuration)
    }

    /// Creates an authorizer for users of this machine, who see the client's name when they are
    /// asked: their browser opens, the client registers by itself, and tokens end with the
    /// program.
    public convenience init(clientName: String) {
        self.init(configuration: OAuthConfiguration(clientName: clientName))
    }

    /// Signs out at the server of a transport: its tokens are forgotten, then revoked where the
    /// authorization server offers that (RFC 7009). Registrations of the client are kept. An error
    /// says that the tokens could not be revoked; they are forgotten all the same. The next request
    /// that the server refuses signs in again.
    public func signOut(_ transport: HTTPClientTransport) async throws { try await signOut(transport.reach) }

    /// The same for a transport of HTTP+SSE.
    public func signOut(_ transport: SSEClientTransport) async throws { try await signOut(transport.reach) }

    private func signOut(_ reach: Reach) async throws {
        guard case .target(let target, _) = reach else { return }
        try await signIn.signOut(target)
    }

    fileprivate var opener: any SignsIn { signIn }
}

extension HTTPClientTransport {
    /// A transport whose requests carry a token as soon as the server wants one. `options` are
    /// used for the authorization server, too. `requestModifier` changes the headers of each request to
    /// the server.
    public init(
        endpoint: URL, headers: [String: String] = [:], streaming _: Bool = true, requestModifier: RequestModifier? = nil,
        authorizer: OAuthAuthorizer?, logger _: (any Sendable)? = nil, options: HTTPOptions = .init()
    ) {
        self.init(endpoint, headers, options, authorizer?.opener, requestModifier)
    }
}

extension SSEClientTransport {
    /// A transport whose requests carry a token as soon as the server wants one.
    ///
    /// - Warning: Deprecated: httpSse, since 2025-03-26 (SEP-2596). Use `HTTPClientTransport`.
    public init(
        endpoint: URL, headers: [String: String] = [:], authorizer: OAuthAuthorizer?, options: HTTPOptions = .init()
    ) {
        self.init(endpoint, headers, options, authorizer?.opener)
    }
}
