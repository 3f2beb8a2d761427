// An extension of one's own: a method with its row, settings, a hook on the tool calls of others.
//   colours [-- COMMAND ARGS…]
// Serves stdio; with `--` it visits a server that has the extension, in whatever language.
import Foundation
import MCPBolt

private let id = "com.example/colours"
private let mix = "com.example/mix"

private func mixing() -> ServerExtension {
    var mixing = ServerExtension(id, settings: ["depth": 8])
    mixing.method(mix, namedBy: .name) { params, _ in
        ["mixed": params["colours"] == ["red", "blue"] ? "purple" : "brown"]
    }
    mixing.hook(CallTool.name) { params, _, next in
        var result = try await next(params).objectValue ?? [:]
        result["_meta"] = .object([id: "signed"])
        return .object(result)
    }
    return mixing
}

private func paints() async throws -> Server {
    let server = Server(name: "paints", version: "1.0.0", extensions: [mixing()])
    try await server.addTool("paint", description: "Paints the sky") { arguments, _ in
        text("a \(arguments["colour"]?.stringValue ?? "") sky")
    }
    return server
}

private func visit(_ command: [String]) async throws {
    var mixer = ClientExtension(id)
    mixer.method(mix, namedBy: .name)
    let client = Client(
        name: "mixer", version: "1.0.0", configuration: .init(protocolVersion: "auto"), extensions: [mixer])
    let server = try await client.connect(transport: try target(command))
    let depth = server.capabilities.extensions?[id]?["depth"]?.intValue ?? 0
    let mixed = try await client.request(mix, ["name": "sky", "colours": ["red", "blue"]])
    let call = CallTool.request(.init(name: "paint", arguments: ["colour": mixed["mixed"] ?? .null]))
    let painted = try await client.send(call)
    print("depth \(depth): \(textOf(painted.content)), \(painted._meta?[id]?.stringValue ?? "")")
    await client.disconnect()
}

@main
struct Colours {
    static func main() async {
        await run {
            let words = try Arguments().rest
            if words.isEmpty { try await serve(try await paints(), http: nil) } else { try await visit(words) }
        }
    }
}
