// Calls the tools of any server and prints what they are: interop-client URL | -- COMMAND ARGS…
// With `--call NAME ARGUMENTS` first, calls that one and prints its answer.
import Foundation
import MCPBolt

@main
struct InteropClient {
    static func main() async throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        var call: (name: String, arguments: Value)?
        if arguments.first == "--call", arguments.count > 3 {
            call = (arguments[1], try JSONDecoder().decode(Value.self, from: Data(arguments[2].utf8)))
            arguments.removeFirst(3)
        }
        let transport: any Transport
        if arguments.first == "--", arguments.count > 1 {
            transport = StdioClientTransport(command: arguments[1], args: Array(arguments.dropFirst(2)))
        } else if let text = arguments.last, let url = URL(string: text) {
            transport = HTTPClientTransport(endpoint: url)
        } else {
            throw MCPError.usage("interop-client [--call NAME ARGUMENTS] URL | -- COMMAND ARGS…")
        }
        let client = Client(name: "interop-client", version: "1.0.0")
        let server = try await client.connect(transport: transport)
        if let call {
            let (content, isError) = try await client.callTool(name: call.name, arguments: call.arguments.objectValue)
            print(isError == true ? "error:" : "answer:", content.compactMap(\.plainText).joined(separator: "\n"))
        } else {
            print("\(server.serverInfo.name) \(server.serverInfo.version), \(server.protocolVersion)")
            for tool in try await client.listTools().tools { print("- \(tool.name): \(tool.description ?? "")") }
        }
        await client.disconnect()
    }
}
