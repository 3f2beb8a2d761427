// The user's way to an authorization server and back. Owns: who shows the page, and where the browser
// returns to. Must not know: whether what came back is good.
import Foundation

/// Shows users the page of an authorization server, and waits until their browser comes back.
public protocol OAuthAuthorizationDelegate: Sendable {
    /// Shows the page at `url` and returns the URL that the browser came back to, with everything
    /// in it. Throw if the user gives up; `CancellationError` and `ASWebAuthenticationSessionError`
    /// are as good as any. The URL is for the user's browser only and belongs into no log.
    func presentAuthorizationURL(_ url: URL) async throws -> URL
}

/// Who shows users the page of an authorization server, and where their browser comes back to.
///
/// In an app, `ASWebAuthenticationSession` does both:
///
/// ```swift
/// let browser = OAuthBrowser.callback(redirectURI: URL(string: "https://app.example.com/signed-in")!) { url, redirectURI in
///     try await withCheckedThrowingContinuation { signedIn in
///         Task { @MainActor in
///             let session = ASWebAuthenticationSession(
///                 url: url, callback: .https(host: redirectURI.host()!, path: redirectURI.path())
///             ) { cameBackTo, error in
///                 signedIn.resume(with: cameBackTo.map(Result.success) ?? .failure(error ?? CancellationError()))
///             }
///             session.presentationContextProvider = window
///             session.start()
///         }
///     }
/// }
/// ```
public struct OAuthBrowser: Sendable {
    /// Shows the page at the first URL and returns the URL that the browser came back to: the
    /// second one, the redirect URI, with the answer of the authorization server in its query.
    /// Throw if the user gives up: the request fails with `unauthorized`, which has the words of any
    /// other error than `CancellationError` and `ASWebAuthenticationSessionError.canceledLogin`.
    public typealias Present = @Sendable (_ url: URL, _ redirectURI: URL) async throws -> URL

    /// Opens a browser at a URL, without waiting for the user.
    public typealias Open = @Sendable (_ url: URL) async throws -> Void

    enum Way: Sendable {
        case loopback(port: UInt16, path: String?, Open?)
        case callback(URL, Present)
    }
    let way: Way

    /// A browser on this computer that comes back to a port of 127.0.0.1; the default. Name a `port`
    /// where the authorization server wants the one that was registered; 0 chooses a free one.
    /// `path` begins with a slash; if nil, the engine's own. `open` shows the page; if nil, the
    /// system's browser does, which phones and tablets do not have: use `callback` there.
    public static func loopback(port: UInt16 = 0, path: String? = nil, open: Open? = nil) -> OAuthBrowser {
        .init(way: .loopback(port: port, path: path, open))
    }

    /// A function of the program. `redirectURI` is where the browser comes back to; a scheme of the
    /// app's own, such as `com.example.app:/signed-in`, is accepted, but any app can claim it:
    /// prefer `https`.
    public static func callback(redirectURI: URL, _ present: @escaping Present) -> OAuthBrowser {
        .init(way: .callback(redirectURI, present))
    }

    /// A delegate of the program. `redirectURI` is where the browser comes back to.
    public static func delegate(_ delegate: any OAuthAuthorizationDelegate, redirectURI: URL) -> OAuthBrowser {
        .callback(redirectURI: redirectURI) { url, _ in try await delegate.presentAuthorizationURL(url) }
    }
}
