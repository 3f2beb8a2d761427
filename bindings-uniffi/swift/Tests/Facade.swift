// What programs do with the facade, on real connections.
import Foundation
import MCPBoltEngine

@testable import MCPBolt

let echo: Value = ["type": "object", "properties": ["text": ["type": "string"]], "required": ["text"]]

func echoServer(_ configuration: Server.Configuration = .default) async throws -> Server {
    let server = Server(name: "tests", version: "1", capabilities: .init(tools: .init(listChanged: true)), configuration: configuration)
    try await server.addTool("echo", inputSchema: echo) { args, _ in text(args["text"]?.stringValue ?? "") }
    return server
}

func said(_ result: (content: [Tool.Content], isError: Bool?)) -> String { result.content.compactMap(\.plainText).joined() }

/// Counts down to something.
actor Notes {
    private(set) var all: [String] = []
    func add(_ note: String) { all.append(note) }
    func forget() { all = [] }
    nonisolated func has(_ note: String) async throws { try await until({ "nobody noted \(note)" }) { await self.all.contains(note) } }
}

/// Ways to a server, each as programs take it.
func ways(_ server: Server) async throws -> [(String, @Sendable (Client) async throws -> Void)] {
    let listener = try await server.serveHttp()
    let pair = await InMemoryTransport.createConnectedPair()
    try await server.start(transport: pair.server)
    let sse = URL(string: listener.url.absoluteString.replacingOccurrences(of: "/mcp", with: "/sse"))!
    return [
        ("memory", { try await $0.connect(to: server) }),
        ("pair", { try await $0.connect(transport: pair.client) }),
        ("http", { try await $0.connect(transport: HTTPClientTransport(endpoint: listener.url)) }),
        ("sse", { try await $0.connect(transport: SSEClientTransport(endpoint: sse)) }),
    ]
}

