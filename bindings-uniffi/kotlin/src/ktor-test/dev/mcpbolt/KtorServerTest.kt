package dev.mcpbolt

import io.ktor.client.statement.bodyAsText
import io.ktor.http.HttpMethod
import io.ktor.http.HttpStatusCode
import io.ktor.server.application.Application
import io.ktor.server.application.install
import io.ktor.server.cio.CIO
import io.ktor.server.engine.ApplicationEngineFactory
import io.ktor.server.engine.EmbeddedServer
import io.ktor.server.http.HttpRequestLifecycle
import io.ktor.server.netty.Netty
import io.ktor.server.request.header
import io.ktor.server.routing.post
import io.ktor.server.routing.route
import io.ktor.server.routing.routing
import io.ktor.server.sse.SSE
import io.ktor.server.sse.sse
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.async
import kotlinx.serialization.json.JsonObject
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.CopyOnWriteArrayList
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** On Ktor's own engine. */
class KtorOnCioTest : KtorServerTest(CIO)

/** On Netty, which reads bodies, writes answers and notices clients that leave in its own way. */
class KtorOnNettyTest : KtorServerTest(Netty)

/** Servers in applications of Ktor's, on real sockets of an engine. */
abstract class KtorServerTest(private val engine: ApplicationEngineFactory<*, *>) {
    private fun serving(module: Application.() -> Unit, body: suspend CoroutineScope.(EmbeddedServer<*, *>, String) -> Unit): Unit =
        serving(module, engine, body)

    /** A tool that reports its progress and then waits. */
    private fun reporting(go: CompletableDeferred<Unit>) = usualServer().apply {
        addTool("report", "Tells how far it is") {
            reportProgress(1.0, 2.0, "half")
            go.await()
            text("done")
        }
    }

    @Test
    fun `a session has its server, and streams what a call reports`() {
        val go = CompletableDeferred<Unit>()
        val made = ConcurrentHashMap.newKeySet<Server>()
        serving({ mcpStreamableHttp { reporting(go).also(made::add) } }) { _, url ->
            val clients = List(2) { connected(StreamableHttpClientTransport("$url/mcp")) }
            assertEquals(2, made.size)
            val half = CompletableDeferred<String?>()
            val call = async {
                clients[0].callTool(CallToolRequest(CallToolRequestParams("report")), RequestOptions(onProgress = { half.complete(it.message) }))
            }
            // The call goes on while the client knows that half is done.
            assertEquals("half", half.await())
            assertEquals("hi", clients[1].callTool("echo", mapOf("text" to "hi")).words)
            go.complete(Unit)
            assertEquals("done", call.await().words)
            clients.forEach { it.close() }
        }
    }

    @Test
    fun `a server that was made for a session is closed with it`() {
        val made = Made()
        serving({ mcpStreamableHttp { made.one() } }) { _, url ->
            for (era in ERAS) {
                val client = connected(StreamableHttpClientTransport("$url/mcp"), era)
                assertEquals("hi", client.callTool("echo", mapOf("text" to "hi")).words)
                client.close()
            }
            assertTrue(made.count > 2)
            made.awaitClosed()
        }
    }

    @Test
    fun `a server of the program's serves all sessions and stays open`() {
        val server = usualServer()
        serving({ mcpStreamableHttp { server } }) { application, url ->
            for (era in ERAS) {
                val client = connected(StreamableHttpClientTransport("$url/mcp"), era) { it.setElicitationHandler { ElicitResult(ElicitResult.Action.Accept, objectOf("name" to "Ann")) } }
                // Of a client without sessions the answer comes with another request.
                assertEquals("accept Ann", client.callTool("greet", emptyMap()).words)
                client.close()
            }
            application.stopSuspend(0, 1000)
            val near = connected(InMemoryTransport(server))
            assertEquals("hi", near.callTool("echo", mapOf("text" to "hi")).words)
            near.close()
            server.close()
        }
    }

