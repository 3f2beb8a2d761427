// A server for notes: text files in one folder, and nothing outside it.
//
// Shows: tools with structured answers, resources that come and go, a template, subscriptions,
// prompts, completion, progress, and asking the client: a person (elicitation), its model
// (sampling), its roots.
//
//   notes-server [--http HOST:PORT] [FOLDER]
import Foundation
import MCPBolt

@main
struct NotesServer {
    static func main() async {
        await run {
            let arguments = try Arguments("http")
            let notes = Notes(folder: try Folder(arguments.rest.first ?? "notes"))
            try await notes.addTools()
            try await notes.addQuestions()
            try await notes.addResources()
            try await notes.addPrompt()
            try await serve(notes.server, http: arguments.options["http"])
        }
    }
}

/// What a schema says of a note's name.
private let name: Value = ["type": "string", "description": "Name of the note."]
private let names: Value = ["type": "array", "items": ["type": "string"], "description": "Names of notes."]
private let onlyName: Value = ["type": "object", "properties": ["name": name], "required": ["name"]]
private let safe = Tool.Annotations(readOnlyHint: true, openWorldHint: false)
private let tones = ["clear", "formal", "friendly", "short"]

private struct Listing: Encodable { let notes: [String] }
private struct Found: Encodable { let notes: [String], searched: Int }

/// An answer for programs, and the same for those that only read.
private func structured(_ value: some Encodable) throws -> CallTool.Result {
    let value = try Value(value)
    return .init(content: [.text("\(value)")], structuredContent: value)
}

private func starting(with typed: String, _ known: [String]) -> [String] {
    known.filter { $0.lowercased().hasPrefix(typed.lowercased()) }
}

struct Notes: Sendable {
    let folder: Folder
    let server = Server(
        name: "mcpbolt-notes", version: "1.0.0",
        instructions: "Notes are plain text, one file each. List them before you read or change one.",
        capabilities: .init(logging: [:], resources: .init(subscribe: true, listChanged: true)))

    // Tools

    func addTools() async throws {
        try await server.addTool(
            Tool(
                name: "list_notes", description: "Lists all notes.", inputSchema: ["type": "object"],
                outputSchema: ["type": "object", "properties": ["notes": names], "required": ["notes"]], annotations: safe)
        ) { _, _ in try structured(Listing(notes: folder.names())) }

        try await server.addTool("read_note", description: "Reads a note.", inputSchema: onlyName, annotations: safe) { given, _ in
            text(try folder.read(given.word("name")))
        }

        try await server.addTool(
            Tool(
                name: "search_notes", description: "Finds the notes that hold a text, with progress.",
                inputSchema: [
                    "type": "object", "required": ["query"],
                    "properties": [
                        "query": ["type": "string", "description": "Text to look for; upper and lower case are the same."]
                    ],
                ],
                outputSchema: [
                    "type": "object", "required": ["notes", "searched"],
                    "properties": [
                        "notes": names, "searched": ["type": "integer", "description": "How many notes were read."],
                    ],
                ],
                annotations: safe)
        ) { given, call in try await search(given.word("query"), call) }

        try await server.addTool(
            "write_note", description: "Writes a note, new or not.",
            inputSchema: [
                "type": "object", "required": ["name", "text"],
                "properties": ["name": name, "text": ["type": "string", "description": "Its new text."]],
            ],
            annotations: .init(destructiveHint: true, idempotentHint: true, openWorldHint: false)
        ) { given, call in try await write(given.word("name"), given.word("text"), call) }
    }

    private func search(_ query: String, _ call: HandlerContext) async throws -> CallTool.Result {
        let names = try folder.names()
        var found: [String] = []
        for (index, name) in names.enumerated() {
            // A client that cancels ends this here.
            try Task.checkCancellation()
            if try folder.read(name).lowercased().contains(query.lowercased()) { found.append(name) }
            try await call.reportProgress(Double(index + 1), total: Double(names.count), message: name)
        }
        return try structured(Found(notes: found, searched: names.count))
    }

    private func write(_ name: String, _ words: String, _ call: HandlerContext) async throws -> CallTool.Result {
        let isNew = try folder.write(name, words)
        if isNew { try await offer(name) }
        try await server.resourceUpdated(uri: uri(name))
        try await call.log(.info, "wrote \(name) (\(words.count) characters)")
        let said = isNew ? "Wrote a new note." : "Replaced the note."
        return .init(content: [.text(said), .resourceLink(uri: uri(name), name: name)])
    }

