// A client that signs in: `auth-client URL SCENARIO`, the same in every language.
//
// A line `open URL` on standard output asks for the browser; the line that comes back is where the
// browser ended. The rest of standard output is one JSON object a line: what tools said.
import Foundation
import MCPBolt

private let atOnce = 64

@main
struct AuthClient {
    static func main() async {
        await run {
            let words = try Arguments().rest
            guard words.count == 2, let url = URL(string: words[0]) else { throw MCPError.usage("say auth-client URL SCENARIO") }
            let client = Client(name: "example", version: "1.0", configuration: .init(options: ["request_timeout": 60]))
            let authorizer = OAuthAuthorizer(configuration: try configuration(words[1]))
            try await client.connect(transport: HTTPClientTransport(endpoint: url, authorizer: authorizer))
            tell("whoami", .string(await call(client, "whoami")))
            if words[1] == "refresh" {
                show("ready")
                _ = await line()
                tell("at_once", .array(await together(client).map(Value.string)))
            } else if ProcessInfo.processInfo.environment["READS_ONLY"] == nil {
                tell("write", .string(await call(client, "write")))
            }
            await client.disconnect()
        }
    }
}

private func setting(_ name: String) throws -> String {
    guard let value = ProcessInfo.processInfo.environment[name] else { throw MCPError.usage("\(name) is not set") }
    return value
}

private func configuration(_ scenario: String) throws -> OAuthConfiguration {
    guard let redirectURI = URL(string: try setting("REDIRECT_URI")) else { throw MCPError.usage("REDIRECT_URI is no URL") }
    var configuration = OAuthConfiguration(
        clientName: "Example",
        browser: .callback(redirectURI: redirectURI) { url, _ in
            show("open \(url.absoluteString)")
            guard let cameBackTo = URL(string: await line()) else { throw MCPError.usage("the browser ended nowhere") }
            return cameBackTo
        })
    switch scenario {
    case "dynamic", "refresh": break
    case "registered":
        configuration.clients = [OAuthClient(id: try setting("CLIENT_ID"), issuer: try setting("ISSUER"), authentication: OAuthClient.Authentication.none)]
    case "document": configuration.clientMetadataURL = URL(string: try setting("DOCUMENT_URL"))
    case "machine":
        configuration.grantType = .clientCredentials
        configuration.clients = [try withSecret("MACHINE")]
    case "company": try speaksForTheUser(&configuration)
    default: throw MCPError.usage("\(scenario) is no scenario")
    }
    return configuration
}

/// A client that was registered by hand, with the secret that it has.
private func withSecret(_ name: String) throws -> OAuthClient {
    OAuthClient(id: try setting("\(name)_ID"), secret: try setting("\(name)_SECRET"), issuer: try setting("ISSUER"))
}

/// Signs in by the word of a company's identity provider.
private func speaksForTheUser(_ configuration: inout OAuthConfiguration) throws {
    let (issuer, token) = (try setting("IDP_ISSUER"), try setting("IDP_ID_TOKEN"))
    let client = OAuthClient(id: try setting("IDP_CLIENT_ID"), issuer: issuer)
    configuration.grantType = .enterpriseManaged(OAuthIdentityProvider(issuer: issuer, client: client))
    configuration.clients = [try withSecret("COMPANY_APP")]
    configuration.supply = { need in need == .subjectToken(.idToken) ? token : nil }
    // An authorization server may take the grant without saying so.
    configuration.options = ["assume_id_jag": true]
}

/// What a tool says.
private func call(_ client: Client, _ tool: String) async -> String {
    do { return textOf(try await client.callTool(name: tool, arguments: [:]).content) } catch { return "failed: \(error)" }
}

/// As many calls as are refused at once.
private func together(_ client: Client) async -> [String] {
    await withTaskGroup(of: String.self) { group in
        for _ in 0..<atOnce { group.addTask { await call(client, "whoami") } }
        return await group.reduce(into: []) { $0.append($1) }
    }
}

private func tell(_ name: String, _ value: Value) { show(Value.object([name: value]).description) }

/// A line of standard output, at once.
private func show(_ words: String) { FileHandle.standardOutput.write(Data("\(words)\n".utf8)) }

/// The next line of standard input; it is read on a thread that may block.
private func line() async -> String {
    await withCheckedContinuation { taker in
        Thread.detachNewThread { taker.resume(returning: readLine() ?? "") }
    }
}
