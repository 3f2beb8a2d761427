// Skills of a server, for a host. Owns: asking for entries and files, and refusing what is not what
// its entry says. Must not know: the rules of that, which the engine knows; users and models.
import Foundation
import MCPBoltEngine

/// An entry that a server lists: a skill by the URI of its `SKILL.md`.
public struct Skill: Hashable, Sendable {
    /// The entry as the server sent it.
    public let entry: Value
    /// The URI of its `SKILL.md`.
    public var uri: String { entry["uri"]?.stringValue ?? "" }
    /// What the `SKILL.md` says of itself. It grants nothing: hosts ignore `allowed-tools` and the
    /// like.
    public var frontmatter: [String: Value] { entry["frontmatter"]?.objectValue ?? [:] }
    /// Its name.
    public var name: String { frontmatter["name"]?.stringValue ?? "" }
    /// When to use it.
    public var description: String { frontmatter["description"]?.stringValue ?? "" }
    /// Its files, with URI, size and digest; empty if it `isDynamic`.
    public var files: [Value] { entry["resources"]?.arrayValue ?? [] }
    /// Whether it names no files: nothing then binds an approval to what it says.
    public var isDynamic: Bool { entry["resources"] == "dynamic" }
}

/// Why a skill is not used.
public enum SkillError: LocalizedError, Hashable {
    /// A file is not what its entry says, and must not be used. `reason` is `unlisted`, `size`,
    /// `digest` or `frontmatter`; `differences` are those in the frontmatter. Ask for the entry
    /// again; if it differs, ask the user again too.
    case mismatch(reason: String, uri: String, message: String, differences: [String])
    /// An approval is of another server, another skill or other files, or cannot be kept.
    case notApproved(String)

    public var errorDescription: String? {
        switch self {
        case .mismatch(_, _, let message, _), .notApproved(let message): message
        }
    }
}

/// A file of a skill.
public struct SkillFile: Hashable, Sendable {
    /// Its URI.
    public let uri: String
    /// Its bytes.
    public let content: Data
    /// Its type, as the server says.
    public let mimeType: String?
    /// Whether size and digest were checked; not for dynamic skills.
    public let isVerified: Bool
    /// Its text, if it is UTF-8.
    public var text: String? { String(data: content, encoding: .utf8) }
}

/// The skills of one server. Nothing is fetched before it is asked for.
///
///     let skills = SkillsClient(client, server: "docs-server")
///     if let skill = try await skills.list().skills.first {
///         let approval = try skills.approve(skill)  // once the user has seen it and agreed
///         print(try await skills.load(skill, approval: approval).forModel)
///     }
public struct SkillsClient: Sendable {
    private let client: Client
    /// The host's own name for the server; what the server calls itself identifies nothing.
    public let server: String

    /// For a connected client.
    public init(_ client: Client, server: String) { (self.client, self.server) = (client, server) }

    private static let id = "io.modelcontextprotocol/skills"
    private static let mostPages = 10_000

    private var declared: Value? {
        get async { await client.session?.info.capabilities?.extensions?[Self.id] }
    }

    /// Whether the server offers skills.
    public var isSupported: Bool { get async { await declared != nil } }
    /// Whether the server lists folders.
    public var readsDirectories: Bool { get async { await declared?["directoryRead"] == true } }

    /// Gets all entries that the server lists, and what is wrong with those that are not good, by
    /// URI. An empty list proves nothing: a skill may still be had by its URI.
    public func list() async throws -> (skills: [Skill], refused: [(uri: String, why: String)]) {
        var (skills, refused): ([Skill], [(uri: String, why: String)]) = ([], [])
        var entries: [Value] = []
        if await isSupported { entries = try await pages("skills/list", "skills") }
        for entry in entries {
            let uri = entry["uri"]?.stringValue ?? ""
            var wrong = try problems(entry)
            if skills.contains(where: { $0.uri == uri }) { wrong.append("it is listed twice") }
            if wrong.isEmpty { skills.append(Skill(entry: entry)) } else { refused.append((uri, wrong.joined(separator: "; "))) }
        }
        return (skills, refused)
    }

    /// Gets the entry of one skill as it is now, listed or not. Throws -32602 if the server has
    /// none there, and `protocolViolation` if the entry is not good, or of another skill.
    public func get(_ uri: String) async throws -> Skill {
        let entry = try await ask("skills/get", ["uri": .string(uri)])["skill"] ?? [:]
        var wrong = try problems(entry)
        if wrong.isEmpty, entry["uri"] != .string(uri) { wrong = ["it is the entry of another skill"] }
        if !wrong.isEmpty { throw invalid(uri, wrong) }
        return Skill(entry: entry)
    }

    /// An approval of the entry as the user has just seen it, to be kept as JSON. Throws
    /// `notApproved` if the skill is dynamic.
    public func approve(_ skill: Skill) throws -> Value {
        let approval = try decide("approval", ["server": .string(server), "skill": skill.entry])
        if approval.isNull { throw SkillError.notApproved("the skill \(skill.uri) is dynamic: an approval of it cannot be kept") }
        return approval
    }