    @Test
    fun `without sessions each request is answered by itself`() {
        val made = Made()
        serving({ mcpStatelessStreamableHttp { made.one() } }) { _, url ->
            for (era in ERAS) {
                val client = connected(StreamableHttpClientTransport("$url/mcp"), era)
                assertEquals("hi", client.callTool("echo", mapOf("text" to "hi")).words)
                client.close()
            }
            ktorClient { http ->
                assertEquals(HttpStatusCode.MethodNotAllowed, http.send("$url/mcp", HttpMethod.Get).status)
                assertEquals(null, http.send("$url/mcp", HttpMethod.Post, BEGIN).headers["mcp-session-id"])
            }
            made.awaitClosed()
        }
    }

    @Test
    fun `an application has several endpoints`() {
        val first = usualServer()
        val second = Server(Implementation("second", "1"), ServerOptions(WITH_EVERYTHING))
        serving({
            routing {
                mcpStreamableHttp("/one") { first }
                route("/more") { mcpStreamableHttp("two") { second } }
                route("/plain") { mcpStatelessStreamableHttp { first } }
            }
        }) { _, url ->
            val clients = listOf("one", "more/two", "plain").map { connected(StreamableHttpClientTransport("$url/$it")) }
            assertEquals(listOf("usual", "second", "usual"), clients.map { it.serverVersion?.name })
            clients.forEach { it.close() }
            listOf(first, second).forEach { it.close() }
        }
    }

    @Test
    fun `what belongs to no session is refused in the engine's words`() {
        serving({ mcpStreamableHttp { usualServer() } }) { _, url ->
            ktorClient { http ->
                val list = objectOf("jsonrpc" to "2.0", "id" to 1, "method" to "tools/list").toString()
                val unknown = http.send("$url/mcp", HttpMethod.Post, list, "Mcp-Session-Id" to "none", "MCP-Protocol-Version" to "2025-11-25")
                assertEquals(HttpStatusCode.NotFound, unknown.status)
                assertTrue("jsonrpc" in unknown.bodyAsText())
                assertEquals(HttpStatusCode.NotFound, http.send("$url/mcp", HttpMethod.Delete, null, "Mcp-Session-Id" to "none").status)
                assertTrue(http.send("$url/mcp", HttpMethod.Get).status.value in 400..499)
                assertEquals(HttpStatusCode.BadRequest, http.send("$url/mcp", HttpMethod.Post, "no message").status)
            }
        }
    }

    @Test
    fun `other hosts and origins are refused`() {
        val server = usualServer()
        serving({
            mcpStreamableHttp { server }
            routing {
                mcpStreamableHttp("/far", allowedHosts = listOf("tools.example.com"), allowedOrigins = listOf("https://example.com")) { server }
                mcpStreamableHttp("/open", enableDnsRebindingProtection = false) { server }
                route("/own") { install(DnsRebindingProtection) { allowedHosts = listOf("own.example.com") } }
            }
        }) { _, url ->
            ktorClient { http ->
                suspend fun status(path: String, vararg headers: Pair<String, String>) = http.send(url + path, HttpMethod.Post, BEGIN, *headers).status.value
                assertEquals(200, status("/mcp"))
                assertEquals(200, status("/mcp", "Host" to "LOCALHOST:9", "Origin" to "https://localhost:1"))
                assertEquals(403, status("/mcp", "Host" to "evil.example.com"))
                assertEquals(403, status("/mcp", "Origin" to "https://evil.example.com"))
                assertEquals(403, status("/far"))
                assertEquals(200, status("/far", "Host" to "tools.example.com", "Origin" to "https://example.com"))
                assertEquals(403, status("/far", "Host" to "tools.example.com", "Origin" to "https://evil.example.com"))
                assertEquals(200, status("/open", "Host" to "evil.example.com", "Origin" to "https://evil.example.com"))
                val words = http.send("$url/mcp", HttpMethod.Post, BEGIN, "Host" to "evil.example.com").bodyAsText()
                assertTrue("Invalid Host: evil.example.com" in words && "-32000" in words, words)
            }
            server.close()
        }
    }

