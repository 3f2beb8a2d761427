package examples.client

import dev.mcpbolt.Client
import dev.mcpbolt.Implementation
import dev.mcpbolt.StdioClientTransport
import dev.mcpbolt.StreamableHttpClientTransport
import dev.mcpbolt.TextContent
import kotlinx.coroutines.runBlocking

/** Calls `add` of a server: a URL, or a command and its arguments. */
fun main(args: Array<String>): Unit = runBlocking {
    val target = args.first()
    val transport = if ("://" in target) StreamableHttpClientTransport(target) else StdioClientTransport(target, args.drop(1))
    val client = Client(Implementation("caller", "1.0.0"))
    client.connect(transport)
    println(client.listTools().tools.joinToString { it.name })
    val result = client.callTool("add", mapOf("a" to 1, "b" to 2))
    println((result.content.first() as TextContent).text)
    client.close()
}
