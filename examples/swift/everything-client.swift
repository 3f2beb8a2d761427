// A client that uses whatever a server offers: what the conformance suites drive.
//   everything-client URL | -- COMMAND ARGS…
// Shows: connecting in either era, lists, calls, reading, prompts, answering the server's
// questions. Which of it is done, and with what, the suites say by environment variables
// (MCP_CONFORMANCE_SCENARIO, _CONTEXT, _PROTOCOL_VERSION); without them it looks at
// everything and prints what it found.
import Foundation
import MCPBolt

@main
struct EverythingClient {
    static func main() async {
        await run {
            let environment = ProcessInfo.processInfo.environment
            let scenario = environment["MCP_CONFORMANCE_SCENARIO"]
            let told = Data((environment["MCP_CONFORMANCE_CONTEXT"] ?? "{}").utf8)
            // The mocks of the suites speak one era: a suite that does not say which, the legacy one.
            let modern = scenario == nil || environment["MCP_CONFORMANCE_PROTOCOL_VERSION"] ?? "" >= "2026"
            let client = await agreeable(modern ? "auto" : "legacy")
            do {
                let given = try JSONDecoder().decode(Value.self, from: told)
                let words = try Arguments().rest
                let server = try await client.connect(transport: try way(to: words, scenario, given))
                if let scenario {
                    try await play(client, scenario, given)
                } else {
                    try await tour(client, server)
                }
                await client.disconnect()
            } catch {
                await client.disconnect()
                throw error
            }
        }
    }

    /// The way to the server; where a scenario is about authorization, with what signs in.
    private static func way(to words: [String], _ scenario: String?, _ given: Value) throws -> any Transport {
        guard let scenario, scenario.hasPrefix("auth/"), let url = words.first.flatMap({ URL(string: $0) }) else {
            return try target(words)
        }
        return HTTPClientTransport(endpoint: url, authorizer: try signIn(scenario, given))
    }

    /// A client that agrees to everything, has a model that repeats, and one root.
    private static func agreeable(_ protocolVersion: String) async -> Client {
        let client = Client(
            name: "mcpbolt-everything-client", version: "1.0.0", configuration: .init(protocolVersion: .init(protocolVersion)))
        await client.withRootsHandler { [Root(uri: "file:///example", name: "example")] }
        await client.withElicitationHandler { asked in
            if case .form(let form) = asked { return .init(action: .accept, content: fillIn(form.requestedSchema)) }
            return .init(action: .accept)
        }
        await client.withSamplingHandler { asked in
            let heard = textOf(asked.messages.last?.content.all ?? [])
            return .init(model: "scripted", stopReason: .endTurn, role: .assistant, content: .text("You said: \(heard)"))
        }
        return client
    }
}

/// A list, page by page.
private func pages<T>(_ ask: (String?) async throws -> ([T], String?)) async throws -> [T] {
    var (all, cursor) = try await ask(nil)
    while cursor != nil {
        let (some, next) = try await ask(cursor)
        all += some
        cursor = next
    }
    return all
}

/// A value for each argument that a tool declares.
private func someArguments(_ tool: Tool) -> [String: Value] {
    (tool.inputSchema["properties"]?.objectValue ?? [:]).mapValues { property in
        switch property["type"]?.stringValue {
        case "integer", "number": 1
        case "boolean": true
        case "array": []
        case "object": [:]
        default: "test"
        }
    }
}

/// Looks at everything and prints it.
private func tour(_ client: Client, _ server: Initialize.Result) async throws {
    print("connected to \(server.serverInfo.name), revision \(server.protocolVersion)")
    if let instructions = server.instructions { print("  \(instructions)") }
    if server.capabilities.tools != nil {
        for tool in try await pages({ try await client.listTools(cursor: $0) }) {
            print("tool      \(tool.title ?? tool.name): \(tool.description ?? "-")")
        }
    }
    if server.capabilities.resources != nil {
        for resource in try await pages({ try await client.listResources(cursor: $0) }) {
            print("resource  \(resource.uri) (\(try await client.readResource(uri: resource.uri).count) parts)")
        }
        for template in try await pages({ try await client.listResourceTemplates(cursor: $0) }) {
            print("template  \(template.uriTemplate)")
        }
    }
    if server.capabilities.prompts != nil {
        for prompt in try await pages({ try await client.listPrompts(cursor: $0) }) {
            print("prompt    \(prompt.name): \(prompt.description ?? "-")")
        }
    }
}

/// Lists skills and, where the scenario is about verification, loads one; a skill that is not what
/// its entry says is left alone.
private func useSkills(_ client: Client, _ scenario: String) async throws {
    let skills = SkillsClient(client, server: "suite")
    guard let skill = try await skills.list().skills.first, scenario.contains("verify") else { return }
    do {
        let loaded = try await skills.load(skill, approval: try skills.approve(skill))
        for file in skill.files { _ = try await loaded.read(file["uri"]?.stringValue ?? "") }
    } catch let wrong as SkillError { say("not loaded: \(wrong.localizedDescription)") }
}

/// Does what a scenario of the suites wants to see.
private func play(_ client: Client, _ scenario: String, _ context: Value) async throws {
    if scenario.hasPrefix("sep-2640-") { return try await useSkills(client, scenario) }
    let tools = try await pages { try await client.listTools(cursor: $0) }
    switch scenario {
    case "tools_call":
        _ = try await client.callTool(name: "add_numbers", arguments: ["a": 5, "b": 3])
    case "elicitation-sep1034-client-defaults":
        _ = try await client.callTool(name: "test_client_elicitation_defaults", arguments: [:])
    case "sse-retry":
        _ = try await client.callTool(name: "test_reconnection", arguments: [:])
    case "sep-2322-client-request-state", "http-invalid-tool-headers":
        try await callAll(client, tools)
    case "http-standard-headers":
        try await callAll(client, tools)
        for resource in try await pages({ try await client.listResources(cursor: $0) }) {
            _ = try await client.readResource(uri: resource.uri)
        }
        for prompt in try await pages({ try await client.listPrompts(cursor: $0) }) {
            _ = try await client.getPrompt(name: prompt.name)
        }
    case "http-custom-headers":
        for call in context["toolCalls"]?.arrayValue ?? [] {
            _ = try await client.callTool(
                name: call["name"]?.stringValue ?? "", arguments: call["arguments"]?.objectValue ?? [:])
        }
    case "json-schema-2020-12-preservation":
        guard let focal = tools.first(where: { $0.name == "json_schema_2020_12_tool" }) else {
            throw MCPError.usage("the tool whose schema is echoed is not listed")
        }
        _ = try await client.callTool(name: "json_schema_echo", arguments: ["schema": focal.inputSchema])
    case _ where scenario.hasPrefix("auth/"):
        _ = try await client.callTool(name: "test-tool", arguments: [:])
    default:
        // Connecting and listing is all that the others look at.
        break
    }
}

private func callAll(_ client: Client, _ tools: [Tool]) async throws {
    for tool in tools { _ = try await client.callTool(name: tool.name, arguments: someArguments(tool)) }
}
