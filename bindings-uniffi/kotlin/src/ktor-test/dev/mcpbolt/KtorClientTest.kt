package dev.mcpbolt

import io.ktor.client.HttpClient
import io.ktor.client.engine.cio.CIO
import io.ktor.client.plugins.HttpTimeout
import io.ktor.client.plugins.sse.SSE
import io.ktor.client.request.header
import io.ktor.http.HttpStatusCode
import io.ktor.server.request.header
import io.ktor.server.response.respondRedirect
import io.ktor.server.routing.get
import io.ktor.server.routing.post
import io.ktor.server.routing.routing
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.util.concurrent.CopyOnWriteArrayList
import kotlin.time.Duration.Companion.milliseconds

/** Clients whose requests an `HttpClient` of the program's carries. */
class KtorClientTest {
    @Test
    fun `requests go with headers of the program's, on both eras`() {
        val seen = CopyOnWriteArrayList<String?>()
        serving({ mcpStreamableHttp { usualServer().also { seen += call.request.header("X-Key") } } }) { _, url ->
            ktorClient { http ->
                for (era in ERAS) {
                    val client = connected(http.mcpStreamableHttpTransport("$url/mcp") { header("X-Key", "secret") }, era)
                    assertEquals("hi", client.callTool("echo", mapOf("text" to "hi")).words)
                    client.close()
                }
                val client = http.mcpStreamableHttp("$url/mcp") { header("X-Key", "secret") }
                assertEquals("usual", client.serverVersion?.name)
                client.close()
            }
            assertTrue(seen.size > 2 && seen.all { it == "secret" }, "$seen")
        }
    }

    @Test
    fun `streams come as they are said, and last longer than the client's limits`() {
        val go = CompletableDeferred<Unit>()
        val server = usualServer()
        server.addTool("report", "Tells how far it is") {
            reportProgress(1.0, 2.0, "half")
            go.await()
            text("done")
        }
        val impatient = HttpClient(CIO) {
            install(SSE)
            install(HttpTimeout) { requestTimeoutMillis = 1 }
            expectSuccess = true
        }
        serving({ mcpStreamableHttp { server } }) { _, url ->
            val client = Client(Implementation("test", "1"), ClientOptions(ASKABLE))
            client.connect(StreamableHttpClientTransport(client = impatient, url = "$url/mcp"))
            val result = client.callTool(CallToolRequest(CallToolRequestParams("report")), RequestOptions(onProgress = { go.complete(Unit) }))
            assertEquals("done", result.words)
            client.close()
            impatient.close()
            server.close()
        }
    }

    @Test
    fun `a call that is given up is cancelled on the server`() {
        for (era in ERAS) {
            val signals = Signals()
            val server = usualServer(signals)
            serving({ mcpStreamableHttp { server } }) { _, url ->
                ktorClient { http ->
                    val client = connected(http.mcpStreamableHttpTransport("$url/mcp"), era)
                    val call = launch { client.callTool("hang", emptyMap()) }
                    signals.begun.await()
                    call.cancelAndJoin()
                    signals.ended.await()
                    assertEquals("hi", client.callTool("echo", mapOf("text" to "hi")).words)
                    client.close()
                    soon { while (client.session.driver.open > 0) yield() }
                }
                server.close()
            }
        }
    }

    @Test
    fun `large answers come whole`() {
        val server = usualServer()
        serving({ mcpStreamableHttp { server } }) { _, url ->
            ktorClient { http ->
                val client = http.mcpStreamableHttp("$url/mcp")
                val large = "ä".repeat(2_000_000)
                assertEquals(large, client.callTool("echo", mapOf("text" to large)).words)
                client.close()
            }
            server.close()
        }
    }

    @Test
    fun `HTTP+SSE is carried, too`() {
        val server = usualServer()
        serving({ mcp { server } }) { _, url ->
            ktorClient { http ->
                val client = http.mcpSse(url)
                assertEquals("hi", client.callTool("echo", mapOf("text" to "hi")).words)
                client.close()
                assertThrows(IllegalArgumentException::class.java) { http.mcpSseTransport() }
            }
            server.close()
        }
    }

