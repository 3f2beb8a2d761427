package dev.mcpbolt

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.launch
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertNotNull
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.nio.file.Files
import java.nio.file.Path
import java.security.KeyStore
import java.util.Base64
import java.util.concurrent.CopyOnWriteArrayList
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** What is chosen and what is told as types: options, connections, counters, errors. */
class OptionsTest {
    private fun usualOptions(
        pageSize: Int? = null,
        timeout: Duration? = null,
        maxConcurrency: Int? = null,
        rateLimits: List<RateLimit> = emptyList(),
    ) = ServerOptions(WITH_EVERYTHING, pageSize = pageSize, timeout = timeout, maxConcurrency = maxConcurrency, rateLimits = rateLimits)

    private suspend fun refusal(body: suspend () -> Unit) = runCatching { body() }.exceptionOrNull() as McpException

    private fun get(url: String): Int =
        HttpClient.newHttpClient().send(HttpRequest.newBuilder(URI(url)).build(), HttpResponse.BodyHandlers.discarding()).statusCode()

    // What is told

    @Test
    fun `both sides say what they know of a connection, and what has no name here is in its JSON`() {
        for (era in ERAS) {
            val asked = CompletableDeferred<CallInfo>()
            val server = usualServer()
            server.addTool("ask", "Looks who asks") {
                asked.complete(about)
                text("seen")
            }
            val listener = server.serveHttp()
            bounded {
                val client = connected(StreamableHttpClientTransport(listener.url, mapOf("X-Key" to "hidden")), era)
                client.callTool(CallToolRequest(CallToolRequestParams("ask")), RequestOptions(headers = mapOf("X-Trace" to "one")))
                val (mine, theirs) = client.session.about to asked.await()
                assertEquals(if (era == MODERN) Era.Modern else Era.Legacy, mine.era)
                assertEquals(listOf(mine.era, mine.protocolVersion, TransportKind.Http), listOf(theirs.era, theirs.protocolVersion, theirs.transport))
                assertEquals("usual" to "test", mine.serverInfo?.name to theirs.clientInfo?.name)
                assertNotNull(mine.capabilities?.tools)
                assertNotNull(mine.handshake)
                assertEquals(era != MODERN, mine.sessionId != null)
                assertEquals("hidden" to "one", theirs.header("x-key") to theirs.header("X-Trace"))
                assertNotNull(theirs.requestId)
                assertFalse(theirs.isCancelled)
                assertEquals("client", mine.json.tag("role"))
                assertTrue("headers" in theirs.toString() && "hidden" !in theirs.toString(), "$theirs")
                client.close()
                assertNull(client.session.about.transport)
                server.close()
            }
        }
    }

    @Test
    fun `counters are numbers, times and calls by method`() {
        val server = usualServer().quiet()
        together(server) { client ->
            client.callTool("echo", mapOf("text" to "hi"))
            refusal { client.callTool("absent", emptyMap()) }
            for (stats in listOf(client.session.stats, server.stats)) {
                val calls = stats.methods.getValue("tools/call")
                assertEquals(2L to 1L, calls.calls to calls.errors)
                assertEquals(mapOf("invalid_params" to 1L), stats.errors)
                assertEquals(1L to 0L, stats.connections to stats.dropped)
                assertTrue(stats.p50!! <= stats.p99!! && stats.p50!! > Duration.ZERO, "$stats")
                assertEquals(null, stats.latency.last().bound)
                assertTrue(stats.latency.last().calls >= 2, "$stats")
                assertTrue("p50" in stats.json)
            }
            client.close()
            assertEquals(0, client.session.stats.connections)
        }
        assertEquals(2, server.stats.methods.getValue("tools/call").calls)
    }

    // Errors

    @Test
    fun `a code has a class, and any other is a peer's`() {
        assertInstanceOf(McpInvalidParamsException::class.java, McpException(-32602, "n is odd"))
        val own = McpException(-7, "mine", objectOf("n" to 1))
        assertEquals(listOf("peer", -7, "mine", false), listOf(own.kind, own.code, own.message, own.isLocal))
        val older = McpException(-32022, "too old", objectOf("supported" to listOf(MODERN), "requested" to "2020-01-01"))
        val unsupported = assertInstanceOf(UnsupportedProtocolVersionException::class.java, older)
        assertEquals(listOf(MODERN) to "2020-01-01", unsupported.supported to unsupported.requested)
    }

