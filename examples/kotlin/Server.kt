package examples.server

import dev.mcpbolt.CallToolResult
import dev.mcpbolt.Implementation
import dev.mcpbolt.Server
import dev.mcpbolt.ServerCapabilities
import dev.mcpbolt.ServerOptions
import dev.mcpbolt.StdioServerTransport
import dev.mcpbolt.ToolSchema
import dev.mcpbolt.success
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.int
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.put

/** A server with one tool: on standard streams, or with `--http HOST:PORT` at `/mcp`. */
fun main(args: Array<String>): Unit = runBlocking {
    val abilities = ServerCapabilities(tools = ServerCapabilities.Tools(listChanged = true))
    val server = Server(Implementation("adder", "1.0.0"), ServerOptions(abilities))
    val number = buildJsonObject { put("type", "integer") }
    val schema = ToolSchema(buildJsonObject { put("a", number); put("b", number) }, required = listOf("a", "b"))
    server.addTool("add", "Adds two numbers", schema) { request ->
        val (a, b) = listOf("a", "b").map { request.arguments!!.getValue(it).jsonPrimitive.int }
        reportProgress(1.0, total = 1.0)
        CallToolResult.success("${a + b}")
    }
    if (args.firstOrNull() == "--http") {
        val (host, port) = args[1].split(':')
        println(server.serveHttp(host, port.toInt()).url)
        awaitCancellation()
    }
    server.createSession(StdioServerTransport()).awaitClose()
}
