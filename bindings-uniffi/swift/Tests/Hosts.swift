// Hosts: clients of several servers with one list of tools.
import Foundation

@testable import MCPBolt

/// Two servers that are there and one that is not, over HTTP.
private func merges(_ era: String) async throws {
    let (one, two, notes) = (try await echoServer(), try await echoServer(), Notes())
    try await two.addTool("only") { _, _ in text("two") }
    let urls = [try await one.serveHttp().url, try await two.serveHttp().url]
    let host = Host(name: "tests", version: "1", configuration: .init(protocolVersion: .init(era)))
    await host.onToolsChanged { tools in Task { await notes.add(tools.map(\.name).joined(separator: " ")) } }
    let failed = try await host.add(config: ["mcpServers": [
        "one": ["url": .string(urls[0].absoluteString)], "two": ["url": .string(urls[1].absoluteString)],
        "three": ["url": "http://127.0.0.1:9/mcp"],
    ]])
    try equal(failed.keys.sorted(), ["three"])
    try equal(await host.tools().map(\.name).sorted(), ["one_echo", "only", "two_echo"])
    try equal(try await host.callTool("only").content, [.text("two")])
    try equal(try await host.callTool("one_echo", ["text": "a"]).content, [.text("a")])
    try await one.addTool("new") { _, _ in text("") }
    try await until({ "\(era): the new tool is not there" }) { await host.find("new") != nil }
    try await notes.has(await host.tools().map(\.name).joined(separator: " "))
    await host.close()
    await one.stop()
    await two.stop()
}

let hostCases: [Case] = [
    Case(name: "a_host_merges_tools_and_routes_calls", seconds: 40) {
        for era in ["2025-11-25", modern] { try await merges(era) }
    },
    Case(name: "no_server_takes_the_place_of_another_servers_tool") {
        let hosts: [(servers: [(String, [String])], names: [String])] = [
            (
                [("new", ["git_status", "status"]), ("git", ["status"]), ("svn", ["status"])],
                ["new_git_status", "new_status", "git_status", "svn_status"]
            ), ([("a", ["b_c", "c"]), ("a_b", ["c", "b_c"])], ["a_c", "a_b_b_c"]),
        ]
        for (servers, names) in hosts {
            let host = Host(name: "tests", version: "1")
            var started: [Server] = []
            for (name, tools) in servers {
                let server = Server(name: name, version: "1", capabilities: .init(tools: .init()))
                for tool in tools { try await server.addTool(tool) { _, _ in text(name) } }
                let pair = await InMemoryTransport.createConnectedPair()
                try await server.start(transport: pair.server)
                _ = try await soon { try await host.add(name, pair.client) }
                started.append(server)
            }
            try equal(await host.tools().map(\.name), names)
            if servers.count == 3 {
                try equal(try await host.callTool("git_status").content, [.text("git")])
            } else {
                let error = try await failure { try await host.callTool("a_b_c") }
                let words = "\(error)"
                try expect(words.contains("the servers a and a_b both have a tool that would be a_b_c here"), words)
            }
            await host.close()
            for server in started { await server.stop() }
        }
    },
    Case(name: "a_server_that_goes_away_takes_its_tools_out_of_the_host") {
        for era in ["2025-11-25", modern] {
            let (stays, leaves, notes) = (try await echoServer(), try await echoServer(), Notes())
            let host = Host(name: "tests", version: "1", configuration: .init(protocolVersion: .init(era)))
            for (name, server) in [("stays", stays), ("leaves", leaves)] {
                let pair = await InMemoryTransport.createConnectedPair()
                try await server.start(transport: pair.server)
                _ = try await soon { try await host.add(name, pair.client) }
            }
            try equal(await host.tools().map(\.name), ["stays_echo", "leaves_echo"])
            await host.onToolsChanged { tools in Task { await notes.add(tools.map(\.name).joined(separator: " ")) } }
            try await soon { await leaves.stop() }
            try await notes.has("echo")
            try equal(await host.names, ["stays"])
            try expect(await host.session("leaves") == nil, "a session is left")
            try equal(try await host.callTool("echo", ["text": "a"]).content, [.text("a")])
            await host.close()
            await stays.stop()
        }
    },
    Case(name: "a_host_that_is_closed_while_it_connects_ends_that_and_its_process") {
        for connects in [false, true] {
            let (seen, gate) = (Box<Client?>(nil), Gate())
            let host = Host(name: "tests", version: "1") { client, _ in
                seen.change { $0 = client }
                try? await gate.pass()
            }
            if connects { gate.open() }
            let adding = Task { try await host.add("slow", small("cat > /dev/null")) }
            try await until({ "nothing was begun" }) {
                guard let client = seen.value else { return false }
                return connects ? await client.isConnecting : true
            }
            try await soon { await host.close() }
            gate.open()
            let error = try await soon { try await failure { try await adding.value } }
            try equal(error as? MCPError, .connectionClosed("the host was closed while it connected to slow"))
            try equal(await host.names, [])
            try await noChildren()
        }
    },
    Case(name: "a_host_closes_all_connections_at_the_same_time") {
        let (host, server, gate) = (Host(name: "tests", version: "1"), try await echoServer(), Gate())
        defer { gate.open() }
        var plugs: [Plug] = []
        for name in ["one", "two"] {
            let pair = await InMemoryTransport.createConnectedPair()
            try await server.start(transport: pair.server)
            plugs.append(Plug(pair.client, gate))
            _ = try await soon { [plug = plugs.last!] in try await host.add(name, plug) }
        }
        let closing = Task { await host.close() }
        // Neither ends before the gate is open.
        for plug in plugs { try await until({ "a transport stays open" }) { await plug.closed == 1 } }
        gate.open()
        try await soon { await closing.value }
        await server.stop()
    },
    Case(name: "a_host_gives_up_on_a_list_of_tools_that_does_not_end") {
        let server = try await echoServer()
        await server.withMethodHandler(ListTools.self) { _ in .init(tools: [], nextCursor: "again") }
        let url = try await server.serveHttp().url
        let host = Host(name: "tests", version: "1", configuration: .init(options: ["max_pages": 20]))
        let failed = try await host.add(config: ["mcpServers": ["endless": ["url": .string(url.absoluteString)]]])
        try equal(failed["endless"].flatMap { $0 as? MCPError }?.kind, "protocol")
        try equal(await host.tools().count, 0)
        await host.close()
        await server.stop()
    },
]
