// Signing in in the words of the official package: tokens that a program brings, and those it keeps.
import Foundation

@testable import MCPBolt

let officialSignInCases: [Case] = [
    Case(name: "a_program_brings_its_own_token_and_may_change_it") {
        let (server, listener) = try await ticketed()
        let (ticket, asked) = (Box<String?>("good"), Box<Set<URL>>([]))
        let configuration = OAuthConfiguration(
            authentication: .none(clientID: "reader"),
            accessTokenProvider: { context, session in
                asked.change { $0.insert(context.resource) }
                return ticket.value
            })
        let transport = HTTPClientTransport(endpoint: listener.url, authorizer: OAuthAuthorizer(configuration: configuration))
        let client = Client(name: "tests", version: "1")
        try await client.connect(transport: transport)
        try equal(said(try await client.callTool(name: "who")), "ann")
        try equal(asked.value, [listener.url])
        await client.disconnect()
        // Without a token the usual way is gone, which this server does not offer.
        ticket.change { $0 = nil }
        let error = try await failure { try await soon(10) { try await client.connect(transport: transport) } } as? MCPError
        try equal(error?.kind, "unauthorized")
        await server.stop()
    },
    Case(name: "a_storage_of_tokens_keeps_the_token_of_a_server") {
        let (issuer, storage, asked) = (try AuthorizationServer(), InMemoryTokenStorage(), Box(0))
        let (server, url) = try await protected(issuer)
        let configuration = OAuthConfiguration(clientName: "Example", browser: .callback(redirectURI: place) { page, _ in
            asked.change { $0 += 1 }
            return agreed(page, issuer.issuer)
        })
        let before = Date()
        for _ in 0..<2 {
            // Another one each time, as after a new start of the program.
            let authorizer = OAuthAuthorizer(configuration: configuration, tokenStorage: storage)
            let client = Client(name: "tests", version: "1")
            try await soon(10) {
                try await client.connect(transport: HTTPClientTransport(endpoint: url, authorizer: authorizer))
                try equal(said(try await client.callTool(name: "who")), "ann")
                await client.disconnect()
            }
        }
        try equal(asked.value, 1)
        let token = storage.load()
        try equal(token?.value, AuthorizationServer.accessToken)
        try equal(token?.tokenType, "Bearer")
        try equal(token?.authorizationServer?.absoluteString, issuer.issuer)
        try expect(token.map { !$0.isExpired(now: before) && !"\($0)".contains("canary") } == true, "\(String(describing: token?.expiresAt))")
        let transport = HTTPClientTransport(endpoint: url, authorizer: nil)
        try? await OAuthAuthorizer(configuration: configuration, tokenStorage: storage).signOut(transport)
        try expect(storage.load() == nil, "the token is still there")
        await server.stop()
        issuer.stop()
    },
]
