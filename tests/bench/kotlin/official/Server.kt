package bench

import io.ktor.server.application.Application
import io.ktor.server.cio.CIO
import io.ktor.server.engine.embeddedServer
import io.modelcontextprotocol.kotlin.sdk.server.Server
import io.modelcontextprotocol.kotlin.sdk.server.ServerOptions
import io.modelcontextprotocol.kotlin.sdk.server.mcpStatelessStreamableHttp
import io.modelcontextprotocol.kotlin.sdk.server.mcpStreamableHttp
import io.modelcontextprotocol.kotlin.sdk.types.CallToolResult
import io.modelcontextprotocol.kotlin.sdk.types.Implementation
import io.modelcontextprotocol.kotlin.sdk.types.ServerCapabilities
import io.modelcontextprotocol.kotlin.sdk.types.TextContent
import io.modelcontextprotocol.kotlin.sdk.types.ToolSchema
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonObject

// The official server on Ktor's CIO, as its documentation has it: a server per session, and
// without sessions one per request.

fun main(words: Array<String>) {
    val given = ServerSettings(words)
    embeddedServer(CIO, host = given.host, port = given.port) { serve(given) }.start(wait = true)
}

private fun Application.serve(given: ServerSettings) {
    if (given.stateless) mcpStatelessStreamableHttp { made() } else mcpStreamableHttp { made() }
}

private fun made(): Server {
    val server = Server(Implementation("bench", "1.0.0"), ServerOptions(ServerCapabilities(tools = ServerCapabilities.Tools())))
    server.addTool(
        name = "echo",
        description = "Says what it was told.",
        inputSchema = ToolSchema(properties = buildJsonObject { putJsonObject("text") { put("type", "string") } }, required = listOf("text")),
    ) { request ->
        CallToolResult(content = listOf(TextContent(request.arguments?.get("text")?.jsonPrimitive?.content.orEmpty())))
    }
    return server
}
