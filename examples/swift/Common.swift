// What the larger examples share: their command lines, words in and out of content, and answers
// without a person.
import Foundation
import MCPBolt

// Command lines

/// The words of a command line: `--name value` first, in any order, then the rest.
struct Arguments {
    private(set) var options: [String: String] = [:]
    private(set) var rest: [String]

    /// `known`: the options there are, without their dashes.
    init(_ known: String...) throws {
        rest = Array(CommandLine.arguments.dropFirst())
        while let first = rest.first, first.hasPrefix("--"), first != "--" {
            let name = String(first.dropFirst(2))
            guard known.contains(name), rest.count > 1 else {
                throw MCPError.usage("\(first) is no option, or has no value; there are: --\(known.joined(separator: ", --"))")
            }
            options[name] = rest[1]
            rest.removeFirst(2)
        }
    }
}

/// Runs a program. What it throws is told, and the process ends with 1.
func run(_ body: @Sendable () async throws -> Void) async {
    do { try await body() } catch {
        say(error.localizedDescription)
        exit(1)
    }
}

/// A line for the person at the terminal; standard output belongs to the protocol.
func say(_ words: String) { FileHandle.standardError.write(Data("\(words)\n".utf8)) }

/// Serves until the client leaves (stdio); with `http`, HOST:PORT, until the process ends.
func serve(_ server: Server, http: String?) async throws {
    if let http {
        guard let colon = http.lastIndex(of: ":"), let port = UInt16(http[http.index(after: colon)...]) else {
            throw MCPError.usage("--http takes HOST:PORT, not \(http)")
        }
        let host = http[..<colon].trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        say("Serving HTTP on \(try await server.serveHttp(host: host, port: port).url)")
    } else {
        try await server.start(transport: StdioTransport())
    }
    await server.waitUntilCompleted()
}

/// The way to the server that the last words of a client's command line name: a URL, or
/// `-- COMMAND ARGS`.
func target(_ words: [String]) throws -> any Transport {
    let command = Array(words.drop { $0 == "--" })
    guard let first = command.first else { throw MCPError.usage("no server: give a URL, or -- COMMAND ARGS") }
    guard command.count == 1, first.contains("://"), let url = URL(string: first) else {
        return StdioClientTransport(command: first, args: Array(command.dropFirst()))
    }
    return url.path.hasSuffix("/sse") ? SSEClientTransport(endpoint: url) : HTTPClientTransport(endpoint: url)
}

// Words

/// An answer of one text.
func text(_ words: String) -> CallTool.Result { .init(content: [.text(words)]) }

/// The words of some content, one block per line.
func textOf(_ content: [ContentBlock]) -> String { content.compactMap(\.plainText).joined(separator: "\n") }

// Answers without a person

/// Something that fits each field of a form; those with a default are left out, the client fills
/// them in.
func fillIn(_ form: Elicitation.RequestSchema?) -> [String: Value] {
    (form?.properties ?? [:]).filter { $0.value["default"] == nil }.mapValues(fitting)
}

private let texts: [String: Value] = [
    "email": "ada@example.com", "uri": "https://example.com/", "date": "2026-07-28", "date-time": "2026-07-28T12:00:00Z",
]

private func fitting(_ field: Value) -> Value {
    switch field["type"]?.stringValue {
    case "boolean": true
    case "integer", "number": field["minimum"] ?? 1
    case "array": .array([field["items"].flatMap(choice)].compactMap { $0 })
    default: choice(field) ?? field["format"]?.stringValue.flatMap { texts[$0] } ?? "Ada"
    }
}

/// The first of the values there are to choose from.
private func choice(_ field: Value) -> Value? {
    let first = (field["enum"] ?? field["oneOf"] ?? field["anyOf"])?[0]
    return first?["const"] ?? first
}
