// A server with one of everything: what the conformance suites call.
//   everything-server [--http HOST:PORT]
// Shows: content of every kind, logging, progress, errors, questions to the client in both
// styles (waiting inside the function, and in explicit rounds), tasks, resources, templates,
// prompts, completion, announcements, a schema of its own, skills.
import Foundation
import MCPBolt

@main
struct EverythingServer {
    static func main() async {
        await run {
            let arguments = try Arguments("http")
            let server = Server(
                name: "mcpbolt-everything", version: "1.0.0",
                instructions: "Call test_simple_text first; every tool says what it shows.",
                capabilities: .init(
                    logging: [:], prompts: .init(listChanged: true),
                    resources: .init(subscribe: true, listChanged: true), tools: .init(listChanged: true)),
                extensions: try skills())
            try await server.offerContent()
            try await server.offerArguments()
            try await server.offerNews()
            try await server.offerQuestions()
            try await server.offerRounds()
            try await server.offerTasks()
            try await server.offerResources()
            try await server.offerPrompts()
            try await serve(server, http: arguments.options["http"])
        }
    }
}

/// The skills of `examples/skills`, if this program runs where that is.
private func skills() throws -> [ServerExtension] {
    let folder = URL(fileURLWithPath: "examples/skills")
    if !FileManager.default.fileExists(atPath: folder.path) { return [] }
    return [try SkillFolder(folder, ttlMs: 60_000, isPublic: true).serverExtension]
}

// One red pixel, and one silent sample.
private let png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
private let wav = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA=="

private let picture = ContentBlock.image(data: png, mimeType: "image/png")

private func embedded(_ uri: String, _ mimeType: String, _ words: String) -> ContentBlock {
    .resource(resource: .text(words, uri: uri, mimeType: mimeType))
}

/// Between two messages.
private let step = Duration.milliseconds(50)

extension Server {
    /// A tool without arguments.
    func tool(
        _ name: String, _ description: String, _ body: @escaping @Sendable (HandlerContext) async throws -> CallTool.Result
    ) throws {
        try addTool(name, description: description) { _, call in try await body(call) }
    }

