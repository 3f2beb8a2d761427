package bench

import dev.mcpbolt.Client
import dev.mcpbolt.ClientOptions
import dev.mcpbolt.Implementation
import dev.mcpbolt.ProtocolPolicy
import dev.mcpbolt.StreamableHttpClientTransport
import dev.mcpbolt.TextContent
import kotlinx.coroutines.runBlocking

// Our client, as its users would write it.

fun main(words: Array<String>): Unit = runBlocking {
    val given = ClientSettings(words)
    val client = Client(Implementation("bench", "1.0.0"), ClientOptions(protocol = if (given.modern) ProtocolPolicy.Modern else ProtocolPolicy.Legacy))
    client.connect(StreamableHttpClientTransport(given.url))
    run(given) { text -> (client.callTool("echo", mapOf("text" to text)).content.single() as TextContent).text }
    client.close()
}