    // Tools that ask the client

    func addQuestions() async throws {
        try await server.addTool(
            "delete_note", description: "Deletes a note after asking the person.", inputSchema: onlyName,
            annotations: .init(destructiveHint: true, openWorldHint: false)
        ) { given, call in try await delete(given.word("name"), call) }

        try await server.addTool(
            "summarize_note", description: "Summarizes a note with the client's model.", inputSchema: onlyName
        ) { given, call in
            let answer = try await call.createMessage(.init(
                messages: [.user(.text(try folder.read(given.word("name"))))],
                systemPrompt: "Summarize the note in one sentence.", maxTokens: 200))
            return text(textOf(answer.content.all))
        }

        try await server.addTool(
            "check_roots", description: "Says whether the notes lie in one of the client's roots."
        ) { _, call in
            let roots = try await call.listRoots()
            guard let around = roots.first(where: holdsTheNotes) else {
                return text("The notes lie in none of the client's \(roots.count) roots.")
            }
            return text("The notes lie in \(around.uri).")
        }
    }

    private func delete(_ name: String, _ call: HandlerContext) async throws -> CallTool.Result {
        try folder.expect(name)
        let answer = try await call.elicit(
            message: "Delete the note \(name)?",
            requestedSchema: [
                "type": "object", "required": ["delete"],
                "properties": ["delete": ["type": "boolean", "title": "Delete it for good"]],
            ])
        guard answer.action == .accept, answer.content?["delete"] == true else { return text("Nothing was deleted.") }
        try folder.delete(name)
        try await server.removeResource(uri(name))
        try await server.resourceUpdated(uri: uri(name))
        return text("Deleted \(name).")
    }

    private func holdsTheNotes(_ root: Root) -> Bool {
        guard let url = URL(string: root.uri), url.isFileURL else { return false }
        let outer = url.standardizedFileURL.path
        return folder.path == outer || folder.path.hasPrefix(outer.hasSuffix("/") ? outer : outer + "/")
    }

    // Notes as resources: one per note, and a template for names not listed yet

    func addResources() async throws {
        for name in try folder.names() { try await offer(name) }
        try await server.addResourceTemplate(
            ResourceTemplate(
                uriTemplate: "note:///{name}", name: "note", description: "A note by its name.", mimeType: "text/plain")
        ) { uri, parts, _ in try contents(parts["name"] ?? "", uri) }
        await server.onSubscription { uri, active in
            say(active ? "\(uri): there are subscribers" : "\(uri): there is no subscriber any more")
        }
    }

    /// Lists a note among the resources. Clients are told.
    private func offer(_ name: String) async throws {
        let resource = Resource(name: name, uri: uri(name), description: "The note \(name)", mimeType: "text/plain")
        try await server.addResource(resource) { uri, _ in try contents(name, uri) }
    }

    private func uri(_ name: String) -> String {
        let plain = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
        return "note:///\(name.addingPercentEncoding(withAllowedCharacters: plain) ?? "")"
    }

    private func contents(_ name: String, _ uri: String) throws -> ReadResource.Result {
        do { return .init(contents: [.text(try folder.read(name), uri: uri, mimeType: "text/plain")]) } catch {
            // What is no note is not there, whatever the reason: names outside tell nothing.
            throw MCPError.resourceNotFound(uri: uri)
        }
    }

    // A prompt, and suggestions for its arguments and the template's

    func addPrompt() async throws {
        let prompt = Prompt(
            name: "improve_note", title: "Improve a note", description: "Asks for a better wording of a note.",
            arguments: [
                .init(name: "name", description: "Name of the note.", required: true),
                .init(name: "tone", description: "For example friendly or formal"),
            ])
        try await server.addPrompt(prompt) { given, _ in
            let name = given["name"] ?? ""
            let note = Resource.Content.text(try folder.read(name), uri: uri(name), mimeType: "text/plain")
            return .init(messages: [
                .user(.text("Rewrite this note in a \(given["tone"] ?? "clear") tone. Keep every fact.")),
                .user(.resource(resource: note)),
            ])
        }
        await server.withMethodHandler(Complete.self) { asked in
            let known =
                switch asked.argument.name {
                case "name": try folder.names()
                case "tone": tones
                default: [String]()
                }
            return .init(completion: .init(values: starting(with: asked.argument.value, known)))
        }
    }
}

extension [String: Value] {
    /// An argument that the schema says is a text.
    fileprivate func word(_ name: String) -> String { self[name]?.stringValue ?? "" }
}
