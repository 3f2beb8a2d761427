// Assertions that a client signs by a function, in the words of the official package. Must not know:
// who asks for one.
import Foundation

#if canImport(CryptoKit)
    import CryptoKit
#endif

extension OAuthConfiguration {
    /// How an assertion is signed.
    public enum PrivateKeyJWTSigningAlgorithm: String, Hashable, Sendable {
        /// ECDSA on P-256 with SHA-256.
        case ES256
    }

    /// Signs an assertion of a client (`private_key_jwt`, RFC 7523), for `JWTAssertionFactory`. It
    /// needs CryptoKit, which systems other than Apple's do not have: `assertionKey` signs everywhere,
    /// without code.
    ///
    /// - Parameters:
    ///   - clientID: The client, in `iss` and `sub`.
    ///   - tokenEndpoint: Where the assertion is sent.
    ///   - privateKeyPEM: The key on P-256, as PEM.
    ///   - signingAlgorithm: How it is signed.
    ///   - audience: For whom it is, in `aud`; the token endpoint, if nothing is said.
    ///   - issuedAt: From when on it is good; now, if nothing is said.
    ///   - expiresIn: For how many seconds it is good; 300, if nothing is said.
    /// - Throws: `usage` if `expiresIn` is not above zero, and where there is no CryptoKit; CryptoKit's
    ///   error if the key cannot be read.
    public static func makePrivateKeyJWTAssertion(
        clientID: String, tokenEndpoint: URL, privateKeyPEM: String, signingAlgorithm: PrivateKeyJWTSigningAlgorithm = .ES256,
        audience: String? = nil, issuedAt: Date = Date(), expiresIn: TimeInterval = 300
    ) throws -> String {
        if expiresIn <= 0 { throw MCPError.usage("expiresIn is \(expiresIn): an assertion is good for more than 0 seconds") }
        #if canImport(CryptoKit)
            let start = Int(issuedAt.timeIntervalSince1970)
            let claims: Value = [
                "iss": .string(clientID), "sub": .string(clientID), "aud": .string(audience ?? tokenEndpoint.absoluteString),
                "iat": .int(start), "exp": .int(start + max(1, Int(expiresIn))), "jti": .string(UUID().uuidString),
            ]
            let head: Value = ["alg": .string(signingAlgorithm.rawValue), "typ": "JWT"]
            let signed = "\(base64URL(Data(head.text.utf8))).\(base64URL(Data(claims.text.utf8)))"
            let key = try P256.Signing.PrivateKey(pemRepresentation: privateKeyPEM)
            return "\(signed).\(base64URL(try key.signature(for: Data(signed.utf8)).rawRepresentation))"
        #else
            throw MCPError.usage("only CryptoKit signs assertions here: set assertionKey, and the engine signs them")
        #endif
    }

    #if canImport(CryptoKit)
        private static func base64URL(_ data: Data) -> String {
            data.base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
                .replacingOccurrences(of: "=", with: "")
        }
    #endif
}
