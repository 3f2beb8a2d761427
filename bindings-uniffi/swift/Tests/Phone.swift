// The model of examples/swift/phone, at a server that wants tokens.
import Foundation

@testable import MCPBolt

private actor Secrets: OAuthCredentialStore {
    private(set) var items: [String: Data] = [:]
    func load(server: String) -> Data? { items[server] }
    func save(_ credentials: Data, server: String) { items[server] = credentials }
    func delete(server: String) { items[server] = nil }
}

/// A server of 2025-11-25 in a few lines, which forgets its sessions and takes no new ones while it is
/// told so.
private final class ForgetfulServer: Sendable {
    let isAway = Box(false)
    /// How many handshakes it has refused.
    let refused = Box(0)
    let url: URL
    private let listening: Int32

    init() throws {
        let (file, port) = try listeningSocket()
        (listening, url) = (file, URL(string: "http://127.0.0.1:\(port)/mcp")!)
        Thread.detachNewThread { [isAway, refused] in
            answerPeers(file) { head, body in
                let message = JSON(body).value
                let method = head[0].hasPrefix("POST") ? message["method"]?.stringValue : nil
                if isAway.value {
                    if method == "initialize" { refused.change { $0 += 1 } }
                    return Answered(status: 404)
                }
                var row: [String: Value] = ["jsonrpc": "2.0", "id": message["id"] ?? .null]
                switch method {
                case "initialize":
                    row["result"] = [
                        "protocolVersion": "2025-11-25", "capabilities": ["tools": [:]], "serverInfo": ["name": "forgetful", "version": "1"],
                    ]
                    return Answered(status: 200, headers: "Mcp-Session-Id: one\r\n", text: Value.object(row).text)
                case "tools/call":
                    row["result"] = ["content": [["type": "text", "text": "Sun"]]]
                    return Answered(status: 200, text: Value.object(row).text)
                case "notifications/initialized": return Answered(status: 202, text: "")
                case nil: return Answered(status: 405)
                default: return Answered(status: 400)
                }
            }
        }
    }

    func stop() { shutdown(listening, Int32(SHUT_RDWR)) }
}

/// Waits for a screen that holds; those before it are passed over.
private func until(_ screens: inout AsyncStream<Screen>.Iterator, _ holds: (Screen) -> Bool) async throws -> Screen {
    while let screen = await screens.next() { if holds(screen) { return screen } }
    throw Fault("there are no more screens")
}

let phoneCases: [Case] = [
    Case(name: "an_app_signs_in_once_shows_progress_and_comes_back_from_the_background") {
        let issuer = try AuthorizationServer()
        let (server, url) = try await protected(issuer)
        let (goes, go) = AsyncStream<Void>.makeStream()
        let (visits, givenUp) = (Box(0), Box<[String]>([]))
        try await server.addTool("forecast") { arguments, call in
            let city = arguments["city"]?.stringValue ?? ""
            try await call.reportProgress(1, total: 2)
            if city == "Rome" { for await _ in goes { break } }
            if city == "Oslo" {
                do { try await Task.sleep(nanoseconds: 60_000_000_000) } catch {
                    givenUp.change { $0.append(city) }
                    throw error
                }
            }
            return text("Sun in \(city)")
        }
        let secrets = Secrets()
        let browser = OAuthBrowser.callback(redirectURI: place) { page, _ in
            visits.change { $0 += 1 }
            return agreed(page, issuer.issuer)
        }
        let authorizer = OAuthAuthorizer(configuration: .init(clientName: "Forecasts", browser: browser, storage: .store(secrets)))
        let model = ForecastModel(url: url, authorizer: authorizer)
        try await soon(15) {
            var screens = model.screens.makeAsyncIterator()
            await model.forecast(city: "Rome")
            try equal(try await until(&screens) { $0.progress == 0.5 }.forecast, nil)
            go.yield()
            try equal(try await until(&screens) { $0.forecast != nil }, Screen(forecast: "Sun in Rome"))

            await model.forecast(city: "Oslo")
            _ = try await until(&screens) { $0.progress == 0.5 }
            await model.suspend()
            _ = try await until(&screens) { $0 == Screen() }
            await model.forecast(city: "Pisa")
            try equal(try await until(&screens) { $0.forecast != nil }, Screen(forecast: "Sun in Pisa"))
            while givenUp.value.isEmpty { await Task.yield() }
        }
        try equal(givenUp.value, ["Oslo"])
        try equal(visits.value, 1)
        try expect(await !secrets.items.isEmpty, "nothing is kept")
        await server.stop()
        issuer.stop()
    },
    Case(name: "a_connection_that_is_over_is_replaced_by_the_next_call") {
        let server = try ForgetfulServer()
        let model = ForecastModel(url: server.url, authorizer: OAuthAuthorizer(configuration: .init(clientName: "Forecasts")))
        try await soon(15) {
            var screens = model.screens.makeAsyncIterator()
            await model.forecast(city: "Rome")
            try equal(try await until(&screens) { $0.progress == nil }, Screen(forecast: "Sun"))
            server.isAway.change { $0 = true }
            // The first is of the client that there was, until that gives up; the second of another.
            while server.refused.value < 2 {
                await model.forecast(city: "Rome")
                _ = try await until(&screens) { $0.problem != nil }
            }
            server.isAway.change { $0 = false }
            await model.forecast(city: "Rome")
            try equal(try await until(&screens) { $0.forecast != nil }, Screen(forecast: "Sun"))
        }
        server.stop()
    },
    Case(name: "a_server_that_is_not_there_is_a_problem_on_the_screen") {
        let (file, port) = try listeningSocket()
        close(file)
        let authorizer = OAuthAuthorizer(configuration: .init(clientName: "Forecasts"))
        let model = ForecastModel(url: URL(string: "http://127.0.0.1:\(port)/mcp")!, authorizer: authorizer)
        try await soon(15) {
            var screens = model.screens.makeAsyncIterator()
            await model.forecast(city: "Rome")
            try expect(try await until(&screens) { $0.problem != nil }.problem?.isEmpty == false, "no words")
        }
    },
]
