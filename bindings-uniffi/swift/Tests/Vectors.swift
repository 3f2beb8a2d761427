// Scripts of tests/vectors/binding: steps, patterns, the envelope. Must not know: how the
// tested side is made.
import Foundation
import MCPBoltEngine

@testable import MCPBolt

let modern = "2026-07-28"
private let meta = "io.modelcontextprotocol/"
private let info: Value = ["name": "peer", "version": "1"]
private let serverPeer: Value = [
    "tools": ["listChanged": true], "prompts": [:], "resources": ["subscribe": true], "logging": [:], "completions": [:],
]
private let clientPeer: Value = ["elicitation": ["form": [:]], "sampling": [:], "roots": ["listChanged": true]]

/// The side that is tested.
protocol Side: Sendable {
    var inbox: EngineInbox? { get }
    func start(_ desk: Desk, _ vector: Value, _ revision: String) async throws
    func take(_ text: String) async
    func disconnect() async
    func act(_ action: String, _ given: Value, _ whole: Value) async throws
    func stop() async
}

/// What was sent and noted and nobody has named yet.
actor Desk {
    private(set) var sent: [Value] = []
    private(set) var noted: [Value] = []
    private(set) var running = 0
    private var reading = true
    private var unread: [(Value, CheckedContinuation<Void, Never>)] = []
    private var moves = 0
    var counts: [Int] { [sent.count, noted.count, moves] }

    func note(_ event: Value) {
        noted.append(event)
        moves += 1
    }

    /// A message of the tested side; goes on when the script takes it.
    func received(_ message: Value) async {
        moves += 1
        if !reading { await withCheckedContinuation { unread.append((message, $0)) } }
        sent.append(message)
    }

    func read(_ on: Bool) {
        reading = on
        guard on else { return }
        for (_, taken) in unread { taken.resume() }
        unread = []
    }

    func begin() { running += 1 }
    func ended() { running -= 1 }
    func takeSent() -> Value? { sent.isEmpty ? nil : sent.removeFirst() }
    func takeNoted(_ match: (Value) -> Bool) -> Bool {
        guard let at = noted.firstIndex(where: match) else { return false }
        noted.remove(at: at)
        return true
    }

    nonisolated func during<T: Sendable>(_ body: () async throws -> T) async rethrows -> T {
        await begin()
        do {
            let value = try await body()
            await ended()
            return value
        } catch {
            await ended()
            throw error
        }
    }
}

/// Until something holds, for five seconds at most.
func until(_ what: () -> String, _ ready: () async -> Bool) async throws {
    let end = ProcessInfo.processInfo.systemUptime + 15
    while await !ready() {
        if ProcessInfo.processInfo.systemUptime > end { throw Fault(what()) }
        await Task.yield()
    }
}

/// One vector for one revision.
final class Script {
    private let desk = Desk()
    private let side: any Side
    private let vector: Value
    private let revision: String
    private let serving: Bool
    private let peer: Value
    private var bound: [String: Value] = [:]
    private var told: [String] = []

    init(_ side: any Side, _ vector: Value, _ revision: String) {
        (self.side, self.vector, self.revision) = (side, vector, revision)
        serving = vector["side"] == "server"
        peer = vector["peer"] ?? (serving ? clientPeer : serverPeer)
    }

    /// The messages it sent, as texts that compare.
    func run() async throws -> [String] {
        try await side.start(desk, vector, revision)
        do {
            if vector["open"]?.boolValue ?? true { try await open() }
            for (at, one) in (vector["steps"]?.arrayValue ?? []).enumerated() {
                do { try await step(one) } catch { throw Fault("step \(at + 1), \(one.text.prefix(160)): \(error)") }
            }
            try await end()
        } catch {
            await desk.read(true)
            await side.stop()
            throw error
        }
        await side.stop()
        return told.map { text in
            bound.reduce(text) { $0.replacingOccurrences(of: $1.value.text, with: "\"$\($1.key)\"") }
        }
    }