    @Test
    fun `what fails is the engine's error, and says where`() {
        serving({
            routing {
                post("/away") { call.respondRedirect("http://localhost:1/mcp", permanent = false) }
                post("/none") { call.response.status(HttpStatusCode.Unauthorized) }
                get("/none") { }
            }
        }) { _, url ->
            ktorClient { http ->
                assertTrue(runCatching { http.mcpStreamableHttp("$url/away") }.exceptionOrNull() is McpException)
                assertTrue(runCatching { http.mcpStreamableHttp("$url/none") }.exceptionOrNull() is UnauthorizedException)
                val nobody = runCatching { http.mcpStreamableHttp("http://127.0.0.1:1/mcp") }.exceptionOrNull()
                assertTrue(nobody is McpTransportException && "127.0.0.1:1" in nobody.message.orEmpty(), "$nobody")
            }
        }
    }

    @Test
    fun `whatever a carrier throws is the failure of its request, which names no secret`() {
        val fails = mapOf<String, suspend (CarriedRequest) -> Nothing>(
            "Timed out" to { withTimeout(1.milliseconds) { awaitCancellation() } },
            "not written" to { throw NotImplementedError("not written") },
            "no way to http://none.example.com:8080" to { error("no way to ${it.url}") },
        )
        for ((words, fail) in fails) bounded {
            val carrier = object : HttpCarrier {
                override suspend fun carry(request: CarriedRequest, answer: CarriedAnswer): Unit = fail(request)
            }
            val url = "http://ann:hidden@none.example.com:8080/hidden/mcp?key=hidden"
            val failed = soon { runCatching { connected(StreamableHttpClientTransport(url, carrier = carrier)) } }.exceptionOrNull()
            val told = assertInstanceOf(McpTransportException::class.java, failed).message.orEmpty()
            assertTrue("http://none.example.com:8080 cannot be reached: " in told && words in told, told)
            assertFalse("hidden" in told, told)
        }
    }

    @Test
    fun `any client can carry requests`() {
        val begun = CompletableDeferred<Unit>()
        val stopped = CompletableDeferred<Unit>()
        val asked = CopyOnWriteArrayList<String>()
        val carrier = object : HttpCarrier {
            override suspend fun carry(request: CarriedRequest, answer: CarriedAnswer) {
                asked += "${request.method} ${request.url}"
                val body = request.body.orEmpty()
                when {
                    "initialize\"" in body -> {
                        answer.begin(200, listOf("Content-Type" to "application/json", "Mcp-Session-Id" to "one"))
                        val id = parse(body).obj().need("id")
                        val result = objectOf("protocolVersion" to "2025-11-25", "capabilities" to objectOf("tools" to EmptyJsonObject), "serverInfo" to objectOf("name" to "none", "version" to "1"))
                        answer.part(objectOf("jsonrpc" to "2.0", "id" to id, "result" to result).toString().encodeToByteArray())
                    }
                    "tools/call" in body -> try {
                        answer.begin(200, listOf("Content-Type" to "text/event-stream"))
                        begun.complete(Unit)
                        awaitCancellation()
                    } catch (over: CancellationException) {
                        stopped.complete(Unit)
                        throw over
                    }
                    request.method == "GET" -> answer.begin(405, emptyList())
                    else -> answer.begin(202, emptyList())
                }
            }
        }
        bounded {
            val near = HttpOptions(reconnect = Reconnect(1.milliseconds, attempts = 1))
            val client = connected(StreamableHttpClientTransport("http://none.example.com/mcp", options = near, carrier = carrier))
            assertEquals("none", client.serverVersion?.name)
            val call = launch { client.callTool("x", emptyMap()) }
            begun.await()
            call.cancelAndJoin()
            client.close()
            stopped.await()
            assertTrue("DELETE http://none.example.com/mcp" in asked, "$asked")
        }
    }
}
