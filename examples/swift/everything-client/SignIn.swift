// Signing in where no user is there: the conformance suites answer in their place.
import Foundation
import MCPBolt

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Nothing listens there: the answer is read from where the browser would be sent.
private let redirectURI = URL(string: "http://localhost:3000/callback")!
/// The one document that the suites know.
private let metadataURL = URL(string: "https://conformance-test.local/client-metadata.json")!

/// What signs in as a scenario wants to see it, with what the scenario gives.
func signIn(_ scenario: String, _ given: Value) throws -> OAuthAuthorizer {
    var configuration = OAuthConfiguration(
        clientName: "mcpbolt-everything-client", browser: .callback(redirectURI: redirectURI) { url, _ in try await visit(url) })
    switch scenario {
    case "auth/basic-cimd":
        configuration.clientMetadataURL = metadataURL
    case "auth/client-credentials-basic", "auth/client-credentials-jwt":
        configuration.grantType = .clientCredentials
    case "auth/enterprise-managed-authorization", "auth/cross-app-access-complete-flow":
        configuration.grantType = .enterpriseManaged(identityProvider(given))
        // The mocks take the grant without saying so.
        configuration.options["assume_id_jag"] = true
    case "auth/wif-jwt-bearer":
        configuration.grantType = .workloadIdentity
    case "auth/dpop", "auth/dpop-nonce":
        configuration.dpop = try OAuthDPoPKey()
    case _ where scenario.hasPrefix("auth/2025-03-26"):
        // Servers of 2025-03-26 publish less, or nothing.
        configuration.options["default_endpoints"] = "always"
    default:
        break
    }
    if let client = client(given) {
        configuration.clients = [client]
        // Older suites name no issuer.
        configuration.bindsClients = true
    }
    if let pem = given["private_key_pem"]?.stringValue {
        configuration.assertionKey = OAuthAssertionKey(algorithm: given["signing_algorithm"]?.stringValue ?? "ES256", pem: pem)
    }
    configuration.supply = { need in
        switch need {
        case .subjectToken: given["idp_id_token"]?.stringValue
        case .workloadAssertion: given["valid_jwt"]?.stringValue
        case .clientAssertion, .identityAssertion: nil
        }
    }
    return OAuthAuthorizer(configuration: configuration)
}

/// The client that the suite registered, where it is shown at all.
private func client(_ given: Value) -> OAuthClient? {
    guard given["valid_jwt"] == nil, let id = given["client_id"]?.stringValue else { return nil }
    return OAuthClient(
        id: id, secret: given["client_secret"]?.stringValue, issuer: given["issuer"]?.stringValue,
        authentication: given["private_key_pem"] == nil ? nil : .privateKeyJWT)
}

private func identityProvider(_ given: Value) -> OAuthIdentityProvider? {
    guard let issuer = given["idp_issuer"]?.stringValue, let id = given["idp_client_id"]?.stringValue else { return nil }
    return OAuthIdentityProvider(
        issuer: issuer, tokenEndpoint: given["idp_token_endpoint"]?.stringValue, client: OAuthClient(id: id, issuer: issuer))
}

/// Asks the authorization server as a browser would, and reads where it sends the browser.
private func visit(_ url: URL) async throws -> URL {
    let session = URLSession(configuration: .ephemeral, delegate: Staying(), delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    let (_, answer) = try await session.data(for: URLRequest(url: url))
    let location = (answer as? HTTPURLResponse)?.value(forHTTPHeaderField: "Location")
    guard let cameBackTo = location.flatMap({ URL(string: $0) }) else {
        throw MCPError.transportError("the authorization server sends the browser nowhere")
    }
    return cameBackTo
}

/// Follows no redirect.
private final class Staying: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _: URLSession, task _: URLSessionTask, willPerformHTTPRedirection _: HTTPURLResponse, newRequest _: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) { completionHandler(nil) }
}