    @Test
    fun `what a server refuses is of the class of its kind on both eras`() {
        class Mine : McpPeerException(-9, "my own")
        val server = usualServer()
        server.addTool("mine", "Fails in its own way") { throw Mine() }
        server.addTool("must", "A task", task = TaskSupport.Required) { text("done") }
        for (era in ERAS) {
            bounded {
                val client = connected(InMemoryTransport(server), era)
                val absent = assertInstanceOf(ResourceNotFoundException::class.java, refusal { client.readResource(ReadResourceRequest(ReadResourceRequestParams("a://b"))) })
                assertEquals("a://b", absent.uri)
                assertInstanceOf(McpInvalidParamsException::class.java, refusal { client.callTool("absent", emptyMap()) })
                assertInstanceOf(McpMethodNotFoundException::class.java, refusal { client.request(CustomRequest("acme/none")) })
                assertEquals(-9, assertInstanceOf(McpPeerException::class.java, refusal { client.callTool("mine", emptyMap()) }).code)
                if (era == MODERN) {
                    val missing = assertInstanceOf(MissingClientCapabilityException::class.java, refusal { client.callTool("must", emptyMap()) })
                    assertTrue("io.modelcontextprotocol/tasks" in missing.requiredCapabilities?.extensions.orEmpty())
                }
                client.close()
                val said = when (val gone = refusal { client.ping() }) {
                    is McpClosedException -> "closed"
                    is McpLocalException -> "local"
                    is McpPeerException -> gone.message
                }
                assertEquals("closed", said)
            }
        }
        bounded { server.close() }
    }

    // What is chosen

    @Test
    fun `limits of a server are types`() {
        val server = usualServer(options = usualOptions(pageSize = 1, maxConcurrency = 1, rateLimits = listOf(RateLimit(listOf(Method.Defined.PromptsGet), RateLimit.Per.Session, 0.001, 1))))
        server.addPrompt("hi") { GetPromptResult(emptyList()) }
        together(server) { client ->
            assertNotNull(client.request(ListToolsRequest()).nextCursor)
            val prompt = GetPromptRequest(GetPromptRequestParams("hi"))
            client.getPrompt(prompt)
            assertInstanceOf(RateLimitedException::class.java, refusal { client.getPrompt(prompt) })
            val held = launch { client.callTool("hang", emptyMap()) }
            soon { while (server.stats.inFlight == 0L) yield() }
            assertEquals("max_concurrency of the server", refusal { client.callTool("echo", mapOf("text" to "hi")) }.data?.obj()?.tag("reason"))
            held.cancel()
        }
        together(usualServer(options = usualOptions(timeout = 50.milliseconds))) { client ->
            assertEquals("Tool hang timed out after 0.05 s", client.callTool("hang", emptyMap()).words)
        }
    }

    @Test
    fun `patience of a client is a type, and so is that of a request`() {
        val options = ClientOptions(requestTimeout = 50.milliseconds, keepAlive = KeepAlive(5.seconds, 5.seconds), cache = false)
        together(usualServer(), Client(Implementation("hasty", "1"), options)) { client ->
            assertInstanceOf(McpTimeoutException::class.java, refusal { client.callTool("hang", emptyMap()) })
        }
        together(usualServer(), Client(Implementation("patient", "1"), ClientOptions(requestTimeout = Duration.INFINITE))) { client ->
            val hasty = RequestOptions(timeout = 50.milliseconds, max = 50.milliseconds, resetOnProgress = false, logLevel = LoggingLevel.Debug)
            assertInstanceOf(McpTimeoutException::class.java, refusal { client.callTool("hang", emptyMap(), options = hasty) })
        }
    }