    private func open() async throws {
        if serving {
            if revision >= modern { return }
            let params: Value = ["protocolVersion": .string(revision), "capabilities": peer, "clientInfo": info]
            try await recv(["id": "open", "method": "initialize", "params": params])
            try await send(["id": "open", "result": "$any"])
            return try await recv(["method": "notifications/initialized"])
        }
        try await side.act("open", true, [:])
        if revision < modern {
            try await send(["id": "$let:open", "method": "initialize"])
            let result: Value = ["protocolVersion": .string(revision), "capabilities": peer, "serverInfo": info]
            try await recv(["id": "$get:open", "result": result])
            try await send(["method": "notifications/initialized"])
        } else {
            try await send(["id": "$let:open", "method": "server/discover"])
            let result: Value = [
                "resultType": "complete", "supportedVersions": [.string(revision)], "capabilities": peer, "ttlMs": 0,
                "cacheScope": "private",
            ]
            try await recv(["id": "$get:open", "result": result])
        }
        try await event(["answered": "open"])
    }

    private func step(_ step: Value) async throws {
        if let message = step["recv"] { return try await recv(message) }
        if let pattern = step["event"] { return try await event(pattern) }
        if let seconds = step["advance"]?.doubleValue { return try advance(by: seconds) }
        if let on = step["reading"]?.boolValue { return await desk.read(on) }
        if step["disconnect"] != nil { return await side.disconnect() }
        if let pattern = step["send"] {
            for _ in 0..<(step["times"]?.intValue ?? 1) { try await send(pattern) }
        } else if let action = step["do"]?.objectValue {
            try await nothingLeft("an action")
            let names = ["call", "cancel", "notify", "open", "close", "release", "add_tool", "remove_tool", "updated"]
            guard let name = names.first(where: { action[$0] != nil }) else { throw Fault("an unknown action") }
            try await side.act(name, action[name] ?? .null, try fill(.object(action)))
        } else if step["quiet"] != nil {
            try await rest()
            try await nothingLeft("quiet")
            let noted = await desk.noted
            try expect(noted.isEmpty, "noted \(Value.array(noted).text)")
        } else {
            throw Fault("an unknown step")
        }
    }

    private func nothingLeft(_ what: String) async throws {
        let sent = await desk.sent
        try expect(sent.isEmpty, "\(what) while a message waits that nobody named: \(Value.array(sent).text)")
    }

    /// Until nothing moves.
    private func rest() async throws {
        var calm = 0
        try await until({ "it does not come to rest" }) {
            let before = await desk.counts
            for _ in 0..<20 { await Task.yield() }
            let settled = (try? side.inbox?.settle(timeout: 0.2)) ?? true
            for _ in 0..<20 { await Task.yield() }
            let after = await desk.counts
            calm = settled && before == after ? calm + 1 : 0
            return calm > 3
        }
    }

    private func recv(_ message: Value) async throws {
        try await nothingLeft("an input")
        if let text = message.stringValue, !text.hasPrefix("$get:") { return await side.take(text) }
        let filled = try fill(message)
        if let parts = filled.arrayValue { return await side.take(Value.array(parts.map(envelope)).text) }
        await side.take(envelope(filled).text)
    }

    private func envelope(_ message: Value) -> Value {
        guard var members = message.objectValue else { return message }
        members["jsonrpc"] = members["jsonrpc"] ?? "2.0"
        guard serving, revision >= modern, let method = members["method"]?.stringValue else { return .object(members) }
        if members["id"] == nil, method != "notifications/cancelled" { return .object(members) }
        var params = members["params"]?.objectValue ?? [:]
        let own: [String: Value] = [
            meta + "protocolVersion": .string(revision), meta + "clientInfo": info, meta + "clientCapabilities": peer,
        ]
        let all = own.merging(params["_meta"]?.objectValue ?? [:]) { $1 }
        params["_meta"] = .object(all.filter { $0.value != "$absent" })
        members["params"] = .object(params)
        return .object(members)
    }

