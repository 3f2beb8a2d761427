// Takes the steps of `cargo xtask demo` with a notes server, and prints how each went: a line per
// step, its parts separated by tabs; then how many milliseconds a call takes.
//
// Shows: what a client can do with a server, in either era, with the same code.
//
//   demo-client [--mode auto|legacy|REVISION] [--revision EXPECTED] [--folder NOTES] URL | -- COMMAND ARGS…
import Foundation
import MCPBolt

// The note the steps work on, and its text.
private let note = "demo.txt"
private let uri = "note:///demo.txt"
private let words = "Buy green tea."
/// Longest wait for a notification, in seconds.
private let soon = 10.0
/// How many calls are timed.
private let calls = 20
/// What a server answers for a resource it does not have, and for params that make no sense.
private let notThere = [-32002, -32602]

@main
struct DemoClient {
    static func main() async {
        await run {
            let arguments = try Arguments("mode", "revision", "folder")
            let visit = Visit(
                mode: arguments.options["mode"] ?? "auto", expected: arguments.options["revision"],
                folder: URL(fileURLWithPath: arguments.options["folder"] ?? "notes", isDirectory: false))
            try await visit.begin(try target(arguments.rest))
            var allHold = true
            for (name, step) in visit.steps {
                var (verdict, said) = ("ok", "")
                do { said = try await step() } catch {
                    (verdict, said, allHold) = ("FAILED", error.localizedDescription, false)
                }
                print(verdict, name, said.split(whereSeparator: \.isWhitespace).joined(separator: " "), separator: "\t")
            }
            print("call", String(format: "%.3f", try await visit.callTime()), separator: "\t")
            await visit.client.disconnect()
            if !allHold { exit(1) }
        }
    }
}

/// A step does not hold; says what was seen.
private struct Unexpected: LocalizedError {
    let errorDescription: String?
    init(_ seen: String) { errorDescription = "unexpected: \(seen)" }
}

/// What was seen, if the condition holds.
private func holds(_ condition: Bool, _ seen: String) throws -> String {
    guard condition else { throw Unexpected(seen) }
    return seen
}

/// The code and the words of the error that something must fail with.
private func refused(_ otherwise: String, _ body: () async throws -> Void) async throws -> MCPError {
    do { try await body() } catch let error as MCPError { return error }
    throw Unexpected(otherwise)
}

/// One connection, and the steps on it.
private struct Visit {
    let client: Client
    let expected: String?
    let folder: URL

    init(mode: String, expected: String?, folder: URL) {
        client = Client(name: "mcpbolt-demo-swift", version: "1.0.0", configuration: .init(protocolVersion: .init(mode)))
        (self.expected, self.folder) = (expected, folder)
    }

    /// Says yes to every form, has a model that repeats, and one root.
    func begin(_ transport: any Transport) async throws {
        await client.withElicitationHandler { asked in
            guard case .form(let form) = asked else { return .init(action: .accept) }
            return .init(action: .accept, content: fillIn(form.requestedSchema))
        }
        await client.withSamplingHandler { asked in
            let said = asked.messages.first?.content.text ?? ""
            return .init(model: "scripted", role: .assistant, content: .text("In short: \(said)"))
        }
        let root = Root(uri: folder.absoluteString, name: "notes")
        await client.withRootsHandler { [root] }
        try await client.connect(transport: transport)
    }

    /// In order; later ones use what earlier ones wrote.
    var steps: [(String, () async throws -> String)] {
        [
            ("who is there", greet), ("list the tools", tools), ("write a note", write), ("structured answer", structured),
            ("list and read resources", read), ("subscribe and be told", subscribe), ("progress", progress),
            ("prompt", prompt), ("completion", complete), ("sampling", sample), ("roots", roots),
            ("refuse other folders", refuse), ("refuse unknown tools", unknown), ("elicitation", delete),
        ]
    }

    private func call(_ tool: String, _ arguments: [String: Value] = [:], options: RequestOptions = .init()) async throws
        -> CallTool.Result
    {
        guard let session = await client.session else { throw MCPError.connectionClosed }
        return try await session.send(CallTool.request(.init(name: tool, arguments: arguments)), options: options)
    }

    /// The words of an answer that must not be a failure.
    private func said(_ tool: String, _ arguments: [String: Value] = [:]) async throws -> String {
        let result = try await call(tool, arguments)
        return try holds(result.isError != true, textOf(result.content))
    }

