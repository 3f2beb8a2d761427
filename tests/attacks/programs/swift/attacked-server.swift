// The server that is attacked: `attacked-server stdio`, or `attacked-server http PORT`.
// `ATTACKED` holds what it is told, as in served.py.
import Foundation
import MCPBolt

/// What ran.
actor Counts {
    private var now = 0
    private var most = 0
    private var confirmed = 0

    func began() {
        now += 1
        most = max(most, now)
    }

    func ended() { now -= 1 }
    func confirm() { confirmed += 1 }
    var words: String { "{\"now\":\(now),\"most\":\(most),\"confirmed\":\(confirmed)}" }
}

@main
struct AttackedServer {
    static func main() async {
        await run {
            let told = try JSONDecoder().decode(
                [String: Value].self, from: Data((ProcessInfo.processInfo.environment["ATTACKED"] ?? "{}").utf8))
            let server = try await attacked(limits: told["limits"]?.objectValue ?? [:])
            if CommandLine.arguments[1] == "stdio" {
                try await server.start(transport: StdioTransport())
            } else {
                let port = UInt16(CommandLine.arguments[2]) ?? 0
                _ = try await server.serveHttp(port: port, options: .init(more: told.filter { $0.key != "limits" }))
            }
            await server.waitUntilCompleted()
        }
    }

    static func attacked(limits: [String: Value]) async throws -> Server {
        let server = Server(
            name: "attacked", version: "1.0.0", capabilities: .init(tools: .init()),
            configuration: .init(options: limits))
        let counts = Counts()
        try await server.addTool("echo", description: "Says it again", inputSchema: fields("text", "string")) { given, _ in
            text(given["text"]?.stringValue ?? "")
        }
        try await server.addTool("big", description: "Says much", inputSchema: fields("size", "integer")) { given, _ in
            text(String(repeating: "x", count: given["size"]?.intValue ?? 0))
        }
        try await server.addTool("hold", description: "Works on, whoever leaves", inputSchema: fields("seconds", "number")) { given, _ in
            let seconds = given["seconds"]?.doubleValue ?? Double(given["seconds"]?.intValue ?? 0)
            await counts.began()
            // A task of its own is not cancelled with the call.
            await Task.detached { try? await Task.sleep(for: .seconds(seconds)) }.value
            await counts.ended()
            return text("held")
        }
        try await server.addTool("counted", description: "Says what ran") { _, _ in text(await counts.words) }
        try await server.addTool("confirm", description: "Does something once it was confirmed") { _, call in
            guard call.inputResponses.isEmpty else {
                await counts.confirm()
                return text("done")
            }
            let params = ElicitFormParams(message: "Pay?", requestedSchema: ["type": "object", "properties": ["ok": ["type": "boolean"]]])
            throw Questions(["pay": try .init(CreateElicitation.request(.form(params)))], state: "asked")
        }
        return server
    }

    static func fields(_ name: String, _ type: Value) -> Value {
        ["type": "object", "properties": [name: ["type": type]]]
    }
}

