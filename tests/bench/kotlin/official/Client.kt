package bench

import io.ktor.client.HttpClient
import io.ktor.client.engine.cio.CIO
import io.ktor.client.plugins.sse.SSE
import io.modelcontextprotocol.kotlin.sdk.client.Client
import io.modelcontextprotocol.kotlin.sdk.client.StreamableHttpClientTransport
import io.modelcontextprotocol.kotlin.sdk.types.Implementation
import io.modelcontextprotocol.kotlin.sdk.types.TextContent
import kotlinx.coroutines.runBlocking

// The official client on Ktor's CIO, as its documentation has it.

fun main(words: Array<String>): Unit = runBlocking {
    val given = ClientSettings(words)
    HttpClient(CIO) { install(SSE) }.use { http ->
        val client = Client(Implementation("bench", "1.0.0"))
        client.connect(StreamableHttpClientTransport(http, given.url))
        run(given) { text -> (client.callTool("echo", mapOf("text" to text)).content.single() as TextContent).text }
        client.close()
    }
}