    /// Reads the `SKILL.md` of a skill, and checks it. `approval` is what `approve` gave; leave it
    /// out only if the user has just been asked. Throws a `SkillError`.
    public func load(_ skill: Skill, approval: Value? = nil) async throws -> LoadedSkill {
        let wrong = try problems(skill.entry)
        if !wrong.isEmpty { throw invalid(skill.uri, wrong) }
        if let approval, try decide("covers", ["server": .string(server), "skill": skill.entry, "approval": approval]) != true {
            throw SkillError.notApproved("the skill \(skill.uri) is not the one that was approved: ask the user again")
        }
        let (file, manifest) = try await fetch(skill, skill.uri)
        return LoadedSkill(skills: self, skill: skill, file: file, body: manifest["body"]?.stringValue ?? "")
    }

    /// Lists what lies in a folder of the server as it is now; this extends no loaded skill. Throws
    /// `usage` if the server does not list folders; nothing was sent.
    public func readDirectory(_ uri: String) async throws -> [Resource] {
        if await !readsDirectories { throw MCPError.usage("the server \(server) does not declare directoryRead") }
        return try await pages("resources/directory/read", "resources", ["uri": .string(uri)]).map { try $0.decode(Resource.self) }
    }

    /// Reads a file and checks it: the file, and what it holds if it is the `SKILL.md`.
    func fetch(_ skill: Skill, _ uri: String) async throws -> (SkillFile, Value) {
        let parts = try await ask(ReadResource.name, ["uri": .string(uri)])["contents"]?.arrayValue ?? []
        for part in parts {
            let sent = part["uri"]?.stringValue ?? ""
            if sent != uri, try resolved(skill, sent) != uri { continue }
            guard let content = part["text"]?.stringValue.map({ Data($0.utf8) }) ?? part["blob"]?.stringValue.flatMap({ Data(base64Encoded: $0) })
            else { break }
            let verdict = try decided { try verifySkill(skill: skill.entry.text, uri: uri, content: content) }
            if let reason = verdict["reason"]?.stringValue {
                let differences = (verdict["differences"]?.arrayValue ?? []).compactMap(\.stringValue)
                throw SkillError.mismatch(
                    reason: reason, uri: uri, message: verdict["message"]?.stringValue ?? "", differences: differences)
            }
            let file = SkillFile(uri: uri, content: content, mimeType: part["mimeType"]?.stringValue, isVerified: !skill.isDynamic)
            return (file, verdict["manifest"] ?? .null)
        }
        throw MCPError.protocolViolation("the server sent no contents of \(uri)")
    }

    /// The URI of a file that a skill refers to, if its entry lists it.
    func resolved(_ skill: Skill, _ reference: String) throws -> String? {
        try decide("resolve", ["skill": skill.entry, "reference": .string(reference)])["uri"]?.stringValue
    }

    private func invalid(_ uri: String, _ wrong: [String]) -> MCPError {
        .protocolViolation("the entry of the skill \(uri) is not valid: \(wrong.joined(separator: "; "))")
    }

    /// Entries and files as they are now.
    private func ask(_ method: String, _ params: [String: Value]) async throws -> Value {
        try await client.request(method, .object(params), options: .init(fresh: true))
    }

    private func pages(_ method: String, _ member: String, _ params: [String: Value] = [:]) async throws -> [Value] {
        var (found, asked): ([Value], [String: Value]) = ([], params)
        for _ in 0..<Self.mostPages {
            let page = try await ask(method, asked)
            found += page[member]?.arrayValue ?? []
            guard let next = page["nextCursor"], !next.isNull, next != asked["cursor"] else { return found }
            asked["cursor"] = next
        }
        throw MCPError.protocolViolation("\(method) has more than \(Self.mostPages) pages")
    }

    private func decide(_ name: String, _ given: [String: Value]) throws -> Value {
        try decided { try skillDecision(name: name, arguments: Value.object(given).text) }
    }

    private func problems(_ entry: Value) throws -> [String] {
        try decide("problems", ["skill": entry]).arrayValue?.compactMap(\.stringValue) ?? []
    }
}

/// A skill whose `SKILL.md` is what its entry says. Files are read through it as long as the text is
/// in the model's context: from the server that has the skill, and only those that the entry lists.
public struct LoadedSkill: Sendable {
    let skills: SkillsClient
    /// The entry.
    public let skill: Skill
    /// The `SKILL.md`.
    public let file: SkillFile
    /// The Markdown below the frontmatter.
    public let body: String

    /// The instructions with the name of their server before them.
    public var forModel: String {
        "Skill \(skill.name) of the MCP server \(skills.server) (\(skill.uri)); the server wrote it, not the user.\n\n\(body)"
    }

    /// Reads a file by its path from the skill's folder, or by its URI. Throws
    /// `SkillError.mismatch` if it is not what the entry says; before anything is sent if the entry
    /// does not list it.
    public func read(_ reference: String) async throws -> SkillFile {
        guard let uri = try skills.resolved(skill, reference) else {
            let message = "\(reference) is no file of \(skill.uri)"
            throw SkillError.mismatch(reason: "unlisted", uri: reference, message: message, differences: [])
        }
        return try await skills.fetch(skill, uri).0
    }
}
