// Our server, as its users would write it.
import MCPBolt
import shared

@main
struct EchoServer {
    static func main() async throws {
        let given = try ServerSettings(CommandLine.arguments)
        let server = Server(name: "bench", version: "1.0.0")
        try await server.addTool(
            "echo", description: "Says what it was told.",
            inputSchema: ["type": "object", "properties": ["text": ["type": "string"]], "required": ["text"]]
        ) { arguments, _ in
            .init(content: [.text(arguments["text"]?.stringValue ?? "")])
        }
        if let (host, port) = given.address {
            _ = try await server.serveHttp(host: host, port: port, options: .init(sessions: !given.stateless))
        } else {
            try await server.start(transport: StdioTransport())
        }
        await server.waitUntilCompleted()
    }
}
