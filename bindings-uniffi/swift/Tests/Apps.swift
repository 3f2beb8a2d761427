// Pages beside tools: what a server says of them, and a host that shows them.
import Foundation

@testable import MCPBolt

private let page = "ui://clock/app.html"

private func tool(_ name: String) -> Tool { Tool(name: name, inputSchema: ["type": "object"], _meta: ["com.example/size": "small"]) }

private func clock() async throws -> Server {
    var apps = Apps()
    try apps.page(
        page, html: "<p>", csp: .init(connectDomains: ["https://time.example", "*"]), permissions: [.clipboardWrite], prefersBorder: true)
    let server = Server(name: "clock", version: "1", extensions: [apps.serverExtension])
    try await server.addTool(apps.tool(tool("time"), page: page)) { _, call in text(call.clientShowsApps ? "12:00" : "plain") }
    try await server.addTool(apps.tool(tool("wind"), visibility: [.app])) { _, _ in text("wound") }
    try await server.addTool(apps.tool(tool("sell"), page: page, visibility: [.model])) { _, _ in text("sold") }
    return server
}

let appCases: [Case] = [
    Case(name: "a_page_is_shown_under_its_policy_and_calls_what_is_for_pages") {
        for era in ["2025-11-25", modern] {
            try await reading(try await clock(), era, [.showsApps]) { client in
                let apps = AppsClient(client)
                let tools = try await apps.modelTools()
                try equal(tools.map(\.name), ["time", "sell"])
                try equal(tools[0]._meta?["com.example/size"], "small")
                let shown = try await apps.page(tools[0])
                try expect(shown?.policy.contains("connect-src https://time.example;") == true, "\(String(describing: shown))")
                try equal([shown?.ignored, [shown?.html ?? "", shown?.allow ?? ""]], [["*"], ["<p>", "clipboard-write"]])
                try equal(shown?.border, true)
                try equal(try await apps.call(name: "time").content.first?.plainText, "12:00")
                try equal(try await apps.call(name: "wind").content.first?.plainText, "wound")
                try equal(try await failure { try await apps.call(name: "sell") } as? AppError, .notForApps(tool: "sell"))
                try equal(try await failure { try await apps.call(name: "rob") } as? AppError, .unknown(tool: "rob"))
            }
        }
    },
    Case(name: "pages_are_resources_that_are_declared_and_clients_without_them_get_the_text") {
        let others = ClientExtension("io.modelcontextprotocol/ui", settings: ["mimeTypes": ["text/plain"]])
        for extensions in [[], [others]] {
            try await reading(try await clock(), modern, extensions) { client in
                try expect(await client.session?.info.capabilities?.extensions?["io.modelcontextprotocol/ui"] != nil, "it is not declared")
                let listed = try await client.listResources().resources
                try equal(listed.map { [$0.uri, $0.mimeType] }, [[page, "text/html;profile=mcp-app"]])
                try equal(said(try await client.callTool(name: "time")), "plain")
            }
        }
    },
    Case(name: "what_is_no_page_of_the_server_is_named") {
        var apps = Apps()
        try apps.page(page, html: "<p>")
        func refused(_ named: String, _ mistake: () throws -> Void, line: Int = #line) async throws {
            let error = try await failure(line: line) { try mistake() } as? MCPError
            try expect(error?.kind == "usage" && error?.message.contains(named) == true, "\(String(describing: error))", line: line)
        }
        try await refused("https://clock.example") { try apps.page("https://clock.example", html: "<p>") }
        try await refused(page) { try apps.page(page, html: "<p>") }
        try await refused("ui://other") { _ = try apps.tool(tool("time"), page: "ui://other") }
        try await refused("_meta") { _ = try apps.tool(apps.tool(tool("time"), page: page), page: page) }
    },
    Case(name: "what_a_server_sends_instead_of_a_page_is_not_shown") {
        let server = try await clock()
        try await server.addResource(Resource(name: "app", uri: page)) { uri, _ in .init(contents: [.text("<p>", uri: uri, mimeType: "text/html")]) }
        try await reading(server, modern, [.showsApps]) { client in
            let apps = AppsClient(client)
            let tool = try await apps.modelTools()[0]
            guard case AppError.page = try await failure({ try await apps.page(tool) }) else { throw Fault("it is shown") }
        }
    },
]
