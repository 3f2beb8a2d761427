// Guard rails of the engine around functions of Swift. The names are those of every language.
import Foundation

@testable import MCPBolt

private let secret = "/srv/secret/ledger.db"
private struct Disk: LocalizedError { let errorDescription: String? = "cannot open \(secret): disk 7 is full" }

/// A server with a tool that answers, one that never does, a prompt and a resource.
private func guarded(_ guards: GuardRails = .init(), _ options: [String: Value] = [:]) async throws -> Server {
    let server = Server(name: "guarded", version: "1", configuration: .init(options: options), guards: guards)
    try await server.addTool("add") { args, _ in text(String((args["a"]?.intValue ?? 0) + 1)) }
    try await server.addTool("wait") { _, _ in
        await cancelled()
        throw CancellationError()
    }
    try await server.addPrompt(Prompt(name: "later")) { _, _ in
        await cancelled()
        throw CancellationError()
    }
    try await server.addResource(Resource(name: "one", uri: "note://one")) { uri, _ in .init(contents: [.text("one", uri: uri)]) }
    return server
}

private func onBothEras(
    _ options: [String: Value] = [:], prepare: (Client) async throws -> Void = { _ in },
    of server: () async throws -> Server, _ body: (Client, String) async throws -> Void
) async throws {
    for protocolVersion in ["2025-11-25", modern] {
        let served = try await server()
        let client = Client(name: "guest", version: "1", configuration: .init(protocolVersion: .init(protocolVersion), options: options))
        try await prepare(client)
        try await client.connect(to: served)
        try await body(client, protocolVersion)
        await client.disconnect()
        await served.stop()
    }
}

private func refusal<T>(line: Int = #line, _ work: () async throws -> T) async throws -> MCPError {
    let error = try await failure(line: line, work)
    guard let known = error as? MCPError else { throw Fault("line \(line): \(error)") }
    return known
}

extension Client {
    fileprivate func add(_ a: Int = 1) async throws -> (content: [Tool.Content], isError: Bool?) {
        try await callTool(name: "add", arguments: ["a": .int(a)])
    }
}

/// Hides some, denies the tool that waits.
private let decide: @Sendable (GuardRails.Asker, GuardRails.Action) async throws -> GuardRails.Verdict = { asker, action in
    try equal(asker.clientInfo?.name, "guest")
    if ["add", "note://one"].contains(action.name) { return .hide }
    return action.name == "wait" && action.verb != .list ? .deny("not today") : .allow
}

/// What a client learns of something, by its name in place of another.
private func learned<T: Encodable>(_ name: String, _ work: (String) async throws -> T) async throws -> String {
    var said: String
    do { said = try Value(try await work(name)).text } catch let error as MCPError {
        said = "\(error.code) \(error.message) \(error.data?.text ?? "")"
    }
    return said.replacingOccurrences(of: name, with: "absent")
}

private func broken(_ guards: GuardRails, _ options: [String: Value] = [:]) async throws -> Server {
    let server = Server(name: "broken", version: "1", configuration: .init(options: options), guards: guards)
    try await server.addTool("fails") { _, _ in throw Disk() }
    try await server.addTool("inside") { _, _ in throw MCPError.internalError("disk 7 at \(secret)") }
    try await server.addTool("wrong") { _, _ in throw MCPError.invalidParams("n is odd") }
    try await server.addTool("meant") { _, _ in throw ToolError("Give a path below /docs.") }
    try await server.addPrompt(Prompt(name: "prompt")) { _, _ in throw Disk() }
    try await server.addResource(Resource(name: "note", uri: "note://broken")) { _, _ in throw Disk() }
    await server.withMethodHandler("acme/broken") { _, _ in throw Disk() }
    return server
}

