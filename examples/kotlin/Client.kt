package examples.client

import dev.mcpbolt.Client
import dev.mcpbolt.Implementation
import dev.mcpbolt.StdioClientTransport
import dev.mcpbolt.StreamableHttpClientTransport
import dev.mcpbolt.TextContent
import kotlinx.coroutines.runBlocking

/** Calls `add` of a server: a URL, or `-- COMMAND ARGS`. */
fun main(args: Array<String>): Unit = runBlocking {
    val transport = if (args.first() == "--") StdioClientTransport(args[1], args.drop(2)) else StreamableHttpClientTransport(args.first())
    val client = Client(Implementation("caller", "1.0.0"))
    client.connect(transport)
    println(client.listTools().tools.joinToString { it.name })
    val result = client.callTool("add", mapOf("a" to 1, "b" to 2))
    println((result.content.first() as TextContent).text)
    client.close()
}
