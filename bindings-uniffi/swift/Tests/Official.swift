// What programs for the official package do in its own words, on real connections. That its programs
// compile is the business of `readme`.
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@testable import MCPBolt

/// A client that has a person, a model and roots, as programs for the official package write it.
private func equipped(_ era: String, _ notes: Notes) async -> Client {
    let client = Client(name: "tests", version: "1", configuration: .init(protocolVersion: .init(era)))
    await client.withElicitationHandler { asked in
        switch asked {
        case .form(let form):
            guard let schema = form.requestedSchema else { return .init(action: .decline) }
            return .init(action: .accept, content: ["city": .string("\(form.message) \(schema.required ?? []) \(schema.title ?? "")")])
        case .url(let page):
            await notes.add(page.url)
            return .init(action: .accept)
        }
    }
    await client.withSamplingHandler { asked in
        .init(model: "m", role: .assistant, content: "\(asked.messages[0].content.text ?? "") \(asked.systemPrompt ?? "") \(asked.maxTokens)")
    }
    await client.withRootsHandler { [Root(uri: "file:///notes", name: "Notes")] }
    await client.onNotification(LogMessageNotification.self) { await notes.add("\($0.params.logger ?? "") \($0.params.data)") }
    return client
}

/// A pair of connected ends, with a server at one of them.
private func served(_ server: Server) async throws -> InMemoryTransport {
    let pair = await InMemoryTransport.createConnectedPair()
    try await server.start(transport: pair.server)
    return pair.client
}

private func usage(line: Int = #line, _ words: String, _ body: () async throws -> Void) async throws {
    let error = try await failure(line: line, body) as? MCPError
    try expect(error?.kind == "usage" && error?.message.contains(words) == true, "\(String(describing: error))", line: line)
}

let officialCases: [Case] = serverRequestCases + requestInHandCases + officialTransportCases + officialShapeCases

private let serverRequestCases: [Case] = [
    Case(name: "in_a_handler_a_server_asks_the_client_that_called") {
        for era in ["legacy", modern] {
            let (server, notes) = (try await echoServer(), Notes())
            let schema = Elicitation.RequestSchema(title: "Where", properties: ["city": ["type": "string"]], required: ["city"])
            try await server.addTool("ask") { _, _ in
                let city = try await server.requestElicitation(message: "To?", requestedSchema: schema).content?["city"]?.stringValue
                let sampled = try await server.requestSampling(messages: [.user("Plan")], systemPrompt: "briefly", maxTokens: 9)
                let roots = try await server.listRoots()
                return text("\(city ?? "") | \(sampled.content.text ?? "") | \(roots.map(\.uri))")
            }
            // Another client, which is not asked.
            try await someone().connect(transport: served(server))
            let client = await equipped(era, notes)
            try await client.connect(transport: served(server))
            try equal(said(try await client.callTool(name: "ask")), "To? [\"city\"] Where | Plan briefly 9 | [\"file:///notes\"]")
            await client.disconnect()
            await server.stop()
        }
    },
    Case(name: "elsewhere_a_server_asks_its_only_client_or_nobody") {
        let server = Server(name: "tests", version: "1", capabilities: .init(logging: .init()))
        try await usage("no client") { _ = try await server.listRoots() }
        let notes = Notes()
        let client = await equipped("2025-11-25", notes)
        try await client.connect(transport: served(server))
        // The server may hear last that the handshake is over.
        try await until({ "the server does not ask its only client" }) { (try? await server.listRoots().map(\.name)) == ["Notes"] }
        let page = try await server.requestElicitation(message: "Sign in", url: "https://login.example.com/", elicitationId: "e1")
        try equal(page.action, .accept)
        try await notes.has("https://login.example.com/")
        try await client.setLoggingLevel(.warning)
        struct Loss: Codable { let book: String }
        try await server.log(level: .info, logger: "quiet", data: "nothing")
        try await server.log(level: .error, logger: "loans", data: Loss(book: "Emma"))
        try await notes.has("loans {\"book\":\"Emma\"}")
        try expect(await notes.all.contains { $0.hasPrefix("quiet") } == false, "a message below the level was sent")
        let other = someone()
        try await other.connect(transport: served(server))
        try await usage("2 clients") { _ = try await server.listRoots() }
        // A listener is no client.
        await other.disconnect()
        _ = try await server.serveHttp()
        try await until({ "the server does not ask its only client" }) { (try? await server.listRoots().count) == 1 }
        await client.disconnect()
        await server.stop()
    },
    Case(name: "a_program_reports_progress_by_the_token_of_the_request") {
        let server = Server(name: "tests", version: "1", capabilities: .init(tools: .init()))
        await server.withMethodHandler(CallTool.self) { params in
            guard let token = params._meta?.progressToken else { return text("no token") }
            try await server.notify(ProgressNotification.message(.init(progressToken: token, progress: 1, total: 2, message: "half")))
            return text("done")
        }
        let (client, notes, token) = (someone(), Notes(), ProgressToken.unique())
        let reported = Box<[Double]>([])
        await client.onNotification(ProgressNotification.self) { message in
            if message.params.progressToken == token { await notes.add("\(message.params.progress) \(message.params.message ?? "")") }
        }
        try await client.connect(transport: served(server))
        try equal(said(try await client.callTool(name: "t", meta: Metadata(progressToken: token))), "done")
        try await notes.has("1.0 half")
        // Who counts by a function as well is told the same.
        let options = RequestOptions(onProgress: { report in if report.progressToken == token { reported.change { $0.append(report.progress) } } })
        _ = try await client.callTool(name: "t", meta: Metadata(progressToken: token), options: options)
        try equal(reported.value, [1])
        await client.disconnect()
        await server.stop()
    },
    Case(name: "arguments_are_completed_by_the_official_names") {
        let server = Server(name: "tests", version: "1", capabilities: .init(completions: .init(), prompts: .init()))
        await server.withMethodHandler(Complete.self) { params in
            let known = params.context?.arguments["language"] ?? "nothing"
            switch params.ref {
            case .prompt(let prompt): return .init(completion: .init(values: [prompt.name, params.argument.value, known], hasMore: true))
            case .resource(let resource): return .init(completion: .init(values: [resource.uri, params.argument.name]))
            }
        }
        try await reading(server, "2025-11-25") { client in
            let first = try await client.complete(promptName: "review", argumentName: "framework", argumentValue: "va", context: ["language": "swift"])
            try equal(first.values, ["review", "va", "swift"])
            try equal(first.hasMore, true)
            try equal(try await client.complete(promptName: "review", argumentName: "l", argumentValue: "").values.last, "nothing")
            let paths = try await client.complete(resourceURI: "file:///{path}", argumentName: "path", argumentValue: "/u")
            try equal(paths.values, ["file:///{path}", "path"])
        }
    },
]