/// What a client learns of each failure.
private func told(_ client: Client) async throws -> [String] {
    try equal(said(try await client.callTool(name: "meant")), "Give a path below /docs.")
    try equal(try await refusal { try await client.callTool(name: "wrong") }.message, "n is odd")
    let errors = [
        try await refusal { try await client.callTool(name: "inside") }, try await refusal { try await client.getPrompt(name: "prompt") },
        try await refusal { try await client.readResource(uri: "note://broken") },
        try await refusal { try await client.request("acme/broken") },
    ].map(\.message)
    // Errors of the protocol never name paths.
    try expect(!errors.contains { $0.contains(secret) }, "\(errors)")
    let fails = try await client.callTool(name: "fails")
    try equal(fails.isError, true)
    return errors + [said(fails)]
}

private let calls: [Case] = [
    Case(name: "over_the_limit_a_tool_call_reads_how_long_to_wait") {
        let rule: Value = ["methods": ["tools/call"], "per": "server", "rate": 0.001, "burst": 1]
        try await onBothEras(of: { try await guarded(.init(), ["rate_limit": [rule]]) }) { client, _ in
            try equal(said(try await client.add()), "2")
            let second = try await client.add()
            try expect(second.isError == true && said(second).hasPrefix("Rate limit exceeded: try again in "), said(second))
            // Others go on.
            try equal(try await client.listTools().tools.count, 2)
        }
    },
    Case(name: "over_the_limit_other_requests_get_429_and_the_wait") {
        let rule: Value = ["methods": ["resources/read"], "per": "session", "rate": 0.001, "burst": 1]
        try await onBothEras(of: { try await guarded(.init(), ["rate_limit": [rule]]) }) { client, _ in
            _ = try await client.readResource(uri: "note://one")
            let refused = try await refusal { try await client.readResource(uri: "note://one") }
            try equal(refused.code, 429)
            try expect((refused.data?["retryAfterMs"]?.intValue ?? 0) > 1000, "\(refused)")
        }
    },
    Case(name: "a_handler_that_never_returns_is_cancelled_and_the_client_reads_why") {
        try await onBothEras(of: { try await guarded(.init(), ["timeout": 0.05]) }) { client, _ in
            let late = try await client.callTool(name: "wait")
            try expect(late.isError == true && said(late) == "Tool wait timed out after 0.05 s", said(late))
            let error = try await refusal { try await client.getPrompt(name: "later") }
            try equal(error.code, -32603)
            try equal(error.data?["reason"], "timeout")
        }
    },
    Case(name: "beyond_max_concurrency_calls_are_refused_and_a_place_comes_back") {
        let (notes, gate) = (Notes(), Notes())
        let server = {
            let server = try await guarded(.init(), ["max_concurrency": 1])
            try await server.addTool("hold") { _, _ in
                await notes.add("begun")
                try await gate.has("go")
                return text("held")
            }
            return server
        }
        let served = try await server()
        for (at, protocolVersion) in ["2025-11-25", modern].enumerated() {
            let client = Client(name: "guest", version: "1", configuration: .init(protocolVersion: .init(protocolVersion)))
            try await client.connect(to: served)
            if at == 0 {
                let held = Task { said(try await client.callTool(name: "hold")) }
                try await notes.has("begun")
                let refused = try await refusal { try await client.add() }
                try equal(refused.data?["reason"], "max_concurrency of the server")
                await gate.add("go")
                try equal(try await soon { try await held.value }, "held")
            }
            try equal(said(try await client.add()), "2")
            await client.disconnect()
        }
        await served.stop()
    },
]