let facadeCases: [Case] = [
    Case(name: "a_value_is_what_its_literal_says") {
        let value: Value = ["a": [1, 2.5, true, nil, "x\n\"\u{1}é🦀"], "b": ["c": -7]]
        try equal(JSON(value.text).value, value)
        try equal(try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value)), value)
        try equal(value.text, "{\"a\":[1,2.5,true,null,\"x\\n\\\"\\u0001é🦀\"],\"b\":{\"c\":-7}}")
        try equal("\(value["b"]!) \(value["a"]![4]!) \(Value.string("a\"b"))", "{\"c\":-7} x\n\"\u{1}é🦀 a\"b")
        try equal(JSON(" [ 1 , { \"a\\u0062\" : \"\\ud83e\\udd80\" } ] ").value, [1, ["ab": "🦀"]])
    },
    Case(name: "a_number_that_json_does_not_have_is_an_error_that_says_where") {
        let server = try await echoServer()
        for (name, number) in [("nan", Double.nan), ("less", -Double.infinity)] {
            try await server.addTool(name) { _, _ in
                CallTool.Result(content: [], structuredContent: ["values": [["a": 1], ["b": .double(number)]]])
            }
        }
        let client = Client(name: "tests", version: "1")
        try await client.connect(to: server)
        for (name, number) in [("nan", "nan"), ("less", "-inf")] {
            let error = try await failure { try await client.callTool(name: name) } as? MCPError
            let words = "the tool \(name) has no result: structuredContent.values[1].b is \(number)"
            try expect(error?.message.contains(words) == true, "\(String(describing: error))")
        }
        await client.disconnect()
    },
    Case(name: "a_notification_that_the_revision_does_not_have_says_so") {
        let server = try await echoServer()
        try await reading(server) { client in
            let error = try await failure { try await client.notifyRootsChanged() } as? MCPError
            try equal(error?.kind, "usage")
            try expect(error?.message.contains("is no notification of a client in revision \(modern)") == true, error?.message ?? "")
            try equal(await client.session?.state, .ready)
        }
        let client = Client(name: "tests", version: "1")
        try await client.connect(to: server)
        guard let session = await client.session else { throw Fault("no session") }
        try await session.notify(RootsListChangedNotification.message())
        await client.disconnect()
        let closed = try await failure { try await session.notify(RootsListChangedNotification.message()) } as? MCPError
        try equal(closed?.kind, "closed")
    },
    Case(name: "a_result_that_is_nested_too_deeply_fails_only_its_own_call") {
        let server = try await echoServer()
        try await server.addTool("deep") { _, _ in
            CallTool.Result(content: [], structuredContent: ["deep": (1...200).reduce(Value.null) { inner, _ in .array([inner]) }])
        }
        let client = Client(name: "tests", version: "1")
        try await client.connect(to: server)
        let echoes = try await soon {
            try await withThrowingTaskGroup(of: String.self) { group in
                for n in 1...50 { group.addTask { said(try await client.callTool(name: "echo", arguments: ["text": .string("\(n)")])) } }
                group.addTask {
                    let error = try await failure { try await client.callTool(name: "deep") } as? MCPError
                    try equal(error?.kind, "internal")
                    try expect(error?.message.contains("no JSON value that can be sent") == true, "\(String(describing: error))")
                    return ""
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
        }
        try equal(echoes.count, 51)
        await client.disconnect()
    },
    Case(name: "a_server_names_how_many_requests_may_wait_for_it") {
        let server = try await echoServer(.init(options: ["inbox.max_items": 0]))
        let client = Client(name: "tests", version: "1")
        try await client.connect(to: server)
        let error = try await failure { try await client.callTool(name: "echo", arguments: ["text": "a"]) } as? MCPError
        try expect(error?.message.contains("too many requests wait") == true, "\(String(describing: error))")
        await client.disconnect()
    },
    Case(name: "who_gives_up_on_an_answer_is_in_no_log") {
        let log = Box<[String]>([])
        let rails = GuardRails(
            audit: .each { _ in throw CancellationError() }, onInternalError: { place, _ in log.change { $0.append(place) } })
        let guarding = Guarding(rails, [:])
        _ = try await failure { try await guarding.answer("audit.record", [:]) }
        let withdrawn = guarding.covered(MCPError.requestCancelled("no longer wanted"), "tools/call") as? MCPError
        try equal(withdrawn?.kind, "cancelled")
        try equal(log.value, [])
        _ = guarding.covered(MCPError.internalError("disk 7"), "tools/call")
        try equal(log.value.count, 1)
    },
    Case(name: "a_template_finds_its_parts") {
        let template = try EngineUriTemplate(text: "note://{id}/page/{page}")
        try equal(template.find(uri: "note://a%20b/page/2") ?? [:], ["id": "a b", "page": "2"])
        try expect(template.find(uri: "note://a/b/page/2") == nil, "a value has a slash")
        try expect(template.find(uri: "note://a/page/") == nil, "a value is empty")
        try equal(try EngineUriTemplate(text: "file:///{+path}").find(uri: "file:///a/b")?["path"], "a/b")
    },
    Case(name: "content_keeps_its_kind") {
        let blocks: [ContentBlock] = [
            .text("a"), .image(data: "YQ==", mimeType: "image/png"), .audio(data: "YQ==", mimeType: "audio/wav"),
            .resource(resource: .text("b", uri: "a://b")), .resourceLink(uri: "a://b", name: "b"),
            .other(["type": "new", "x": 1]),
        ]
        try equal(try Value(blocks).decode([ContentBlock].self), blocks)
        try equal(try Value(SamplingMessage.user(.text("hi")))["content"], ["type": "text", "text": "hi"])
    },
    Case(name: "every_way_reaches_the_server", seconds: 60) {
        let server = try await echoServer()
        for (name, connect) in try await ways(server) {
            let client = Client(name: "tests", version: "1")
            try await soon { try await connect(client) }
            try equal(try await client.listTools().tools.map(\.name), ["echo"])
            try equal(said(try await client.callTool(name: "echo", arguments: ["text": .string(name)])), name)
            let session = await client.session!
            try equal(session.state, .ready)
            await client.disconnect()
            try equal(session.state, .closed(nil))
        }
        await server.stop()
    },
    Case(name: "session_after_connect") {
        let (server, client) = (try await echoServer(), Client(name: "tests", version: "1"))
        try expect(await client.session == nil, "a session before connect")
        let result = try await client.connect(to: server)
        try equal(result.serverInfo.name, "tests")
        let session = await client.session!
        let called = try await session.send(CallTool.request(.init(name: "echo", arguments: ["text": "a"])))
        try equal(called.content, [.text("a")])
        let info = session.info
        try equal(info.protocolVersion, info.json["revision"]?.stringValue)
        try equal(info.era?.rawValue, info.json["era"]?.stringValue)
        try equal(info.transport, .memory)
        try equal(info.serverInfo, result.serverInfo)
        try equal(info.capabilities?.tools != nil, true)
        try expect(!"\(info)".contains("tests"), "\(info) says more than the names of its members")
        await session.close()
        try equal((try await failure { try await client.ping() } as? MCPError)?.kind, "closed")
    },
    Case(name: "unknown_methods_go_through_raw_calls") {
        let (server, client) = (try await echoServer(), Client(name: "tests", version: "1"))
        await server.withMethodHandler("acme/add") { params, _ in ["sum": .int((params["a"]?.intValue ?? 0) + (params["b"]?.intValue ?? 0))] }
        try await client.connect(to: server)
        try equal(try await client.request("acme/add", ["a": 1, "b": 2])["sum"], 3)
        let error = try await failure { try await client.request("acme/nothing") }
        try equal((error as? MCPError)?.kind, "method_not_found")
        await client.disconnect()
    },
    Case(name: "progress_and_log_messages_arrive_in_order") {
        let (server, client, notes) = (try await echoServer(), Client(name: "tests", version: "1"), Notes())
        try await server.addTool("work") { _, call in
            for step in 1...5 { try await call.reportProgress(Double(step), total: 5) }
            return text("done")
        }
        try await client.connect(to: server)
        let steps = Box<[Double]>([])
        let options = RequestOptions(onProgress: { report in steps.change { $0.append(report.progress) } })
        try equal(said(try await client.callTool(name: "work", options: options)), "done")
        try equal(steps.value, [1, 2, 3, 4, 5])
        await client.onNotification(ToolListChangedNotification.self) { _ in await notes.add("changed") }
        let told = await client.session!.notifications
        try await server.addTool("new") { _, _ in text("") }
        try await notes.has("changed")
        try equal(try await soon { for try await one in told { return one.method }; return "" }, ToolListChangedNotification.name)
        await client.disconnect()
    },
    Case(name: "a_subscriber_is_told_of_changes_in_both_eras") {
        let (server, hooks) = (Server(name: "tests", version: "1", capabilities: .init(resources: .init(subscribe: true))), Notes())
        try await server.addResource(Resource(name: "a", uri: "note://a")) { uri, _ in .init(contents: [.text("", uri: uri)]) }
        await server.onSubscription { uri, active in Task { await hooks.add("\(active) \(uri)") } }
        /// Until every subscription that began is over.
        let ended: @Sendable () async throws -> Void = {
            try await until({ "a subscription stays" }) {
                let all = await hooks.all
                return !all.isEmpty && all.filter { $0 == "true note://a" }.count * 2 == all.count
            }
            await hooks.forget()
        }
        let listener = try await server.serveHttp()
        for protocolVersion in ["2025-11-25", modern] {
            let (client, notes) = (Client(name: "tests", version: "1", configuration: .init(protocolVersion: .init(protocolVersion))), Notes())
            await client.onNotification(ResourceUpdatedNotification.self) { await notes.add("\(protocolVersion) \($0.params.uri)") }
            await client.onNotification(SubscriptionsAcknowledgedNotification.self) { _ in await notes.add("acknowledged") }
            try await client.connect(transport: HTTPClientTransport(endpoint: listener.url))
            // Twice is as good as once.
            for _ in 1...2 { try await soon { try await client.subscribeToResource(uri: "note://a") } }
            try await server.resourceUpdated(uri: "note://a")
            try await notes.has("\(protocolVersion) note://a")
            try expect(await !notes.all.contains("acknowledged"), "what only the facade asked for is told")
            try await client.unsubscribeFromResource(uri: "note://a")
            try await ended()
            await notes.forget()
            try await server.resourceUpdated(uri: "note://a")
            try await server.addTool("after-\(protocolVersion)") { _, _ in text("") }
            try equal(said(try await client.callTool(name: "after-\(protocolVersion)")), "")
            try equal(await notes.all, [])
            // Nobody waits for the end of what is watched.
            try await soon { try await client.subscribeToResource(uri: "note://a") }
            await client.disconnect()
            try await ended()
        }
        await server.stop()
    },
    Case(name: "a_subscription_that_is_refused_fails") {
        let server = Server(
            name: "tests", version: "1", capabilities: .init(resources: .init(subscribe: true)),
            configuration: .init(options: ["max_subscriptions": 1]))
        for protocolVersion in ["2025-11-25", modern] {
            let client = Client(name: "tests", version: "1", configuration: .init(protocolVersion: .init(protocolVersion)))
            try await client.connect(to: server)
            try await soon { try await client.subscribeToResource(uri: "note://a") }
            let error = try await soon { try await failure { try await client.subscribeToResource(uri: "note://b") } as? MCPError }
            try equal(error?.kind, "invalid_params")
            await client.disconnect()
        }
    },
    Case(name: "a_handler_asks_user_model_and_roots") {
        let (server, notes) = (try await echoServer(), Notes())
        try await server.addTool("ask") { _, call in
            let answer = try await call.elicit(
                message: "who?", requestedSchema: ["type": "object", "properties": ["name": ["type": "string", "default": "Bob"]]])
            let model = try await call.createMessage(.init(messages: [.user(.text("hi"))], maxTokens: 100))
            return text("\(answer.content?["name"]?.stringValue ?? "") \(model.content.text ?? "") \(try await call.listRoots().count)")
        }
        for protocolVersion in ["2025-11-25", modern] {
            let client = Client(name: "tests", version: "1", configuration: .init(protocolVersion: .init(protocolVersion)))
            await client.withElicitationHandler { _ in .init(action: .accept) }
            let sampler = Sampler(
                budget: .init(maxTokens: 10), models: [Model("small", speed: 1), Model("large")],
                reviewRequest: { params in
                    await notes.add("asked for \(params.maxTokens)")
                    return .allow(params)
                }) { _, model in .init(model: model ?? "", role: .assistant, content: .text(model ?? "none")) }
            await client.withSamplingHandler { try await sampler.answer($0) }
            await client.withRootsHandler { [Root(uri: "https://api.example.com/v1")] }
            try await client.connect(to: server)
            try equal(said(try await client.callTool(name: "ask")), "Bob small 1")
            await client.disconnect()
        }
        try await notes.has("asked for 10")
    },
    Case(name: "a_handler_hears_how_far_the_client_is_with_what_it_was_asked") {
        let (server, client) = (try await echoServer(), Client(name: "tests", version: "1", configuration: .init(protocolVersion: "2025-11-25")))
        try await server.addTool("ask") { _, call in
            let told = Box<[Double]>([])
            let options = RequestOptions(onProgress: { report in told.change { $0.append(report.progress) } })
            let answer = try await call.elicit(message: "who?", requestedSchema: ["type": "object", "properties": [:]], options: options)
            return text("\(answer.action.rawValue) \(told.value)")
        }
        await client.withElicitationHandler { [weak client] asked in
            guard case .form(let form) = asked, let token = form._meta?.progressToken else { throw Fault("no token") }
            for step in 1...3 { try await client?.notify(ProgressNotification.message(.init(progressToken: token, progress: Double(step)))) }
            return .init(action: .accept)
        }
        try await client.connect(to: server)
        try equal(said(try await client.callTool(name: "ask")), "accept [1.0, 2.0, 3.0]")
        await client.disconnect()
    },
    Case(name: "a_handler_that_throws_its_questions_runs_again_with_the_answers_on_both_eras") {
        let server = try await echoServer()
        let name: @Sendable (HandlerContext) throws -> String = { call in
            guard let form = try call.inputResponses["who"]?.decode(CreateElicitation.Result.self) else {
                let form = ElicitFormParams(message: "who?", requestedSchema: ["type": "object", "properties": ["name": ["type": "string"]]])
                throw Questions(["who": try InputRequest(CreateElicitation.request(.form(form)))], state: "asked once")
            }
            return "\(call.requestState ?? ""): \(form.content?["name"]?.stringValue ?? "")"
        }
        try await server.addTool("rounds") { _, call in text(try name(call)) }
        try await server.addPrompt(Prompt(name: "rounds")) { _, call in .init(messages: [.user(.text(try name(call)))]) }
        for protocolVersion in ["2025-11-25", modern] {
            let client = Client(name: "tests", version: "1", configuration: .init(protocolVersion: .init(protocolVersion)))
            await client.withElicitationHandler { _ in .init(action: .accept, content: ["name": "Ann"]) }
            try await client.connect(to: server)
            try equal(said(try await client.callTool(name: "rounds")), "asked once: Ann")
            try equal(try await client.getPrompt(name: "rounds").messages.first?.content.plainText, "asked once: Ann")
            await client.disconnect()
        }
    },
    Case(name: "a_handler_knows_who_asks_and_what_they_can_do") {
        let server = try await echoServer()
        try await server.addTool("who") { _, call in
            let can = call.clientCapabilities
            return text("\(call.clientInfo?.name ?? "nobody"): \(can?.roots != nil), \(can?.sampling != nil), \(call.inputResponses.count)")
        }
        for protocolVersion in ["2025-11-25", modern] {
            let client = Client(name: "tests", version: "1", configuration: .init(protocolVersion: .init(protocolVersion)))
            await client.withRootsHandler { [] }
            try await client.connect(to: server)
            try equal(said(try await client.callTool(name: "who")), "tests: true, false, 0")
            await client.disconnect()
        }
    },
    Case(name: "a_client_comes_back_for_the_rest_of_a_stream_that_a_handler_closed") {
        let (server, notes) = (try await echoServer(), Notes())
        let streams: @Sendable () async throws -> Int = { try await server.stats().streams }
        try await server.addTool("later") { _, call in
            try await call.reportProgress(1)
            let before = try await streams()
            call.closeStream()
            if call.about.transport == .http { try await until({ "the stream stays" }) { (try? await streams()) != before } }
            await notes.add("closed")
            return text("the rest")
        }
        for (name, connect) in try await ways(server).filter({ ["memory", "http"].contains($0.0) }) {
            let client = Client(name: "tests", version: "1", configuration: .init(protocolVersion: "2025-11-25"))
            try await soon { try await connect(client) }
            try equal(said(try await client.callTool(name: "later", options: .init(onProgress: { _ in }))), "the rest")
            try equal(await notes.all.count, name == "memory" ? 1 : 2)
            await client.disconnect()
        }
        await server.stop()
    },
    Case(name: "a_denied_tool_call_sends_no_byte") {
        let (server, client, notes) = (try await echoServer(), Client(name: "tests", version: "1"), Notes())
        try await server.addTool("note", inputSchema: echo) { args, _ in
            await notes.add(args["text"]?.stringValue ?? "")
            return text("")
        }
        await client.reviewToolCalls { call in
            switch call.arguments["text"] {
            case "no": .deny("not this")
            case "other": .edit(["text": "edited"])
            default: .allow
            }
        }
        try await client.connect(to: server)
        let sent = await client.session!.stats
        try expect(sent.bytesOut > 0 && sent.json["bytesOut"] == .int(sent.bytesOut), "\(sent)")
        let error = try await failure { try await client.callTool(name: "note", arguments: ["text": "no"]) }
        try equal(error as? MCPError, .rejected("not this"))
        try equal(await client.session!.stats, sent)
        _ = try await client.callTool(name: "note", arguments: ["text": "other"])
        try equal(await notes.all, ["edited"])
        await client.disconnect()
    },
]
