package bench

import dev.mcpbolt.CallToolResult
import dev.mcpbolt.Implementation
import dev.mcpbolt.Server
import dev.mcpbolt.ServerCapabilities
import dev.mcpbolt.ServerOptions
import dev.mcpbolt.TextContent
import dev.mcpbolt.ToolSchema
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonObject

// Our server, as its users would write it.

fun main(words: Array<String>) {
    val given = ServerSettings(words)
    val server = Server(Implementation("bench", "1.0.0"), ServerOptions(ServerCapabilities(tools = ServerCapabilities.Tools())))
    server.addTool(
        name = "echo",
        description = "Says what it was told.",
        inputSchema = ToolSchema(properties = buildJsonObject { putJsonObject("text") { put("type", "string") } }, required = listOf("text")),
    ) { request ->
        CallToolResult(content = listOf(TextContent(request.arguments?.get("text")?.jsonPrimitive?.content.orEmpty())))
    }
    server.serveHttp(given.host, given.port, buildJsonObject { if (given.stateless) put("sessions", "none") })
    Thread.currentThread().join()
}
