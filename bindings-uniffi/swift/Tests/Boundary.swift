// The boundary cases, with the names they have in every language.
import Foundation
import MCPBoltEngine

@testable import MCPBolt

/// What can be pending when a connection ends.
private let pending: [(String, @Sendable (Client) async throws -> Void)] = [
    ("call", { _ = try await $0.callTool(name: "hang") }),
    ("ask", { _ = try await $0.callTool(name: "ask") }),
    ("progress", { _ = try await $0.callTool(name: "hang", options: .init(onProgress: { _ in })) }),
    ("raw", { _ = try await $0.request("acme/hang") }),
]

private func hanging(_ notes: Notes) async throws -> Server {
    let server = try await echoServer()
    try await server.addTool("hang") { _, _ in
        await notes.add("started")
        await cancelled()
        await notes.add("cancelled")
        throw CancellationError()
    }
    try await server.addTool("ask") { _, call in
        await notes.add("started")
        _ = try await call.elicit(message: "who?", requestedSchema: ["type": "object", "properties": [:]])
        return text("")
    }
    await server.withMethodHandler("acme/hang") { _, _ in
        await notes.add("started")
        await cancelled()
        throw CancellationError()
    }
    return server
}

private func quietClient() async -> Client {
    let client = Client(name: "tests", version: "1")
    await client.withElicitationHandler { _ in
        await cancelled()
        throw CancellationError()
    }
    return client
}

/// Kilobytes in memory, open descriptors, threads.
private func weight() -> (memory: Int, files: Int, threads: Int) {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    func number(_ name: String) -> Int {
        let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") } ?? ""
        return Int(line.filter(\.isNumber)) ?? 0
    }
    let files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0
    return (number("VmRSS"), files, number("Threads"))
}

private let full = ProcessInfo.processInfo.environment["MCPBOLT_TEST_FULL"] == "1"

