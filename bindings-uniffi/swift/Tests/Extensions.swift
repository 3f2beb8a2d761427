// Extensions of the program's own: methods, settings, hooks, and what peers get without them.
import Foundation

@testable import MCPBolt

private let id = "com.example/colours"
private let mix = "com.example/mix"
private let guess = "com.example/guess"

private func colours(_ seen: Notes) -> ServerExtension {
    var colours = ServerExtension(id, settings: ["depth": 8])
    colours.method(mix, namedBy: .name) { params, _ in ["mixed": params["colours"] ?? []] }
    colours.method(guess, undeclared: .serve) { params, call in
        if params["colour"] == "secret" { try call.requireClientExtension("com.example/secrets") }
        return ["wants": call.clientExtension(id)?["wants"] ?? .null]
    }
    colours.hook("tools/call") { params, _, next in
        await seen.add("outer")
        if params["name"] == "forbidden" { throw MCPError.serverError(code: -9, message: "not through here") }
        return .object((try await next(params).objectValue ?? [:]).merging(["_meta": .object([id: "signed"])]) { $1 })
    }
    colours.hook("tools/call") { params, _, next in
        await seen.add("inner")
        return try await next(.object((params.objectValue ?? [:]).merging(["arguments": ["text": "changed"]]) { $1 }))
    }
    colours.hook("tools/list") { params, _, next in
        let listed = try await next(params)
        await seen.add("list")
        return listed
    }
    colours.offer(Resource(name: "palette", uri: "colour://palette")) { uri, _ in .init(contents: [.text("red", uri: uri)]) }
    return colours
}

private func wanted() -> ClientExtension {
    var wanted = ClientExtension(id, settings: ["wants": "blue"])
    wanted.method(mix, namedBy: .name)
    wanted.method(guess)
    return wanted
}

private func studio(_ extensions: [ServerExtension] = []) async throws -> Server {
    let server = Server(name: "studio", version: "1", extensions: extensions)
    try await server.addTool("echo", inputSchema: echo) { args, _ in text(args["text"]?.stringValue ?? "") }
    return server
}

private func visiting(
    _ server: () async throws -> Server, _ extensions: [ClientExtension] = [], _ body: (Client, String) async throws -> Void
) async throws {
    for era in ["2025-11-25", modern] {
        let served = try await server()
        let client = Client(name: "visitor", version: "1", configuration: .init(protocolVersion: .init(era)), extensions: extensions)
        try await client.connect(to: served)
        try await body(client, era)
        await client.disconnect()
        await served.stop()
    }
}

private func refusal<T>(_ work: () async throws -> T) async throws -> MCPError {
    guard let known = try await failure(work) as? MCPError else { throw Fault("it is no MCPError") }
    return known
}