    @Test
    fun `the end of the application ends sessions, calls and servers`() {
        val signals = Signals()
        val made = Made()
        val servers = CopyOnWriteArrayList<Server>()
        serving({ mcpStreamableHttp { made.one(usualServer(signals)).also(servers::add) } }) { application, url ->
            val client = connected(StreamableHttpClientTransport("$url/mcp", options = HttpOptions(reconnect = Reconnect(1.milliseconds, attempts = 1, streamAttempts = 1))))
            // Netty leaves connections that it accepts while it stops open for ever, and the client comes back for its stream.
            val patience = RequestOptions(timeout = 10.seconds)
            val call = async { runCatching { client.callTool(CallToolRequest(CallToolRequestParams("hang")), patience) } }
            signals.begun.await()
            application.stopSuspend(0, 1000)
            signals.ended.await()
            assertTrue(call.await().isFailure)
            client.close()
            made.awaitClosed()
            // Nothing is left: no running call, nothing that waits, no exchange.
            assertEquals(0, servers.single().host.driver.open)
        }
    }

    @Test
    fun `sessions without requests end, and only so many are open`() {
        val made = Made()
        serving({
            routing {
                mcpStreamableHttp("/short", sessionIdleTimeout = 20.milliseconds) { made.one() }
                mcpStreamableHttp("/two", maxSessions = 2) { made.one() }
            }
        }) { _, url ->
            ktorClient { http ->
                val id = http.send("$url/short", HttpMethod.Post, BEGIN).headers["mcp-session-id"]!!
                made.awaitClosed()
                assertEquals(404, http.send("$url/short", HttpMethod.Delete, null, "Mcp-Session-Id" to id).status.value)
                val open = List(2) { http.send("$url/two", HttpMethod.Post, BEGIN).headers["mcp-session-id"]!! }
                assertEquals(HttpStatusCode.ServiceUnavailable, http.send("$url/two", HttpMethod.Post, BEGIN).status)
                assertTrue(http.send("$url/two", HttpMethod.Delete, null, "Mcp-Session-Id" to open[0]).status.value < 300)
                assertEquals(HttpStatusCode.OK, http.send("$url/two", HttpMethod.Post, BEGIN).status)
            }
        }
    }

    @Test
    fun `a session is only for whom it was begun by`() {
        val server = usualServer()
        serving({ mcpStreamableHttp(principal = { it.request.header("X-User") }) { server } }) { _, url ->
            ktorClient { http ->
                val id = http.send("$url/mcp", HttpMethod.Post, BEGIN, "X-User" to "ann").headers["mcp-session-id"]!!
                assertEquals(404, http.send("$url/mcp", HttpMethod.Delete, null, "Mcp-Session-Id" to id, "X-User" to "bob").status.value)
            }
            server.close()
        }
    }

    @Test
    fun `events are kept where the program keeps them`() {
        val stored = CopyOnWriteArrayList<Pair<String, JSONRPCMessage>>()
        val store = object : EventStore {
            override suspend fun storeEvent(streamId: String, message: JSONRPCMessage): String {
                val row = streamId to message
                stored.add(row)
                return "event-${stored.indexOfFirst { it === row }}"
            }

            override suspend fun replayEventsAfter(lastEventId: String, sender: suspend (String, JSONRPCMessage) -> Unit): String {
                val after = lastEventId.removePrefix("event-").toInt()
                val stream = stored[after].first
                stored.toList().withIndex().filter { it.index > after && it.value.first == stream }.forEach { sender("event-${it.index}", it.value.second) }
                return stream
            }

            override suspend fun getStreamIdForEventId(eventId: String): String? = stored.getOrNull(eventId.removePrefix("event-").toInt())?.first
        }
        val go = CompletableDeferred<Unit>()
        val server = reporting(go).apply {
            addTool("cut", "Ends its stream early") {
                reportProgress(1.0)
                closeStream()
                text("the rest")
            }
        }
        serving({ mcpStreamableHttp(eventStore = store) { server } }) { _, url ->
            val client = connected(StreamableHttpClientTransport("$url/mcp", options = HttpOptions(reconnect = Reconnect(1.milliseconds))))
            val result = client.callTool(CallToolRequest(CallToolRequestParams("cut")), RequestOptions(onProgress = {}))
            assertEquals("the rest", result.words)
            assertTrue(stored.any { "the rest" in it.second.text } && stored.any { it.second.json == EmptyJsonObject })
            val other = assertThrows(McpUsageException::class.java) { server.host.mount(JsonObject(emptyMap()), object : EventStore by store {}) }
            assertTrue("eventStore" in other.message.orEmpty())
            client.close()
            server.close()
        }
    }

