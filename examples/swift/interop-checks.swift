// What the interoperability tests check of an everything server, in whatever language it
// is: the same as the clients in tests/interop/clients do.
//   interop-checks [--era legacy|auto] URL | -- COMMAND ARGS…
// Prints a JSON line; ends with 0 if every check held.
import Foundation
import MCPBolt

@main
struct InteropChecks {
    static func main() async {
        await run {
            let arguments = try Arguments("era")
            let visit = await Visit(arguments.options["era"] ?? "legacy")
            if try await visit.failed(arguments.rest) { exit(1) }
        }
    }
}

/// What came in, in its order.
private actor Heard<T: Sendable> {
    private(set) var all: [T] = []
    func add(_ one: T) { all.append(one) }
}

private func check(_ held: Bool, _ words: @autoclosure () -> String) throws {
    if !held { throw ToolError(words()) }
}

private func holds(_ said: String, _ wanted: String) throws { try check(said.contains(wanted), said) }

private func has(_ names: [String], _ wanted: String) throws {
    try check(names.contains(wanted), "\(wanted) is not listed")
}

private struct Visit {
    typealias Check = (name: String, body: () async throws -> Void)

    private let forms = Heard<String>()
    private let samples = Heard<Int>()
    private let client: Client

    init(_ era: String) async {
        client = Client(name: "interop-swift", version: "1.0.0", configuration: .init(protocolVersion: .init(era)))
        await client.withElicitationHandler { [forms] asked in
            if case .form(let form) = asked { await forms.add(form.message) }
            return .init(action: .accept, content: ["username": "ada", "email": "ada@example.com"])
        }
        await client.withSamplingHandler { [samples] asked in
            await samples.add(asked.maxTokens)
            return .init(model: "scripted", role: .assistant, content: .text("scripted answer"))
        }
    }

    func failed(_ server: [String]) async throws -> Bool {
        let revision = try await client.connect(transport: try target(server)).protocolVersion
        var (passed, failed) = ([String](), [String: String]())
        for (name, body) in lists + calls + others + (revision >= "2026" ? [] : [("ping", client.ping)]) {
            do {
                try await body()
                passed.append(name)
            } catch { failed[name] = error.localizedDescription }
        }
        await client.disconnect()
        let transport = server.last?.contains("://") == true ? "http" : "stdio"
        let report: Value = [
            "client": "swift", "transport": .string(transport), "revision": .string(revision),
            "passed": .array(passed.map(Value.string)), "failed": .object(failed.mapValues(Value.string)),
        ]
        print(report)
        return !failed.isEmpty
    }

    private func words(_ uri: String) async throws -> String {
        try await client.readResource(uri: uri).compactMap(\.text).joined(separator: "\n")
    }

    private func call(_ tool: String, _ arguments: [String: Value] = [:]) async throws -> (said: String, isError: Bool?) {
        let (content, isError) = try await client.callTool(name: tool, arguments: arguments)
        return (textOf(content), isError)
    }

    private var lists: [Check] {
        [
            ("list tools", { try has(try await client.listTools().tools.map(\.name), "test_simple_text") }),
            ("list resources", { try has(try await client.listResources().resources.map(\.uri), "test://static-text") }),
            ("list templates", {
                try has(try await client.listResourceTemplates().templates.map(\.uriTemplate), "test://template/{id}/data")
            }),
            ("list prompts", { try has(try await client.listPrompts().prompts.map(\.name), "test_simple_prompt") }),
        ]
    }

    private var calls: [Check] {
        [
            ("call a tool", { try holds(try await call("test_simple_text").said, "simple text") }),
            ("progress", {
                let (seen, take) = AsyncStream<Double>.makeStream()
                _ = try await client.callTool(
                    name: "test_tool_with_progress", options: .init(onProgress: { take.yield($0.progress) }))
                take.finish()
                let all = await seen.reduce(into: [Double]()) { $0.append($1) }
                try check(all == [0, 50, 100], "progress was \(all)")
            }),
            ("tool error", { try check(try await call("test_error_handling").isError == true, "isError is not set") }),
            ("elicitation", {
                let (said, isError) = try await call("test_elicitation", ["message": "Who are you?"])
                let asked = await forms.all
                try check(asked == ["Who are you?"] && isError != true, "asked \(asked): \(said)")
                try holds(said, "ada@example.com")
            }),
            ("sampling", {
                let said = try await call("test_sampling", ["prompt": "Say something"]).said
                let asked = await samples.all
                try check(asked == [100], "asked for \(asked) tokens: \(said)")
                try holds(said, "scripted answer")
            }),
        ]
    }

    private var others: [Check] {
        [
            ("read a resource", { try check(!(try await words("test://static-text")).isEmpty, "no text") }),
            ("read a template", { try holds(try await words("test://template/123/data"), "123") }),
            ("get a prompt", {
                let prompt = try await client.getPrompt(
                    name: "test_prompt_with_arguments", arguments: ["arg1": "one", "arg2": "two"])
                let said = textOf(prompt.messages.map(\.block))
                try holds(said, "one")
                try holds(said, "two")
            }),
            ("complete", {
                let known = try await client.complete(
                    .prompt(.init(name: "test_prompt_with_arguments")), argument: "arg1", value: "test").values
                try check(known.allSatisfy { $0.hasPrefix("test") }, "the values are \(known)")
            }),
            ("unknown resource", {
                var kind = "nothing"
                do { _ = try await words("test://not-there") } catch let error as MCPError { kind = error.kind }
                try check(["resource_not_found", "invalid_params"].contains(kind), "it ended with \(kind)")
            }),
        ]
    }
}
