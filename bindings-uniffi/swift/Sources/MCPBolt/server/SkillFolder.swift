// Skills in a folder, for a server. Owns: finding and reading the files, and the extension's
// methods. Must not know: what makes a good skill; the engine does.
import Foundation
import MCPBoltEngine

/// The skills in a folder, for `Server.init`: `extensions: [try SkillFolder(url).serverExtension]`.
///
/// Each folder below it that holds a `SKILL.md` is a skill, with all files in it. Names that begin
/// with a dot are left out; links are not followed, and a skill with one is left out. A file that
/// changed since is not served.
public struct SkillFolder: Sendable {
    private let root: URL
    private let catalog: Value
    private let hint: [String: Value]
    private let directoryRead: Bool

    private static let page = 100

    /// Reads a folder, which may take time. `prefix`: names before each skill's path, `acme` makes
    /// `skill://acme/refunds/SKILL.md`. `directoryRead`: whether clients may list folders. `ttlMs`:
    /// how long clients may keep lists and entries; `isPublic`: whether caches between may, too.
    /// Throws if the folder or a file in it cannot be read.
    public init(_ folder: URL, prefix: String = "", directoryRead: Bool = true, ttlMs: Int = 0, isPublic: Bool = false) throws {
        root = folder.resolvingSymlinksInPath()
        self.directoryRead = directoryRead
        hint = ["ttlMs": .int(ttlMs), "cacheScope": isPublic ? "public" : "private"]
        var found = try SkillSearch(root).found()
        found["prefix"] = .array(prefix.split(separator: "/").map { .string(String($0)) })
        catalog = try decided { try skillDecision(name: "catalog", arguments: Value.object(found).text) }
    }

    /// The entries that are published, as clients get them.
    public var skills: [Value] { catalog["skills"]?.arrayValue ?? [] }

    /// What is not published or larger than every host takes, and why: a path and a sentence each.
    public var problems: [String] {
        (catalog["problems"]?.arrayValue ?? []).map { "\($0["path"]?.stringValue ?? ""): \($0["message"]?.stringValue ?? "")" }
    }

    /// What serves them.
    public var serverExtension: ServerExtension {
        var made = ServerExtension("io.modelcontextprotocol/skills", settings: directoryRead ? ["directoryRead": true] : [:])
        // The engine has the rows of these methods.
        made.handlers["skills/list"] = { params, _ in try page("skills", skills, params["cursor"]?.stringValue) }
        made.handlers["skills/get"] = { params, _ in
            guard let skill = skills.first(where: { $0["uri"] == params["uri"] }) else {
                throw MCPError.invalidParams("no skill is served at \(params["uri"]?.stringValue ?? "")")
            }
            return .object(hint.merging(["skill": skill]) { $1 })
        }
        if directoryRead {
            made.handlers["resources/directory/read"] = { params, _ in
                let uri = params["uri"]?.stringValue ?? ""
                guard let children = catalog["folders"]?[uri]?.arrayValue else {
                    throw MCPError.invalidParams("\(uri) is not a directory resource")
                }
                return try page("resources", children, params["cursor"]?.stringValue)
            }
        }
        let listed = Dictionary((catalog["listed"]?.arrayValue ?? []).map { ($0["uri"]?.stringValue ?? "", $0) }) { $1 }
        for file in catalog["files"]?.arrayValue ?? [] { offer(file, listed, &made) }
        return made
    }