private let access: [Case] = [
    Case(name: "what_is_hidden_is_answered_as_if_it_did_not_exist") {
        let server = {
            let server = try await guarded(.init(authorize: { _, action in action.name.contains("secret") ? .hide : .allow }))
            try await server.addTool("secret") { _, _ in text("secret") }
            try await server.addPrompt(Prompt(name: "secret")) { _, _ in .init(messages: []) }
            try await server.addResource(Resource(name: "secret", uri: "note://secret")) { _, _ in .init(contents: []) }
            return server
        }
        try await onBothEras(of: server) { client, _ in
            for (method, member) in [("tools/call", "name"), ("prompts/get", "name"), ("resources/read", "uri")] {
                let ask = { (name: String) in try await client.request(method, [member: .string(member == "uri" ? "note://\(name)" : name)]) }
                let hidden = try await learned("secret", ask)
                try equal(hidden, try await learned("absent", ask))
                try expect(hidden.contains("absent"), hidden)
            }
        }
    },
    Case(name: "what_is_hidden_is_in_no_list_and_lists_are_private") {
        try await onBothEras(of: { try await guarded(.init(authorize: decide)) }) { client, era in
            let tools = try await client.request("tools/list")
            try equal(tools["tools"]?.arrayValue?.compactMap { $0["name"] }, ["wait"])
            try equal(try await client.listResources().resources.count, 0)
            if era == modern { try equal(tools["cacheScope"], "private") }
        }
    },
    Case(name: "what_is_denied_is_listed_and_refused_with_its_reason") {
        try await onBothEras(of: { try await guarded(.init(authorize: decide)) }) { client, _ in
            let refused = try await client.callTool(name: "wait")
            try expect(refused.isError == true && said(refused).contains("not today"), said(refused))
        }
    },
    Case(name: "verdicts_may_come_later_and_what_nobody_decides_is_refused") {
        let log = Box<[String]>([])
        let guards = GuardRails(
            authorize: { _, action in
                await Task.yield()
                if action.verb != .list && action.name == "add" { throw Fault("the database is down") }
                return action.name == "add" ? .allow : .hide
            }, onInternalError: { place, error in log.change { $0.append("\(place): \(error)") } })
        try await onBothEras(of: { try await guarded(guards) }) { client, _ in
            try equal(try await client.listTools().tools.map(\.name), ["add"])
            let refused = try await refusal { try await client.add() }
            try expect(refused.kind == "internal" && !refused.message.contains("database"), "\(refused)")
            try expect(log.value.contains { $0.contains("the database is down") }, "\(log.value)")
            log.change { $0 = [] }
        }
    },
    Case(name: "a_header_can_decide_without_any_credentials") {
        let server = try await guarded(.init(authorize: { $0.header("X-User") == "ann" || $1.name != "add" ? .allow : .hide }))
        let listener = try await server.serveHttp()
        for (user, seen) in [("ann", ["add", "wait"]), ("bob", ["wait"])] {
            let client = Client(name: "guest", version: "1")
            try await client.connect(transport: HTTPClientTransport(endpoint: listener.url, headers: ["x-user": user]))
            try equal(try await client.listTools().tools.map(\.name), seen)
            await client.disconnect()
        }
        await server.stop()
    },
]

