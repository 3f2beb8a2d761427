// What a client makes of servers whose words are written by hand.
import Foundation

@testable import MCPBolt

/// A server with results as texts, by method; what has none is never answered. Gives the client's end, and
/// the methods as they come.
private func raw(_ results: [String: String]) async -> (transport: InMemoryTransport, notes: Notes) {
    let (pair, notes) = (await InMemoryTransport.createConnectedPair(), Notes())
    let line = pair.server
    Task {
        for try await data in await line.receive() {
            let asked = JSON(String(decoding: data, as: UTF8.self)).value
            let method = asked["method"]?.stringValue ?? ""
            await notes.add(method)
            guard let id = asked["id"], let result = results[method] else { continue }
            try await line.send(Data("{\"jsonrpc\":\"2.0\",\"id\":\(id.text),\"result\":\(result)}".utf8))
        }
    }
    return (pair.client, notes)
}

/// A modern server that ends each of so many subscriptions as soon as it has agreed to it.
private func ending(_ times: Int) async -> InMemoryTransport {
    let pair = await InMemoryTransport.createConnectedPair()
    let line = pair.server
    Task {
        var left = times
        for try await data in await line.receive() {
            let asked = JSON(String(decoding: data, as: UTF8.self)).value
            guard let id = asked["id"] else { continue }
            let answer = { (result: String) in Data("{\"jsonrpc\":\"2.0\",\"id\":\(id.text),\"result\":\(result)}".utf8) }
            switch asked["method"]?.stringValue {
            case "server/discover": try await line.send(answer(discovered))
            case "subscriptions/listen":
                let params: Value = [
                    "notifications": asked["params"]?["notifications"] ?? [:],
                    "_meta": ["io.modelcontextprotocol/subscriptionId": id],
                ]
                let method = SubscriptionsAcknowledgedNotification.name
                try await line.send(Data("{\"jsonrpc\":\"2.0\",\"method\":\"\(method)\",\"params\":\(params.text)}".utf8))
                if left > 0 { try await line.send(answer("{\"resultType\":\"complete\"}")) }
                left -= 1
            default: break
            }
        }
    }
    return pair.client
}

private let begun = #"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"raw","version":"1"}}"#
private let discovered = """
    {"resultType":"complete","supportedVersions":["\(modern)"],"capabilities":{"resources":{"subscribe":true}},"ttlMs":0,"cacheScope":"private"}
    """

let rawCases: [Case] = [
    Case(name: "half_a_surrogate_pair_costs_no_more_than_itself") {
        let words = #"a \ud83d b \uDE00 c \ud83d\uDE00 \\ud83d \ud7ff"#
        let read = "a \u{FFFD} b \u{FFFD} c 😀 \\ud83d \u{D7FF}"
        let server = await raw([
            "initialize": begun,
            "tools/list": #"{"tools":[{"name":"cut","description":"\#(words)","inputSchema":{"type":"object"}}]}"#,
            "tools/call": #"{"content":[{"type":"text","text":"\#(words)"}],"structuredContent":{"\ud83d":"\#(words)"}}"#,
        ])
        let client = someone()
        _ = try await soon { try await client.connect(transport: server.transport) }
        try equal(try await soon { try await client.listTools().tools.map(\.description) }, [read])
        try equal(said(try await soon { try await client.callTool(name: "cut") }), read)
        let untyped = try await soon { try await client.request("tools/call", ["name": "cut"]) }
        try equal(untyped["structuredContent"], ["\u{FFFD}": .string(read)])
        for (text, value) in [(#"\ud83d\ud83d\ude00"#, "\u{FFFD}😀"), (#"\ud83d\\ude00"#, "\u{FFFD}\\ude00"), (#"\ude00\ud83d"#, "\u{FFFD}\u{FFFD}")] {
            try equal(JSON("\"\(text)\"").value, .string(value))
            try equal(try JSON("[\"\(text)\"]").decode([String].self), [value])
        }
        await client.disconnect()
    },
    Case(name: "a_subscription_that_a_server_never_agrees_to_ends_with_the_time_of_a_request") {
        let asks: [@Sendable (Client) async throws -> Void] = [
            { try await $0.subscribeToResource(uri: "note://a") }, { _ = try await $0.session!.watchTasks(["one"]) },
        ]
        for ask in asks {
            let server = await raw(["server/discover": discovered])
            let client = Client(name: "tests", version: "1", configuration: .init(protocolVersion: .init(modern), requestTimeout: 0.5))
            _ = try await soon { try await client.connect(transport: server.transport) }
            let late = try await soon { try await failure { try await ask(client) } } as? MCPError
            try equal(late, .requestTimeout("the server has not agreed to the subscription in 0.5 s"))
            // It is not left open.
            try await server.notes.has("notifications/cancelled")
            await client.disconnect()
        }
    },
    Case(name: "a_subscription_that_ends_is_asked_for_again_and_then_the_resource_counts_as_changed") {
        let (client, notes) = (Client(name: "tests", version: "1", configuration: .init(protocolVersion: .init(modern))), Notes())
        await client.onNotification(ResourceUpdatedNotification.self) { await notes.add($0.params.uri) }
        let transport = await ending(1)
        _ = try await soon { try await client.connect(transport: transport) }
        try await soon { try await client.subscribeToResource(uri: "note://a") }
        try await notes.has("note://a")
        await client.disconnect()
    },
]