private let requestInHandCases: [Case] = [
    Case(name: "a_request_in_hand_has_its_result_or_is_cancelled") {
        let (server, notes, client) = (try await echoServer(), Notes(), someone())
        try await server.addTool("wait") { _, _ in
            await notes.add("begun")
            await cancelled()
            await notes.add("given up")
            return text("")
        }
        let early = try await failure { let _: RequestContext<CallTool.Result> = try client.callTool(name: "echo") } as? MCPError
        try equal(early, .connectionClosed)
        try await client.connect(to: server)
        let echoed: RequestContext<CallTool.Result> = try client.send(CallTool.request(.init(name: "echo", arguments: ["text": "hi"])))
        try equal(try await echoed.value.content.first?.plainText, "hi")
        let waiting: RequestContext<CallTool.Result> = try client.callTool(name: "wait")
        try expect(waiting.requestID != echoed.requestID, "two requests have one id")
        try await notes.has("begun")
        try await client.cancelRequest(waiting.requestID, reason: "enough")
        try expect(try await failure { try await waiting.value } is CancellationError, "it is another error")
        try await notes.has("given up")
        try await client.cancelRequest(waiting.requestID)
        try await until({ "requests that are over are kept" }) { client.running.value.isEmpty }
        await client.disconnect()
        await server.stop()
    },
    Case(name: "a_batch_begins_when_its_body_is_over") {
        let (server, calls, client) = (try await echoServer(), Box(0), someone())
        try await server.addTool("square") { args, _ in
            calls.change { $0 += 1 }
            let n = args["n"]?.intValue ?? 0
            return text("\(n * n)")
        }
        try await client.connect(to: server)
        var squares: [Task<CallTool.Result, any Error>] = []
        var ping: Task<Ping.Result, any Error>?
        try await client.withBatch { batch in
            for n in 0..<5 { squares.append(try await batch.addRequest(CallTool.request(.init(name: "square", arguments: ["n": .int(n)])))) }
            ping = try await batch.addRequest(Ping.request())
            try equal(calls.value, 0)
        }
        var results: [String] = []
        for square in squares { results.append(try await square.value.content.first?.plainText ?? "") }
        try equal(results, ["0", "1", "4", "9", "16"])
        _ = try await ping?.value
        var lost: Task<CallTool.Result, any Error>?
        let error = try await failure {
            try await client.withBatch { batch in
                lost = try await batch.addRequest(CallTool.request(.init(name: "square", arguments: ["n": 2])))
                throw Fault("the body failed")
            }
        }
        try expect("\(error)".contains("the body failed"), "\(error)")
        try expect("\(try await failure { try await lost?.value })".contains("the body failed"), "the request was sent")
        try equal(calls.value, 5)
        await client.disconnect()
        await server.stop()
    },
]

