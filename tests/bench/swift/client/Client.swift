// Our client, as its users would write it.
import MCPBolt
import shared

@main
struct EchoClient {
    static func main() async throws {
        let given = try ClientSettings(CommandLine.arguments)
        let client = Client(
            name: "bench", version: "1.0.0", configuration: .init(protocolVersion: given.modern ? .modern : .legacy))
        switch given.target {
        case .url(let url): try await client.connect(transport: HTTPClientTransport(endpoint: url))
        case .command(let words):
            try await client.connect(transport: StdioClientTransport(command: words[0], args: Array(words.dropFirst())))
        }
        try await run(given) { text in
            let (content, _) = try await client.callTool(name: "echo", arguments: ["text": .string(text)])
            return content.first?.plainText ?? ""
        }
        await client.disconnect()
    }
}