    private func offer(_ file: Value, _ listed: [String: Value], _ made: inout ServerExtension) {
        let (uri, path) = (file["uri"]?.stringValue ?? "", file["path"]?.stringValue ?? "")
        let (mimeType, digest) = (file["mimeType"]?.stringValue, file["digest"]?.stringValue)
        let name = listed[uri]?["name"]?.stringValue ?? path.split(separator: "/").last.map(String.init) ?? path
        let about = Resource(name: name, uri: uri, description: listed[uri]?["description"]?.stringValue, mimeType: mimeType)
        made.offer(about) { uri, _ in
            let content = try bytes(of: root.appendingPathComponent(path))
            if skillDigest(content: content) != digest {
                throw MCPError.internalError("the file changed since its skill was published", data: ["reason": "file_changed"])
            }
            let text = String(data: content, encoding: .utf8)
            return .init(contents: [text.map { .text($0, uri: uri, mimeType: mimeType) } ?? .binary(content, uri: uri, mimeType: mimeType)])
        }
    }

    private func page(_ member: String, _ items: [Value], _ cursor: String?) throws -> Value {
        let start = try cursor.map { try Self.start(member, $0) } ?? 0
        let end = min(start + Self.page, items.count)
        var result = hint
        result[member] = .array(Array(items[min(start, end)..<end]))
        if end < items.count { result["nextCursor"] = .string(Data("\(member):\(end)".utf8).base64EncodedString()) }
        return .object(result)
    }

    private static func start(_ member: String, _ cursor: String) throws -> Int {
        let text = Data(base64Encoded: cursor).flatMap { String(data: $0, encoding: .utf8) } ?? ""
        guard text.hasPrefix("\(member):"), let start = Int(text.dropFirst(member.count + 1)), start >= 0 else {
            throw MCPError.invalidParams("cursor is not one this server issued")
        }
        return start
    }
}

/// What lies in a folder of skills, for the engine to decide about.
private struct SkillSearch {
    private let root: URL
    private var files: [String] = []
    private var folders: [String] = []
    private var other: [String] = []

    private static let manifest = "SKILL.md"
    private static let mostEntries = 100_000

    init(_ root: URL) throws {
        self.root = root
        var waiting = [""]
        while let folder = waiting.popLast() {
            let place = root.appendingPathComponent(folder)
            for name in try FileManager.default.contentsOfDirectory(atPath: place.path).sorted() where !name.hasPrefix(".") {
                let path = folder.isEmpty ? name : "\(folder)/\(name)"
                switch try FileManager.default.attributesOfItem(atPath: root.appendingPathComponent(path).path)[.type] as? FileAttributeType {
                case .typeDirectory?:
                    folders.append(path)
                    waiting.append(path)
                case .typeRegular?: files.append(path)
                default: other.append(path)
                }
            }
            if files.count + folders.count > Self.mostEntries {
                throw MCPError.usage("\(root.path) holds more than \(Self.mostEntries) files and folders")
            }
        }
    }

    func found() throws -> [String: Value] {
        let isManifest = { (path: String) in path.split(separator: "/").last.map(String.init) == Self.manifest }
        let skills = Set(files.filter(isManifest).map { above($0).last ?? "" })
        var (digests, manifests): ([Value], [String: Value]) = ([], [:])
        for path in files where above(path).contains(where: skills.contains) {
            let content = try bytes(of: root.appendingPathComponent(path))
            digests.append(["path": .string(path), "digest": .string(skillDigest(content: content)), "size": .int(content.count)])
            if isManifest(path) { manifests[path] = .string(String(decoding: content, as: UTF8.self)) }
        }
        return [
            "files": .array(digests), "folders": .array(folders.map(Value.string)), "other": .array(other.map(Value.string)),
            "manifests": .object(manifests),
        ]
    }

    /// The folders above a file, the top one first.
    private func above(_ path: String) -> [String] {
        let names = path.split(separator: "/").dropLast()
        return (0...names.count).map { names.prefix($0).joined(separator: "/") }
    }
}

/// Reads a file that is no link.
private func bytes(of file: URL) throws -> Data {
    let descriptor = open(file.path, O_RDONLY | O_NOFOLLOW)
    if descriptor < 0 { throw CocoaError(.fileReadUnknown, userInfo: [NSFilePathErrorKey: file.path]) }
    return try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).readToEnd() ?? Data()
}
