// Where tokens and registrations are kept. Owns: what a keychain has to do, and the stores to choose
// from. Must not know: what is in the credentials.
import Foundation

/// Keeps what a client knows about its authorization at one server: tokens and the registrations
/// of the client. A keychain implements it with one item for each server, the server's URL as the
/// account and the credentials as the value.
///
/// ```swift
/// struct Keychain: OAuthCredentialStore {
///     let service = "com.example.app"
///
///     func load(server: String) async throws -> Data? {
///         let query = [
///             kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: server,
///             kSecReturnData: true,
///         ] as CFDictionary
///         var found: CFTypeRef?
///         let status = SecItemCopyMatching(query, &found)
///         guard status == errSecSuccess || status == errSecItemNotFound else { throw KeychainError(status) }
///         return found as? Data
///     }
///     // save and delete alike
/// }
/// ```
public protocol OAuthCredentialStore: Sendable {
    /// What is kept for a server, or nil.
    func load(server: String) async throws -> Data?
    /// Keeps this for a server, in place of what was kept. It is text with all secrets legible: keep
    /// it where nobody else reads it.
    func save(_ credentials: Data, server: String) async throws
    /// Removes what is kept for a server.
    func delete(server: String) async throws
}

/// Where credentials are kept.
public struct OAuthStorage: Sendable {
    enum Place: Sendable {
        case memory
        case folder(URL)
        case program(any OAuthCredentialStore)
    }
    let place: Place

    /// In memory, the default: users sign in again each time the program starts.
    public static let memory = OAuthStorage(place: .memory)

    /// In files of a folder that only the user can read. Programs that share the folder refresh a
    /// token once: one of them does, the others take what it brought.
    public static func folder(_ folder: URL) -> OAuthStorage { .init(place: .folder(folder)) }

    /// In a keychain, or anything else that the program implements.
    public static func store(_ store: any OAuthCredentialStore) -> OAuthStorage { .init(place: .program(store)) }
}