    func offerContent() throws {
        try tool("test_simple_text", "Answers with text.") { _ in text("This is a simple text response for testing.") }
        try tool("test_image_content", "Answers with a picture.") { _ in .init(content: [picture]) }
        try tool("test_audio_content", "Answers with sound.") { _ in
            .init(content: [.audio(data: wav, mimeType: "audio/wav")])
        }
        try tool("test_embedded_resource", "Answers with a resource.") { _ in
            .init(content: [embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")])
        }
        try tool("test_multiple_content_types", "Answers with three kinds.") { _ in
            let data = embedded("test://mixed-content-resource", "application/json", #"{"test":"data","value":123}"#)
            return .init(content: [.text("Multiple content types test:"), picture, data])
        }
        try tool("test_error_handling", "Always fails, in a way the model sees.") { _ in
            .init(content: [.text("This tool intentionally returns an error for testing")], isError: true)
        }
    }

    func offerArguments() throws {
        let name: Value = ["type": "string", "description": "Who is greeted."]
        try addTool(
            "greet", description: "Greets.",
            inputSchema: ["type": "object", "properties": ["name": name], "required": ["name"]]
        ) { arguments, _ in text("Hello, \(arguments["name"]?.stringValue ?? "")!") }

        let value: Value = ["type": "string", "default": "", "description": "Any text", "x-mcp-header": "Value"]
        try addTool(
            "test_x_mcp_header", description: "Takes an argument that HTTP clients repeat in a header (2026-07-28).",
            inputSchema: ["type": "object", "properties": ["value": value]]
        ) { arguments, _ in text("value: \(arguments["value"]?.stringValue ?? "")") }

        try addTool(
            "json_schema_2020_12_tool", description: "Has a schema with keywords of JSON Schema 2020-12.",
            inputSchema: contact
        ) { arguments, _ in text("Accepted: \(Value.object(arguments))") }
    }

    // Saying something while it runs

    func offerNews() throws {
        try tool("test_tool_with_logging", "Logs three times.") { call in
            try await call.log(.info, "Tool execution started")
            try await Task.sleep(for: step)
            try await call.log(.info, "Tool processing data")
            try await Task.sleep(for: step)
            try await call.log(.info, "Tool execution completed")
            return text("Tool with logging executed successfully")
        }
        try tool("test_tool_with_progress", "Reports progress three times.") { call in
            for (half, message) in ["started", "half way", "done"].enumerated() {
                if half > 0 { try await Task.sleep(for: step) }
                try await call.reportProgress(50 * Double(half), total: 100, message: message)
            }
            return text("Tool with progress executed successfully")
        }
        try tool("test_logging_tool", "Logs once, if the client wants it.") { call in
            try await call.log(.info, "test_logging_tool was called")
            return text("Logged.")
        }
        try tool("test_reconnection", "Closes its stream and goes on.") { call in
            // The client comes back for the rest (2025-11-25 over HTTP).
            call.closeStream()
            try await Task.sleep(for: step * 2)
            return text("Reconnection test completed successfully")
        }
        try tool("test_trigger_tool_change", "Says that the tool list changed.") { [weak self] _ in
            try await self?.notify(ToolListChangedNotification.message())
            return text("Announced a change of the tools.")
        }
        try tool("test_trigger_prompt_change", "Says that the prompt list changed.") { [weak self] _ in
            try await self?.notify(PromptListChangedNotification.message())
            return text("Announced a change of the prompts.")
        }
    }

    func offerResources() throws {
        func offer(
            _ name: String, _ description: String, _ mimeType: String,
            _ content: @escaping @Sendable (String) -> Resource.Content
        ) throws {
            let resource = Resource(name: name, uri: "test://\(name)", description: description, mimeType: mimeType)
            try addResource(resource) { uri, _ in .init(contents: [content(uri)]) }
        }
        try offer("static-text", "A text that never changes.", "text/plain") {
            .text("This is the content of the static text resource.", uri: $0, mimeType: "text/plain")
        }
        try offer("static-binary", "A picture that never changes.", "image/png") {
            .binary(Data(base64Encoded: png)!, uri: $0, mimeType: "image/png")
        }
        try offer("watched-resource", "A text to subscribe to.", "text/plain") {
            .text("This is a watched resource.", uri: $0, mimeType: "text/plain")
        }
        let template = ResourceTemplate(
            uriTemplate: "test://template/{id}/data", name: "template-data", description: "Data by number.",
            mimeType: "application/json")
        try addResourceTemplate(template) { uri, parts, _ in
            let id = parts["id"] ?? ""
            let data: Value = ["id": .string(id), "templateTest": true, "data": "Data for ID: \(id)"]
            return .init(contents: [.text("\(data)", uri: uri, mimeType: "application/json")])
        }
    }

    func offerPrompts() throws {
        func offer(
            _ name: String, _ description: String, _ arguments: [String: String] = [:],
            _ body: @escaping @Sendable ([String: String], HandlerContext) throws -> [ContentBlock]
        ) throws {
            let all = arguments.sorted { $0.key < $1.key }.map { Prompt.Argument(name: $0, description: $1, required: true) }
            try addPrompt(Prompt(name: name, description: description, arguments: all)) { given, call in
                .init(messages: try body(given, call).map { .user($0) })
            }
        }
        try offer("test_simple_prompt", "A prompt without arguments.") { _, _ in
            [.text("This is a simple prompt for testing.")]
        }
        try offer(
            "test_prompt_with_arguments", "A prompt with two arguments.",
            ["arg1": "First argument", "arg2": "Second argument"]
        ) { given, _ in
            [.text("Prompt with arguments: arg1='\(given["arg1"] ?? "")', arg2='\(given["arg2"] ?? "")'")]
        }
        try offer(
            "test_prompt_with_embedded_resource", "A prompt that holds a resource.", ["resourceUri": "URI of the resource"]
        ) { given, _ in
            let resource = embedded(given["resourceUri"] ?? "", "text/plain", "Embedded resource content for testing.")
            return [resource, .text("Please process the embedded resource above.")]
        }
        try offer("test_prompt_with_image", "A prompt that holds a picture.") { _, _ in
            [picture, .text("Please analyze the image above.")]
        }
        try offer("test_input_required_result_prompt", "A prompt that asks first.") { _, call in
            [.text("Use this context: \(try call.contextOrAsk())")]
        }
        withMethodHandler(Complete.self) { asked in
            let known =
                switch asked.ref {
                case .prompt(let ref) where ref.name == "test_prompt_with_arguments" && asked.argument.name == "arg1":
                    ["testValue1", "testValue2", "paris", "party"]
                case .resource(let ref) where ref.uri == "test://template/{id}/data": ["123", "456"]
                default: [String]()
                }
            return .init(completion: .init(values: known.filter { $0.hasPrefix(asked.argument.value) }))
        }
    }
}

private let contact: Value = [
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": [
        "address": [
            "$anchor": "addressDef",
            "type": "object",
            "properties": ["street": ["type": "string"], "city": ["type": "string"]],
        ]
    ],
    "properties": [
        "name": ["type": "string"],
        "address": ["$ref": "#/$defs/address"],
        "contactMethod": ["type": "string", "enum": ["phone", "email"]],
        "phone": ["type": "string"],
        "email": ["type": "string"],
    ],
    "allOf": [["anyOf": [["required": ["phone"]], ["required": ["email"]]]]],
    "if": ["properties": ["contactMethod": ["const": "phone"]], "required": ["contactMethod"]],
    "then": ["required": ["phone"]],
    "else": ["required": ["email"]],
    "additionalProperties": false,
]