    private func greet() async throws -> String {
        let info = await client.session?.info
        let (name, revision) = (info?.serverInfo?.name ?? "", info?.protocolVersion ?? "")
        return try holds(name == "mcpbolt-notes" && (expected ?? revision) == revision, "\(name), revision \(revision)")
    }

    private func tools() async throws -> String {
        let names = try await client.listTools().tools.map(\.name)
        return try holds(names.contains("write_note") && names.count == 7, names.joined(separator: ", "))
    }

    private func write() async throws -> String {
        let said = try await said("write_note", ["name": .string(note), "text": .string(words)])
        return try holds(said == "Wrote a new note.", said)
    }

    private func structured() async throws -> String {
        let content = try await call("list_notes").structuredContent
        return try holds(content == ["notes": [.string(note)]], "\(content ?? "no structured content")")
    }

    private func read() async throws -> String {
        let listed = try await client.listResources().resources.map(\.uri)
        guard listed.contains(uri) else { throw Unexpected("\(uri) is not listed") }
        let text = try await client.readResource(uri: uri).first?.text ?? "(bytes)"
        return try holds(text == words, "\(uri): \(text)")
    }

    private func subscribe() async throws -> String {
        guard let session = await client.session else { throw MCPError.connectionClosed }
        let news = session.notifications
        try await client.subscribeToResource(uri: uri)
        _ = try await said("write_note", ["name": .string(note), "text": .string(words)])
        let changed = try await withThrowingTaskGroup(of: String.self) { group in
            group.addTask {
                for try await one in news {
                    if let update = try one.decode(ResourceUpdatedNotification.self) { return update.params.uri }
                }
                throw MCPError.connectionClosed
            }
            group.addTask {
                try await Task.sleep(nanoseconds: UInt64(soon * 1e9))
                throw Unexpected("nothing was told")
            }
            defer { group.cancelAll() }
            return try await group.next() ?? ""
        }
        try await client.unsubscribeFromResource(uri: uri)
        return try holds(changed == uri, "\(changed) changed")
    }

    private func progress() async throws -> String {
        let (reports, report) = AsyncStream<Double>.makeStream()
        let result = try await call("search_notes", ["query": "TEA"], options: .init(onProgress: { report.yield($0.progress) }))
        report.finish()
        let seen = await reports.reduce(into: []) { $0.append($1) }
        let said = textOf(result.content)
        return try holds(seen == [1] && said.contains(note), "\(seen.count) report, then \(said)")
    }

    private func prompt() async throws -> String {
        let messages = try await client.getPrompt(name: "improve_note", arguments: ["name": note, "tone": "formal"]).messages
        let first = messages.first?.content.plainText ?? ""
        return try holds(messages.count == 2 && first.contains("formal"), first)
    }

    private func complete() async throws -> String {
        let asked = CompletionRef.prompt(.init(name: "improve_note"))
        let values = try await client.complete(asked, argument: "name", value: "de").values
        return try holds(values == [note], "de → \(values.joined(separator: ", "))")
    }

    private func sample() async throws -> String {
        let said = try await said("summarize_note", ["name": .string(note)])
        return try holds(said == "In short: \(words)", said)
    }

    private func roots() async throws -> String {
        let said = try await said("check_roots")
        return try holds(said.contains(folder.path), said)
    }

    private func refuse() async throws -> String {
        let result = try await call("read_note", ["name": "../secret"])
        let said = textOf(result.content)
        guard result.isError == true else { throw Unexpected("it was read: \(said)") }
        let error = try await refused("a resource outside the folder was read") {
            _ = try await client.readResource(uri: "note:///..%2Fsecret")
        }
        return try holds(notThere.contains(error.code), said)
    }

    private func unknown() async throws -> String {
        let error = try await refused("it was called") { _ = try await client.callTool(name: "no_such_tool") }
        return try holds(error.code == -32602, error.message)
    }

    private func delete() async throws -> String {
        let said = try await said("delete_note", ["name": .string(note)])
        return try holds(said == "Deleted \(note).", said)
    }

    /// The median of some calls, one after the other, in milliseconds.
    func callTime() async throws -> Double {
        var took: [Duration] = []
        for _ in 0..<calls { took.append(try await ContinuousClock().measure { _ = try await said("list_notes") }) }
        let (seconds, rest) = took.sorted()[calls / 2].components
        return Double(seconds) * 1e3 + Double(rest) / 1e15
    }
}