    @Test
    fun `results are kept while they are good, unless a request or the client does not want that`() {
        for ((cache, fresh, asked) in listOf(Triple(true, false, 1), Triple(true, true, 2), Triple(false, false, 2))) {
            val reads = CopyOnWriteArrayList<String>()
            val server = Server(Implementation("kept", "1"), ServerOptions(WITH_EVERYTHING))
            server.addResource("note://one", "one", "A note") {
                reads += it.uri
                ReadResourceResult.of(objectOf("contents" to listOf(objectOf("uri" to it.uri, "text" to "one")), "ttlMs" to 60_000, "cacheScope" to "private"))
            }
            together(server, Client(Implementation("reader", "1"), ClientOptions(protocol = ProtocolPolicy.Modern, cache = cache))) { client ->
                repeat(2) { client.readResource(ReadResourceRequest(ReadResourceRequestParams("note://one")), RequestOptions(fresh = fresh)) }
                assertEquals(asked, reads.size, "cache $cache, fresh $fresh")
            }
        }
    }

    @Test
    fun `options of a server over HTTP are types`() {
        val http = HttpServerOptions(
            path = "/tools", sse = false, sessions = false, response = ResponseMode.Json, streamAfter = Duration.INFINITE,
            allowedHosts = listOf("127.0.0.1:*"), allowedOrigins = listOf("https://example.com"), cors = true, trustedProxies = listOf("10.0.0.0/8"),
            keepAlive = 5.seconds, health = "/healthz", ready = "/readyz", metrics = "/metrics", shutdownDelay = Duration.ZERO, drain = 1.seconds,
            halfOpen = 5.seconds, idle = 60.seconds,
        )
        val server = usualServer()
        val listener = server.serveHttp(http = http)
        bounded {
            val base = "http://127.0.0.1:${listener.port}"
            assertEquals(listOf(200, 200, 200, 404), listOf("healthz", "readyz", "metrics", "mcp").map { get("$base/$it") })
            assertEquals("$base/tools", listener.url)
            val client = connected(StreamableHttpClientTransport(listener.url))
            assertEquals("hi", client.callTool("echo", mapOf("text" to "hi")).words)
            assertNull(client.session.about.sessionId)
            client.close()
            val wrong = refusal { server.serveHttp(http = HttpServerOptions(tls = TlsFiles("no.pem", "no.key"))) }
            assertTrue(wrong is McpUsageException && "tls" in wrong.message.orEmpty(), "$wrong")
            server.close()
        }
    }

    @Test
    fun `a listener with a certificate says where it is`(@TempDir folder: Path) {
        val (certificate, key) = selfSigned(folder)
        val files = TlsFiles("${folder.resolve("certificate.pem")}", "${folder.resolve("key.pem")}")
        Files.writeString(Path.of(files.certificate), certificate)
        Files.writeString(Path.of(files.key), key)
        val server = usualServer()
        val listener = server.serveHttp(http = HttpServerOptions(tls = files))
        bounded {
            assertEquals("https://127.0.0.1:${listener.port}/mcp", listener.url)
            val client = connected(StreamableHttpClientTransport(listener.url, options = HttpOptions(ca = certificate, systemRoots = false)))
            assertEquals("hi", client.callTool("echo", mapOf("text" to "hi")).words)
            client.close()
            server.close()
        }
    }

    /** A certificate of this machine's address, and its key, as PEM. */
    private fun selfSigned(folder: Path): Pair<String, String> {
        val (store, password) = folder.resolve("store.p12") to "changeit"
        val words = "-genkeypair -keyalg RSA -keysize 2048 -dname CN=test -ext san=ip:127.0.0.1 -alias mine -storetype PKCS12 -storepass $password -keystore"
        val tool = Path.of(System.getProperty("java.home"), "bin", "keytool")
        val made = ProcessBuilder(listOf("$tool") + words.split(' ') + "$store").redirectErrorStream(true).start()
        val said = made.inputStream.bufferedReader().readText()
        assertEquals(0, made.waitFor(), said)
        val kept = Files.newInputStream(store).use { KeyStore.getInstance("PKCS12").apply { load(it, password.toCharArray()) } }
        val pem = { kind: String, bytes: ByteArray -> "-----BEGIN $kind-----\n${Base64.getMimeEncoder().encodeToString(bytes)}\n-----END $kind-----\n" }
        return pem("CERTIFICATE", kept.getCertificate("mine").encoded) to pem("PRIVATE KEY", kept.getKey("mine", password.toCharArray()).encoded)
    }
}
