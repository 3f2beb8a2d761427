// The folder of notes-server: names in, text out, and no way past its edge.
import Foundation
import MCPBolt

struct Folder: Sendable {
    /// Longest name and longest note, in bytes.
    static let maxName = 100
    static let maxNote = 1 << 20

    let path: String

    /// Uses a folder; it is made if it is not there.
    init(_ path: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        self.path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    /// Names of all notes, sorted.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).filter { isName($0) && type(of: $0) == .typeRegular }.sorted()
    }

    func has(_ name: String) throws -> Bool { type(of: try file(name)) != nil }

    /// Fails if the note is not there.
    func expect(_ name: String) throws {
        guard try has(name) else { throw ToolError("there is no note '\(name)'") }
    }

    func read(_ name: String) throws -> String {
        try expect(name)
        return try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
    }

    /// Writes a note; whether it is new.
    func write(_ name: String, _ text: String) throws -> Bool {
        guard text.utf8.count <= Self.maxNote else {
            throw ToolError("a note has at most \(Self.maxNote) bytes")
        }
        let isNew = try !has(name)
        try text.write(toFile: "\(path)/\(name)", atomically: true, encoding: .utf8)
        return isNew
    }

    func delete(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(path)/\(try file(name))") }

    /// The name of a note: a file of the folder itself, and no link out of it. Fails for names
    /// that lead, or might lead, somewhere else.
    private func file(_ name: String) throws -> String {
        guard isName(name), (type(of: name) ?? .typeRegular) == .typeRegular else {
            throw ToolError("'\(name)' is outside the folder or not a name of a note")
        }
        return name
    }

    /// Letters, digits and a few signs; no dot or blank at either end.
    private func isName(_ name: String) -> Bool {
        guard let first = name.first, let last = name.last, name.utf8.count <= Self.maxName else { return false }
        return name.allSatisfy { $0.isLetter || $0.isNumber || " -_.".contains($0) } && ![first, last].contains { " .".contains($0) }
    }

    /// What is there under a name; nothing, if nothing is. Of a link, that it is one.
    private func type(of name: String) -> FileAttributeType? {
        (try? FileManager.default.attributesOfItem(atPath: "\(path)/\(name)"))?[.type] as? FileAttributeType
    }
}