let extensionCases: [Case] = [
    Case(name: "a_method_of_an_extension_is_answered_and_its_settings_are_told") {
        try await visiting({ try await studio([colours(Notes())]) }, [wanted()]) { client, _ in
            try equal(await client.session?.info.capabilities?.extensions?[id]?["depth"], 8)
            let mixed = try await client.request(mix, ["name": "sky", "colours": ["red"]])
            try equal(mixed["mixed"], ["red"])
            try equal(try await client.request(guess, [:])["wants"], "blue")
            // What it offers needs no capability of the program's.
            try equal(try await client.readResource(uri: "colour://palette").first?.text, "red")
        }
    },
    Case(name: "peers_that_did_not_declare_an_extension_are_refused_by_name") {
        try await visiting({ try await studio([colours(Notes())]) }) { client, era in
            let refused = try await refusal { try await client.request(mix, ["name": "sky"]) }
            // The legacy era has no code of its own for it.
            try expect(refused.code == (era == modern ? -32021 : -32600) && refused.data?.text.contains(id) == true, "\(refused)")
            if era == modern { try expect(refused.requiredCapabilities?.extensions?[id] != nil, "\(refused)") }
            try equal(try await client.request(guess, [:])["wants"], .null)
            let secret = try await refusal { try await client.request(guess, ["colour": "secret"]) }
            try expect(secret.data?.text.contains("com.example/secrets") == true, "\(secret)")
        }
        try await visiting({ try await studio() }, [wanted()]) { client, _ in
            try equal(try await refusal { try await client.request(mix, ["name": "sky"]) }.code, -32601)
        }
    },
    Case(name: "hooks_stand_around_handlers_in_order") {
        let seen = Notes()
        try await visiting({ try await studio([colours(seen)]) }, [wanted()]) { client, _ in
            await seen.forget()
            let called = try await client.send(CallTool.request(.init(name: "echo", arguments: ["text": "as it came"])))
            try equal([textOf(called), called._meta?[id]?.stringValue ?? ""], ["changed", "signed"])
            try equal(await seen.all, ["outer", "inner"])
            try equal(try await refusal { try await client.callTool(name: "forbidden") }.code, -9)
            try equal(try await client.listTools().tools.map(\.name), ["echo"])
            try equal(await seen.all.last, "list")
        }
    },
    Case(name: "a_client_changes_what_it_sends_and_sees_what_comes") {
        let results = Notes()
        var mine = wanted()
        mine.onRequest("tools/call") { .object(($0.objectValue ?? [:]).merging(["arguments": ["text": "mine"]]) { $1 }) }
        mine.onResult("tools/call") { result in
            await results.add(result["content"]?[0]?["text"]?.stringValue ?? "")
            if await results.all.count > 1 { throw MCPError.serverError(code: -3, message: "not again") }
        }
        try await visiting({ try await studio() }, [mine]) { client, _ in
            await results.forget()
            try equal(said(try await client.callTool(name: "echo", arguments: ["text": "yours"])), "mine")
            try equal(try await refusal { try await client.callTool(name: "echo", arguments: ["text": "yours"]) }.code, -3)
        }
    },
    Case(name: "a_result_in_a_shape_of_its_own_is_made_whole") {
        var slow = ServerExtension(id)
        slow.method(mix) { _, _ in ["resultType": "drying", "minutes": 3] }
        slow.method(guess) { _, _ in ["colour": "brown"] }
        let results = Notes()
        var patient = wanted()
        patient.onResultType("drying") { result, method, request in
            try equal([result["minutes"], .string(method)], [3, .string(mix)])
            return try await request(guess, [:])
        }
        patient.onResult(mix) { await results.add($0["colour"]?.stringValue ?? "") }
        let (studied, client) = (
            try await studio([slow]), Client(name: "visitor", version: "1", configuration: .init(protocolVersion: .init(modern)), extensions: [patient]))
        try await client.connect(to: studied)
        let painted = try await client.request(mix, ["name": "sky"])
        try equal([painted["colour"], painted["resultType"]], ["brown", "complete"])
        try equal(await results.all, ["brown"])
        await client.disconnect()
        await studied.stop()
    },
    Case(name: "what_is_made_of_a_result_and_is_no_result_is_named") {
        var slow = ServerExtension(id)
        slow.method(mix) { _, _ in ["resultType": "drying"] }
        var wrong = wanted()
        wrong.onResultType("drying") { _, _, _ in "brown" }
        let (studied, client) = (
            try await studio([slow]), Client(name: "visitor", version: "1", configuration: .init(protocolVersion: .init(modern)), extensions: [wrong]))
        try await client.connect(to: studied)
        let error = try await refusal { try await client.request(mix, ["name": "sky"]) }
        try expect(error.kind == "usage" && error.message.contains("results of drying"), "\(error)")
        await client.disconnect()
        await studied.stop()
    },
    Case(name: "an_extension_is_listed_once_and_has_a_prefix") {
        let twice = try await studio([colours(Notes()), colours(Notes())])
        try equal(try await refusal { try await twice.serveHttp() }.kind, "usage")
        var short = ServerExtension("colours")
        short.method("mix") { params, _ in params }
        let refused = try await refusal { try await studio([short]).serveHttp() }
        try expect(refused.message.contains("prefix"), "\(refused)")
    },
]

private func textOf(_ result: CallToolResult) -> String { result.content.compactMap(\.plainText).joined() }