private let officialTransportCases: [Case] = [
    Case(name: "a_program_changes_the_headers_of_requests_and_handlers_read_them") {
        let server = try await echoServer()
        try await server.addTool("desk") { _, call in
            try equal(Server.currentHandlerContext?.httpContext, call.httpContext)
            return text("\(call.httpContext?.headers["X-Desk"] ?? "none") \(call.httpContext?.header("x-floor") ?? "none")")
        }
        let (url, methods, client) = (try await server.serveHttp().url, Box<Set<String>>([]), someone())
        try await client.connect(transport: HTTPClientTransport(endpoint: url, headers: ["x-floor": "2", "x-desk": "1"]) { request in
            methods.change { $0.insert(request.httpMethod ?? "") }
            var request = request
            request.setValue("7, on \(request.value(forHTTPHeaderField: "X-Floor") ?? "")", forHTTPHeaderField: "X-Desk")
            return request
        })
        try equal(said(try await client.callTool(name: "desk")), "7, on 2 2")
        try expect(methods.value.contains("POST"), "\(methods.value)")
        await client.disconnect()
        let elsewhere = HTTPClientTransport(endpoint: url, requestModifier: { _ in URLRequest(url: URL(string: "https://example.com/")!) })
        let refused = try await failure { try await client.connect(transport: elsewhere) } as? MCPError
        try expect(refused?.message.contains("requestModifier") == true, "\(String(describing: refused))")
        try await client.connect(to: server)
        try equal(said(try await client.callTool(name: "desk")), "none none")
        await client.disconnect()
        await server.stop()
    },
    Case(name: "messages_go_over_a_pair_of_handles_as_lines") {
        let (there, back, server, client) = (Foundation.Pipe(), Foundation.Pipe(), try await echoServer(), someone())
        try await server.start(transport: StdioTransport(input: there.fileHandleForReading, output: back.fileHandleForWriting))
        try await client.connect(transport: StdioTransport(input: back.fileHandleForReading, output: there.fileHandleForWriting))
        let long = String(repeating: "é\n", count: 200_000)
        try equal(said(try await client.callTool(name: "echo", arguments: ["text": .string(long)])), long)
        let session = await client.session
        try back.fileHandleForWriting.close()
        try expect(try await soon { await session?.closed() } != nil || session?.state == .closed(nil), "the end of the input is not seen")
        await server.stop()
    },
]

private let officialShapeCases: [Case] = [
    Case(name: "messages_of_prompts_have_the_official_shape_and_lose_nothing") {
        let server = Server(name: "tests", version: "1", capabilities: .init(prompts: .init()))
        let link = ContentBlock.resourceLink(uri: "a:b", name: "b")
        await server.withMethodHandler(GetPrompt.self) { _ in
            .init(messages: [.user(.text(text: "hi", annotations: .init(priority: 1))), .assistant(.image(data: "AA==", mimeType: "a/b")), .user(link)])
        }
        try await reading(server) { client in
            let messages = try await client.getPrompt(name: "p").messages
            guard case .text(text: let words) = messages[0].content, case .image(let data, let mimeType) = messages[1].content else {
                throw Fault("\(messages)")
            }
            try equal([words, data, mimeType], ["hi", "AA==", "a/b"])
            try equal(messages[0].block, .text(text: "hi", annotations: .init(priority: 1)))
            try equal(messages[2].content, .other(link))
            try equal(messages.map(\.role), [.user, .assistant, .user])
        }
    },
    Case(name: "a_form_keeps_what_it_has_no_name_for") {
        var schema: Elicitation.RequestSchema = ["type": "object", "properties": ["a": ["type": "string"]], "x-order": ["a"]]
        try equal(schema.required, nil)
        schema.required = ["a"]
        schema.title = "T"
        let read = try JSONDecoder().decode(Elicitation.RequestSchema.self, from: JSONEncoder().encode(schema))
        try equal(read.schema, ["type": "object", "properties": ["a": ["type": "string"]], "x-order": ["a"], "required": ["a"], "title": "T"])
        try equal(Elicitation.RequestSchema().schema, ["type": "object", "properties": [:]])
    },
    Case(name: "without_cryptokit_assertions_are_signed_by_the_engine_only") {
        func sign(_ seconds: Double) throws -> String {
            try OAuthConfiguration.makePrivateKeyJWTAssertion(
                clientID: "c", tokenEndpoint: URL(string: "https://example.com/token")!, privateKeyPEM: "", expiresIn: seconds)
        }
        try await usage("expiresIn") { _ = try sign(0) }
        #if !canImport(CryptoKit)
            try await usage("assertionKey") { _ = try sign(60) }
        #endif
    },
]