private let results: [Case] = [
    Case(name: "the_audit_has_one_record_per_request_and_never_the_arguments") {
        let kept = Box<[Value]>([])
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("audit-\(UUID()).jsonl").path
        let read: () throws -> [Value] = {
            try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { JSON(String($0)).value }
        }
        let ways: [(GuardRails.Audit, () throws -> [Value])] = [
            (.file(path), read), (.each { record in kept.change { $0.append(record.json) } }, { kept.value }),
        ]
        for (audit, records) in ways {
            try await onBothEras(of: { try await guarded(.init(audit: audit)) }) { client, _ in
                _ = try await client.add(1_147_110_047)
                _ = try await refusal { try await client.getPrompt(name: "nobody") }
            }
            // The last record is not lost with the server: stop waits for it.
            let all = try records()
            let calls = all.filter { $0["method"] == "tools/call" }
            try equal(calls.map { [$0["name"], $0["outcome"]] }, [["add", "result"], ["add", "result"]])
            try expect(calls.allSatisfy { $0["arguments"]?.stringValue?.hasPrefix("sha256:") == true }, "\(calls)")
            try equal(all.filter { $0["method"] == "prompts/get" }.map { $0["outcome"] }, ["error", "error"])
            try expect(!Value.array(all).text.contains("1147110047"), "\(all)")
        }
        try FileManager.default.removeItem(atPath: path)
    },
    Case(name: "an_audit_sink_that_blocks_holds_up_no_call_and_what_is_lost_is_counted") {
        let (gate, records, missed) = (Notes(), Box<[AuditRecord]>([]), Box(0))
        let audit = GuardRails.Audit.each(lost: { lost in missed.change { $0 += lost } }) { record in
            try await gate.has("go")
            records.change { $0.append(record) }
        }
        let (server, client) = (try await guarded(.init(audit: audit), ["audit": ["queue": 2]]), Client(name: "guest", version: "1"))
        try await client.connect(to: server)
        for number in 1...40 { try equal(said(try await client.add(number)), String(number + 1)) }
        await gate.add("go")
        await client.disconnect()
        await server.stop()
        try expect(missed.value >= 30, "\(missed.value)")
        try equal(Set(records.value.filter { $0.method == CallTool.name }.map(\.outcome)), [.result])
        let first = records.value.first { $0.name == "add" }
        try expect(first.map { $0.time > 0 && $0.bytes > 0 && $0.client == "guest 1" } == true, "\(records.value)")
    },
    Case(name: "a_sanitizer_sees_every_content_block_before_it_is_sent") {
        let seen = Box<Set<String>>([])
        let guards = GuardRails(sanitizeResult: { method, name, result in
            seen.change { $0.insert("\(method) \(name ?? "")") }
            let blotted = result.text.replacingOccurrences(of: "\"2\"", with: "\"*\"")
            return JSON(blotted.replacingOccurrences(of: "\"text\":\"one\"", with: "\"text\":\"***\"")).value
        })
        try await onBothEras(of: { try await guarded(guards) }) { client, _ in
            try equal(said(try await client.add()), "*")
            try equal(try await client.request("resources/read", ["uri": "note://one"])["contents"]?[0]?["text"], "***")
        }
        try equal(seen.value, ["tools/call add", "resources/read note://one"])
    },
    Case(name: "what_a_sanitizer_could_not_read_does_not_leave") {
        let guards = GuardRails(sanitizeResult: { throw Fault("cannot read \($2)") }, onInternalError: { _, _ in })
        try await onBothEras(of: { try await guarded(guards) }) { client, _ in
            let refused = try await refusal { try await client.add(1_234_567_890) }
            try expect(!"\(refused)".contains("1234567891"), "\(refused)")
        }
    },
    Case(name: "a_result_is_validated_before_it_is_returned") {
        let asked = Box<[String]>([])
        let validate: (Client) async throws -> Void = { client in
            await client.validateResults { method, name, result in
                asked.change { $0.append("\(method) \(name ?? "")") }
                if result.text.contains("\"5\"") { throw Fault("nobody can look") }
                return method == "tools/call" && result.text.contains("\"3\"") ? "it is three" : nil
            }
        }
        try await onBothEras(prepare: validate, of: { try await guarded() }) { client, _ in
            try equal(said(try await client.add()), "2")
            let refused = try await refusal { try await client.add(2) }
            try expect(refused.kind == "rejected" && refused.message.contains("it is three"), "\(refused)")
            try equal(try await refusal { try await client.add(4) }.kind, "rejected")
            try expect(asked.value.contains("tools/call add"), "\(asked.value)")
        }
    },
    Case(name: "results_lists_and_pages_of_a_server_are_capped") {
        let large: @Sendable (Int, [String: Value]) async throws -> Server = { count, options in
            let server = try await guarded(.init(), options)
            try await server.addTool("large") { _, _ in text(String(repeating: "x", count: count)) }
            return server
        }
        try await onBothEras(["max_result_bytes": 1500], of: { try await large(2000, [:]) }) { client, _ in
            try equal(said(try await client.add()), "2")
            let refused = try await refusal { try await client.callTool(name: "large") }
            try expect(refused.message.contains("max_result_bytes"), "\(refused)")
        }
        for capped in ["max_pages", "max_list_items"] {
            try await onBothEras([capped: 1], of: { try await guarded(.init(), ["page_size": 1]) }) { client, _ in
                let refused = try await refusal { try await client.listTools(cursor: try await client.listTools().nextCursor) }
                try expect(refused.message.contains(capped), "\(refused)")
            }
        }
        try await onBothEras(of: { try await large(600, ["max_result_bytes": 500]) }) { client, _ in
            let refused = try await client.callTool(name: "large")
            try expect(refused.isError == true && said(refused).contains("larger than the 500"), said(refused))
        }
    },
    Case(name: "sampling_inside_of_sampling_is_refused_beyond_its_cap") {
        let muse = {
            let server = Server(name: "muse", version: "1")
            try await server.addTool("muse") { _, call in
                text(try await call.createMessage(.init(messages: [.user(.text("hm"))], maxTokens: 5)).content.text ?? "")
            }
            return server
        }
        let asked = Box(0)
        let sample: (Client) async throws -> Void = { client in
            await client.withSamplingHandler { [weak client] _ in
                asked.change { $0 += 1 }
                var words = ""
                do { words = said(try await client!.callTool(name: "muse")) } catch { words = "\(error)" }
                return .init(model: "m", role: .assistant, content: .text(words))
            }
        }
        try await onBothEras(["max_nested_sampling": 3], prepare: sample, of: muse) { client, _ in
            asked.change { $0 = 0 }
            let words = said(try await client.callTool(name: "muse"))
            try expect(words.contains("nested too deeply") && asked.value == 3, "\(asked.value): \(words)")
        }
    },
]

