// Who may use a server over HTTP: what a server's own verifier decides, and what clients learn of it.
import Foundation

@testable import MCPBolt

/// A server that tells each client its principal, and lets those in who have a ticket.
private func ticketed() async throws -> (Server, Server.Listener) {
    let server = try await echoServer()
    try await server.addTool("who") { _, call in text(call.about["principal"]?.stringValue ?? "nobody") }
    await server.withVerifier { head in
        let headers = (head["headers"]?.arrayValue ?? []).compactMap { pair in pair[0]?.stringValue == "authorization" ? pair[1]?.stringValue : nil }
        switch headers.first {
        case "Bearer good": return ["principal": "ann"]
        case "Bearer open": return ["principal": nil]
        case "Bearer broken": throw Fault("the list of tickets cannot be read")
        case "Bearer other": return ["status": 403, "challenge": "Bearer error=\"insufficient_scope\""]
        default: return ["status": 401, "challenge": "Bearer"]
        }
    }
    return (server, try await server.serveHttp(options: ["verify": true]))
}

let authorizationCases: [Case] = [
    Case(name: "a_verifier_says_who_asks_and_who_may_not") {
        let (server, listener) = try await ticketed()
        for protocolVersion in ["2025-11-25", modern] {
            func client() -> Client { Client(name: "tests", version: "1", configuration: .init(protocolVersion: protocolVersion)) }
            func way(_ ticket: String?) -> HTTPClientTransport {
                HTTPClientTransport(endpoint: listener.url, headers: ticket.map { ["Authorization": "Bearer \($0)"] } ?? [:])
            }
            for (ticket, principal) in [("good", "ann"), ("open", "nobody")] {
                let known = client()
                try await soon { try await known.connect(transport: way(ticket)) }
                try equal(said(try await known.callTool(name: "who")), principal)
                await known.disconnect()
            }
            // A verifier that fails lets nobody in.
            for (ticket, kind) in [(nil, "unauthorized"), ("wrong", "unauthorized"), ("other", "forbidden"), ("broken", "forbidden")] {
                let stranger = client()
                let error = try await soon { try await failure { try await stranger.connect(transport: way(ticket)) } }
                try equal((error as? MCPError)?.kind, kind)
                try expect(!"\(error)".contains("tickets"), "\(error)")
            }
        }
        await server.stop()
    },
]
