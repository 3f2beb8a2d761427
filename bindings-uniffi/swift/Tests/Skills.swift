// Skills in a folder, and a host that reads them; pages beside tools, and a host that shows them.
import Foundation

@testable import MCPBolt

private let tidy = "skill://tidy/SKILL.md"

/// A folder that is gone when it is let go.
private final class Folder: Sendable {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("skills-\(UUID().uuidString)")

    init(_ names: [String]) throws { for name in names { try skill(name) } }
    deinit { try? FileManager.default.removeItem(at: root) }

    func skill(_ name: String) throws {
        let more = root.appendingPathComponent("\(name)/more")
        try FileManager.default.createDirectory(at: more, withIntermediateDirectories: true)
        try write("\(name)/SKILL.md", "---\nname: \(name)\ndescription: Makes it \(name)\n---\nStart with the desk.\n")
        try write("\(name)/more/list.txt", "desk, floor")
    }

    func write(_ path: String, _ words: String) throws { try Data(words.utf8).write(to: root.appendingPathComponent(path)) }
    func served() throws -> Server { Server(name: "docs", version: "1", extensions: [try SkillFolder(root).serverExtension]) }
}

private func reason<T>(_ work: () async throws -> T) async throws -> String {
    switch try await failure(work) {
    case SkillError.mismatch(let reason, _, _, _): return reason
    case SkillError.notApproved: return "not approved"
    case let other: return "\(other)"
    }
}

let skillCases: [Case] = [
    Case(name: "a_folder_of_skills_is_listed_read_and_verified") {
        let folder = try Folder(["tidy"])
        for era in ["2025-11-25", modern] {
            try await reading(try folder.served(), era) { client in
                let skills = SkillsClient(client, server: "docs-server")
                try equal([await skills.isSupported, await skills.readsDirectories], [true, true])
                let (listed, refused) = try await skills.list()
                try equal([listed.count, refused.count], [1, 0])
                let skill = listed[0]
                try equal(try await skills.get(tidy), skill)
                try equal([skill.uri, skill.name, skill.description], [tidy, "tidy", "Makes it tidy"])

                let loaded = try await skills.load(skill, approval: try skills.approve(skill))
                try expect(loaded.forModel.contains("docs-server") && loaded.forModel.contains("the desk."), loaded.forModel)
                let file = try await loaded.read("more/list.txt")
                try equal([file.text ?? "", "\(file.isVerified)"], ["desk, floor", "true"])
                try equal(try await reason { try await loaded.read("../other/SKILL.md") }, "unlisted")
                try equal(try await skills.readDirectory("skill://tidy").map(\.name).sorted(), ["SKILL.md", "more"])
                try equal((try await failure { try await skills.get("skill://none/SKILL.md") } as? MCPError)?.code, -32602)
            }
        }
    },
    Case(name: "a_file_that_changed_is_not_served_and_an_approval_ends_with_its_files") {
        let folder = try Folder(["tidy"])
        let kept = Box<Value>(.null)
        try await reading(try folder.served()) { client in
            let skills = SkillsClient(client, server: "docs-server")
            let skill = try await skills.get(tidy)
            kept.change { $0 = (try? skills.approve(skill)) ?? .null }
            try folder.write("tidy/more/list.txt", "something else")
            let loaded = try await skills.load(skill, approval: kept.value)
            _ = try await failure { try await loaded.read("more/list.txt") }
        }
        try await reading(try folder.served()) { client in
            let skills = SkillsClient(client, server: "docs-server")
            let changed = try await skills.get(tidy)
            try equal(try await reason { try await skills.load(changed, approval: kept.value) }, "not approved")
            let approval = try skills.approve(changed)
            let other = SkillsClient(client, server: "other")
            try equal(try await reason { try await other.load(changed, approval: approval) }, "not approved")
            try equal(try await skills.load(changed, approval: approval).read("more/list.txt").text, "something else")
        }
    },
    Case(name: "what_a_server_sends_instead_of_a_skill_is_refused") {
        let folder = try Folder(["tidy"])
        let server = try folder.served()
        await server.withMethodHandler("resources/read") { params, _ in
            let words = "---\nname: tidy\ndescription: Deletes all\n---\n"
            return ["contents": [["uri": params["uri"] ?? .null, "text": .string(words)]]]
        }
        try await reading(server) { client in
            let skills = SkillsClient(client, server: "docs-server")
            let skill = try await skills.get(tidy)
            let why = try await reason { try await skills.load(skill) }
            try expect(["size", "digest"].contains(why), why)
        }
    },
    Case(name: "what_is_no_skill_is_named_and_lists_of_skills_come_in_pages") {
        let folder = try Folder(["tidy"] + (0..<120).map { "s\($0)" })
        try FileManager.default.createSymbolicLink(
            at: folder.root.appendingPathComponent("tidy/alias"), withDestinationURL: folder.root.appendingPathComponent("tidy/SKILL.md"))
        let published = try SkillFolder(folder.root, prefix: "acme", directoryRead: false)
        try expect(published.problems.contains { $0.hasPrefix("tidy") }, "\(published.problems)")
        try await reading(Server(name: "docs", version: "1", extensions: [published.serverExtension])) { client in
            let skills = SkillsClient(client, server: "docs-server")
            let listed = try await skills.list().skills
            try equal(listed.filter { $0.uri.hasPrefix("skill://acme/") }.count, 120)
            try equal(await skills.readsDirectories, false)
            try equal((try await failure { try await skills.readDirectory("skill://acme") } as? MCPError)?.kind, "usage")
            try equal((try await failure { try await client.request("skills/list", ["cursor": "strange"]) } as? MCPError)?.code, -32602)
        }
        try await reading(try await echoServer()) { client in
            let none = SkillsClient(client, server: "plain")
            try equal(await none.isSupported, false)
            try equal(try await none.list().skills, [])
        }
    },
]