    private func send(_ pattern: Value) async throws {
        try await until({ "nothing was sent, expected \(pattern.text)" }) { await !desk.sent.isEmpty }
        guard let message = await desk.takeSent() else { throw Fault("nothing was sent") }
        try expect(try matches(pattern, message), "sent \(message.text)")
        told.append(message.text)
    }

    private func event(_ pattern: Value) async throws {
        var noted: [Value] = []
        try await until({ "it was not noted; noted \(Value.array(noted).text)" }) {
            noted = await desk.noted
            guard let found = noted.first(where: { (try? matches(pattern, $0)) == true }) else { return false }
            return await desk.takeNoted { $0 == found }
        }
    }

    private func end() async throws {
        await side.disconnect()
        try await until({ "handlers are running after the end" }) { await desk.running == 0 }
        try await rest()
        try await nothingLeft("the end")
        let left = await desk.noted.filter { $0["closed"] == nil }
        try expect(left.isEmpty, "noted and not named: \(Value.array(left).text)")
    }

    // Patterns

    private func fill(_ value: Value) throws -> Value {
        switch value {
        case .array(let all): return .array(try all.map(fill))
        case .object(let members):
            // In the envelope, it takes a key out.
            return .object(try members.filter { $0.value != "$absent" || $0.key.hasPrefix(meta) }.mapValues(fill))
        case .string(let text) where text.hasPrefix("$get:"):
            guard let known = bound[String(text.dropFirst(5))] else { throw Fault("nothing is bound to \(text)") }
            return known
        default: return value
        }
    }

    private func matches(_ pattern: Value, _ value: Value) throws -> Bool {
        switch pattern {
        case .array(let parts):
            guard let all = value.arrayValue, all.count == parts.count else { return false }
            for (part, one) in zip(parts, all) where try !matches(part, one) { return false }
            return true
        case .object(let members):
            guard let all = value.objectValue else { return false }
            for (name, part) in members {
                if part == "$absent" {
                    if all[name] != nil { return false }
                    continue
                }
                guard let one = all[name], try matches(part, one) else { return false }
            }
            return true
        case .string(let text) where text.hasPrefix("$let:"):
            bound[String(text.dropFirst(5))] = value
            return true
        case .string(let text) where text.hasPrefix("$get:"):
            return try matches(try fill(pattern), value)
        case .string(let text) where text.hasPrefix("$contains:"):
            return value.stringValue?.contains(text.dropFirst(10)) == true
        case .string("$any"):
            return true
        default:
            if let one = pattern.doubleValue, let other = value.doubleValue { return one == other }
            return pattern == value
        }
    }
}

func vectors() -> [Value] {
    let folder = ProcessInfo.processInfo.environment["MCPBOLT_VECTORS"] ?? "vectors"
    let files = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".json") }
    return files.sorted().flatMap { name -> [Value] in
        let text = (try? String(contentsOfFile: folder + "/" + name, encoding: .utf8)) ?? "{}"
        return JSON(text).value["vectors"]?.arrayValue ?? []
    }
}

func vectorCases() -> [Case] {
    vectors().flatMap { vector -> [Case] in
        let revisions = vector["revisions"]?.arrayValue?.compactMap(\.stringValue) ?? ["2025-11-25", modern]
        return revisions.map { revision in
            Case(name: "vector \(vector["id"]?.stringValue ?? "") \(revision)", seconds: 60) {
                if vector["side"] == "client" {
                    _ = try await Script(ClientSide(), vector, revision).run()
                    return
                }
                let fast = try await Script(ServerSide(fast: true), vector, revision).run()
                if vector["fast_path"] == nil {
                    try equal(try await Script(ServerSide(fast: false), vector, revision).run(), fast)
                }
            }
        }
    }
}