let boundaryCases: [Case] = [
    Case(name: "each_error_kind_crosses") {
        let server = try await echoServer(.init(options: ["error_detail": "message"]))
        let client = Client(name: "tests", version: "1", configuration: .init(protocolVersion: "2025-11-25"))
        let errors: [MCPError] = [
            .parseError("p"), .invalidRequest("r"), .methodNotFound("m"), .invalidParams("i"), .internalError("e"),
            .resourceNotFound(uri: "a://b"), .serverError(code: 7, message: "own", data: ["a": 1]),
            .serverError(code: 429, message: "slowly"), .rateLimited("slowly"), .rejected("no"),
            .urlElicitationRequired(message: "open", elicitations: [.init(message: "m", url: "https://a.example/", elicitationId: "e")]),
        ]
        try await server.addTool("refuse", inputSchema: ["type": "object"]) { args, _ in throw errors[args["n"]!.intValue!] }
        try await client.connect(to: server)
        for (at, wanted) in errors.enumerated() {
            let error = try await failure { try await client.callTool(name: "refuse", arguments: ["n": .int(at)]) } as? MCPError
            try equal(error?.kind, wanted.kind)
            try equal(error?.code, wanted.code)
            try equal(error?.message, wanted.message)
            try equal(error?.data, wanted.data)
        }
        // Every row of the engine's table has its case here.
        for row in JSON(errorNames()).value.arrayValue ?? [] {
            let kind = row[0]?.stringValue ?? ""
            let made = MCPError(kind: kind, code: 1, message: "m", data: nil)
            try equal(made.kind, kind)
            try equal(made.isLocal, row[2]?.boolValue ?? false)
            if case .serverError = made { try equal(kind, "peer") }
        }
        let undeclared = MCPError.missingClientCapability(nil, data: ["requiredCapabilities": ["sampling": [:]]])
        try expect(undeclared.requiredCapabilities?.sampling != nil, "\(undeclared)")
        try equal(MCPError.unsupportedProtocolVersion(nil, data: ["supported": ["2025-11-25"]]).supportedVersions, ["2025-11-25"])
        try equal(MCPError.rateLimited(nil, data: ["supported": []]).supportedVersions, nil)
        let slow = try await failure { try await client.callTool(name: "nothing", options: .init(timeout: -1)) } as? MCPError
        try equal(slow?.kind, "usage")
        await client.disconnect()
    },
    Case(name: "cancelling_a_hung_call_stops_it") {
        let (notes, client) = (Notes(), await quietClient())
        let server = try await hanging(notes)
        try await client.connect(to: server)
        let call = Task { try await client.callTool(name: "hang") }
        try await notes.has("started")
        call.cancel()
        let error = try await soon { try await failure { try await call.value } }
        try expect(error is CancellationError, "\(error)")
        try await notes.has("cancelled")
        try await until({ "a call is left open" }) { server.core.driver.inbox.openCalls() == 0 }
        try equal(said(try await client.callTool(name: "echo", arguments: ["text": "on"])), "on")
        await client.disconnect()
    },
    Case(name: "dropping_while_pending_ends_everything") {
        let notes = Notes()
        let server = try await hanging(notes)
        var client: Client? = await quietClient()
        try await client!.connect(to: server)
        let session = await client!.session!
        let call = Task { try await session.send(CallTool.request(.init(name: "hang"))) }
        try await notes.has("started")
        client = nil
        await server.stop()
        let error = try await soon { try await failure { try await call.value } }
        try equal((error as? MCPError)?.kind, "closed")
        try await notes.has("cancelled")
    },
    Case(name: "ten_thousand_concurrent_calls_are_answered", seconds: 120) {
        let server = try await echoServer(.init(options: ["max_in_flight": 20_000, "inbox.max_items": 20_000]))
        let client = Client(name: "tests", version: "1", configuration: .init(options: ["max_in_flight": 20_000]))
        try await client.connect(to: server)
        let right = try await withThrowingTaskGroup(of: Bool.self) { group in
            for n in 0..<10_000 {
                group.addTask { said(try await client.callTool(name: "echo", arguments: ["text": .string("\(n)")])) == "\(n)" }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        try equal(right, 10_000)
        await client.disconnect()
    },
    Case(name: "closing_ends_every_pending_thing", seconds: 120) {
        let ends: [(String, @Sendable (Client, Server) async -> Void)] = [
            ("client closes", { client, _ in await client.disconnect() }),
            ("session closes", { client, _ in await client.session?.close() }),
            ("server stops", { _, server in await server.stop() }),
        ]
        for (end, close) in ends {
            for (what, begin) in pending {
                let notes = Notes()
                let server = try await hanging(notes)
                for (way, connect) in try await ways(server).prefix(end == "server stops" ? 1 : 4) {
                    let client = await quietClient()
                    try await soon { try await connect(client) }
                    let call = Task { try await begin(client) }
                    try await notes.has("started")
                    await close(client, server)
                    let error = try await soon { try await failure { try await call.value } } as? MCPError
                    try expect(["closed", "cancelled"].contains(error?.kind ?? ""), "\(end), \(what) over \(way): \(String(describing: error))")
                    await client.disconnect()
                }
                await server.stop()
            }
        }
    },
    Case(name: "nothing_is_left_behind", seconds: 900) {
        let (server, client) = (try await echoServer(), Client(name: "tests", version: "1"))
        try await client.connect(to: server)
        func calls(_ count: Int) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<16 {
                    group.addTask {
                        for _ in 0..<(count / 16) { _ = try await client.callTool(name: "echo", arguments: ["text": "a"]) }
                    }
                }
                try await group.waitForAll()
            }
        }
        try await calls(full ? 10_000 : 2_000)
        let before = weight()
        try await calls(full ? 100_000 : 4_000)
        let after = weight()
        try expect(after.memory - before.memory < 8_192, "memory grew by \(after.memory - before.memory) kB")
        try equal(after.files, before.files)
        // Swift's own threads come and go by one; a thread for each call would stay.
        try await until({ "\(weight().threads) threads, before \(before.threads)" }) { weight().threads <= before.threads + 1 }
        try equal(server.core.driver.inbox.openCalls(), 0)
        await client.disconnect()
    },
    Case(name: "a_server_that_is_closed_before_its_client_leaves_nothing", seconds: 240) {
        let rounds: @Sendable (Int) async throws -> Void = { count in
            for _ in 0..<count {
                let (server, client) = (try await echoServer(), Client(name: "tests", version: "1"))
                try await client.connect(to: server)
                let session = await client.session!
                try await soon { await server.stop() }
                _ = try await soon { await session.closed() }
                await client.disconnect()
            }
        }
        try await rounds(1_000)
        var grown = 0
        // What was kept grows as much every time; what an allocator keeps for itself does not.
        for _ in 0..<3 {
            let before = weight().memory
            try await rounds(1_000)
            grown = weight().memory - before
            if grown < 8_192 { break }
        }
        try expect(grown < 8_192, "memory grew by \(grown) kB")
    },
]