    @Test
    fun `large bodies go both ways, and too large ones are refused`() {
        val server = usualServer()
        serving({
            mcpStreamableHttp { server }
            routing { mcp("/events", maxRequestBodySize = 1000) { server } }
        }) { _, url ->
            val client = connected(StreamableHttpClientTransport("$url/mcp"))
            val large = "ä".repeat(3_000_000)
            assertEquals(large, client.callTool("echo", mapOf("text" to large)).words)
            client.close()
            ktorClient { http ->
                assertEquals(413, http.send("$url/events?sessionId=1", HttpMethod.Post, "x".repeat(2000)).status.value)
                val most = 17 * 1024 * 1024
                assertEquals(413, http.send("$url/mcp", HttpMethod.Post, "\"" + "x".repeat(most) + "\"").status.value)
            }
            server.close()
        }
    }

    @Test
    fun `HTTP+SSE is served at the root and below routes`() {
        val made = Made()
        serving({
            mcp { made.one().also { check(call.request.header("Accept") != null) } }
            routing { route("/deep") { mcp("events") { made.one() } } }
        }) { _, url ->
            for (path in listOf("/", "/deep/events")) {
                val client = connected(SseClientTransport(url + path))
                assertEquals("hi", client.callTool("echo", mapOf("text" to "hi")).words)
                client.close()
            }
            assertEquals(2, made.count)
            made.awaitClosed()
            ktorClient { http -> assertEquals(404, http.send("$url/deep/events?sessionId=none", HttpMethod.Post, BEGIN).status.value) }
        }
    }

    @Test
    fun `a program may keep its sessions over HTTP+SSE itself`() {
        val server = usualServer()
        val sessions = ConcurrentHashMap<String, ServerSession>()
        val left = CompletableDeferred<Unit>()
        serving({
            install(SSE)
            install(HttpRequestLifecycle) { cancelCallOnClose = true }
            routing {
                sse("/sse") {
                    val transport = SseServerTransport("/message", this)
                    val session = server.createSession(transport)
                    sessions[transport.sessionId] = session
                    session.onClose { left.complete(Unit) }
                    session.awaitClose()
                }
                post("/message") {
                    (sessions[call.queryParameters["sessionId"]]?.transport as? SseServerTransport)?.handlePostMessage(call)
                }
            }
        }) { _, url ->
            val client = connected(SseClientTransport("$url/sse"))
            assertEquals("hi", client.callTool("echo", mapOf("text" to "hi")).words)
            client.close()
            left.await()
            server.close()
        }
    }

    @Test
    fun `parameters that cannot be are refused by name`() {
        serving({
            routing {
                for ((name, wrong) in listOf<Pair<String, () -> Unit>>(
                    "sessionIdleTimeout" to { mcpStreamableHttp("/a", sessionIdleTimeout = Duration.ZERO) { usualServer() } },
                    "maxSessions" to { mcpStreamableHttp("/b", maxSessions = 0) { usualServer() } },
                    "sseHeartbeatConfig" to { mcpStreamableHttp("/c", sseHeartbeatConfig = { event = io.ktor.sse.ServerSentEvent("beat") }) { usualServer() } },
                    "allowedHosts" to { mcpStreamableHttp("/d", allowedHosts = listOf("http://example.com")) { usualServer() } },
                    "allowedOrigins" to { mcpStreamableHttp("/e", allowedOrigins = listOf("")) { usualServer() } },
                    "maxRequestBodySize" to { mcp("/f", maxRequestBodySize = 0) { usualServer() } },
                )) {
                    val refused = assertThrows(IllegalArgumentException::class.java) { wrong() }
                    assertTrue(name in refused.message.orEmpty(), "$name: $refused")
                }
                mcpStreamableHttp("/ok", sseHeartbeatConfig = { period = 1.seconds }) { usualServer() }
            }
        }) { _, url ->
            val client = connected(StreamableHttpClientTransport("$url/ok"))
            assertEquals("usual", client.serverVersion?.name)
            client.close()
        }
    }
}