/// As another notification is called, and not of its shape.
private struct Shapeless: MCPBolt.Notification {
    static let name = ProgressNotification.name
    struct Parameters: Hashable, Codable, Sendable { let progress: String }
}

private let errors: [Case] = [
    Case(name: "masked_errors_say_internal_error_with_an_id_that_is_also_in_the_log") {
        let log = Box<[String]>([])
        let guards = GuardRails(onInternalError: { place, error in log.change { $0.append("\(place): \(MCPError.describe(error))") } })
        try await onBothEras(of: { try await broken(guards) }) { client, _ in
            for words in try await told(client) {
                try expect(words.hasPrefix("internal error (id ") && words.count == 36, words)
                try expect(log.value.contains { $0.hasPrefix(words) && $0.contains("disk 7") }, "\(words): \(log.value)")
            }
        }
    },
    Case(name: "words_of_exceptions_leave_if_it_is_said") {
        let ways: [(GuardRails, [String: Value])] = [(.init(errorDetail: .message), [:]), (.init(), ["error_detail": "message"])]
        for (guards, options) in ways {
            try await onBothEras(of: { try await broken(guards, options) }) { client, _ in
                for words in try await told(client) { try expect(words.contains("disk 7"), words) }
            }
        }
    },
    Case(name: "what_a_handler_of_notifications_throws_is_told") {
        let log = Box<[String]>([])
        let server = Server(
            name: "tests", version: "1", guards: .init(onInternalError: { place, error in log.change { $0.append("\(place): \(error)") } }))
        await server.onNotification(RootsListChangedNotification.self) { _ in throw Fault("disk 7") }
        await server.onNotification(ProgressNotification.self) { _ in }
        let client = someone()
        try await client.connect(to: server)
        try await client.notifyRootsChanged()
        try await client.notify(Shapeless.message(.init(progress: "much")))
        try await until({ "\(log.value)" }) { log.value.count == 2 }
        try equal(log.value[0], "\(RootsListChangedNotification.name) failed: disk 7")
        try expect(log.value[1].hasPrefix("\(ProgressNotification.name) failed: "), log.value[1])
        await client.disconnect()
        await server.stop()
    },
]

let guardRailCases = calls + access + results + errors
