// The model behind a screen of a phone app: a remote server that its user signs in at, a long call with
// progress, and an app that is sent to the background and comes back. Nothing here is Apple's: a view
// reads `screens`, and forwards its scene phase and what an `NWPathMonitor` says.
import Foundation
import MCPBolt

/// What the screen shows.
struct Screen: Equatable, Sendable {
    /// How much of a call is done, from 0 to 1; nil while none is made.
    var progress: Double?
    var forecast: String?
    var problem: String?
}

actor ForecastModel {
    private let url: URL
    private let authorizer: OAuthAuthorizer
    private var client: Client?
    private var call: Task<Void, Never>?
    private let shows: AsyncStream<Screen>.Continuation

    /// What the screen shows, as it changes.
    nonisolated let screens: AsyncStream<Screen>

    /// `authorizer` is how the user signs in: a browser callback around `ASWebAuthenticationSession`, and a
    /// store over the keychain. One for the whole app, so that all screens share its tokens.
    init(url: URL, authorizer: OAuthAuthorizer) {
        (self.url, self.authorizer) = (url, authorizer)
        (screens, shows) = AsyncStream.makeStream()
    }

    /// The button. A second tap gives the first call up, and the server stops working on it.
    func forecast(city: String) {
        call?.cancel()
        call = Task { await show(city) }
    }

    private func show(_ city: String) async {
        shows.yield(Screen(progress: 0))
        let options = RequestOptions { [shows] step in
            shows.yield(Screen(progress: step.progress / (step.total ?? 1)))
        }
        do {
            let (content, _) = try await connected().callTool(name: "forecast", arguments: ["city": .string(city)], options: options)
            let texts = content.compactMap { if case .text(let text, _, _) = $0 { text } else { nil } }
            shows.yield(Screen(forecast: texts.joined(separator: " ")))
        } catch is CancellationError {
            // Who gave it up shows something else.
        } catch let error as MCPError where error.kind == "unauthorized" {
            shows.yield(Screen(problem: "Please sign in: \(error.message)"))
        } catch {
            shows.yield(Screen(problem: "\(error)"))
        }
    }

    /// The app is in the background, or the network is another one: sockets may be dead without a word.
    /// Nothing is lost by closing them: the tokens are in the keychain, and the next call connects.
    func suspend() async {
        call?.cancel()
        let open = client
        client = nil
        shows.yield(Screen())
        await open?.disconnect()
    }

    /// The connection, opened when it is needed first, and again once it is over; the browser is shown if
    /// there is no token yet.
    private func connected() async throws -> Client {
        if let client, await client.session?.isOpen == true { return client }
        let made = Client(name: "forecast-app", version: "1.0.0", configuration: .init(protocolVersion: "auto"))
        try await made.connect(transport: HTTPClientTransport(endpoint: url, authorizer: authorizer))
        client = made
        return made
    }
}
