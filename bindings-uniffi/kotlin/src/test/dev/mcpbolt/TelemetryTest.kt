package dev.mcpbolt

import io.opentelemetry.api.OpenTelemetry
import io.opentelemetry.api.baggage.Baggage
import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator
import io.opentelemetry.api.trace.SpanKind
import io.opentelemetry.api.trace.StatusCode
import io.opentelemetry.context.Context
import io.opentelemetry.context.propagation.ContextPropagators
import io.opentelemetry.extension.kotlin.asContextElement
import io.opentelemetry.sdk.OpenTelemetrySdk
import io.opentelemetry.sdk.metrics.SdkMeterProvider
import io.opentelemetry.sdk.metrics.data.HistogramPointData
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter
import io.opentelemetry.sdk.trace.ReadWriteSpan
import io.opentelemetry.sdk.trace.ReadableSpan
import io.opentelemetry.sdk.trace.SdkTracerProvider
import io.opentelemetry.sdk.trace.SpanProcessor
import io.opentelemetry.sdk.trace.data.SpanData
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.serialization.json.JsonObject
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.util.concurrent.CopyOnWriteArrayList
import kotlin.time.Duration.Companion.milliseconds

private val BOUNDS = listOf(0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0)
private val CLIENT = SpanKind.CLIENT
private val SERVER = SpanKind.SERVER

// What OpenTelemetry gets of requests and sessions, on both sides and in both eras.
class TelemetryTest {
    private val finished = InMemorySpanExporter.create()

    /** The spans that end, one after the other. */
    private val ends = Channel<String>(Channel.UNLIMITED)

    private inner class Ends : SpanProcessor {
        override fun onStart(parent: Context, span: ReadWriteSpan): Unit = Unit

        override fun isStartRequired(): Boolean = false

        override fun onEnd(span: ReadableSpan) {
            ends.trySend("${span.kind} ${span.name}")
        }

        override fun isEndRequired(): Boolean = true
    }

    private val reader = InMemoryMetricReader.createDelta()
    private val sdk = OpenTelemetrySdk.builder()
        .setTracerProvider(SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(finished)).addSpanProcessor(Ends()).build())
        .setMeterProvider(SdkMeterProvider.builder().registerMetricReader(reader).build())
        .setPropagators(ContextPropagators.create(W3CBaggagePropagator.getInstance()))
        .build()
    private val telemetry = McpTelemetry(sdk)
    private val metas = CopyOnWriteArrayList<JsonObject>()
    private val signals = Signals()

    private fun <T> spanning(name: String, body: () -> T): T {
        val span = sdk.getTracer("program").spanBuilder(name).startSpan()
        return span.makeCurrent().use { body() }.also { span.end() }
    }

    private fun watched(telemetry: Telemetry? = this.telemetry, extensions: List<ServerExtension> = emptyList()): Server {
        val server = usualServer(signals, ServerOptions(WITH_EVERYTHING, telemetry = telemetry, extensions = extensions)).quiet()
        server.addTool("inside", "Makes a span of its own, on another thread") {
            withContext(Dispatchers.IO) { spanning("inside") { text(Baggage.current().getEntryValue("who") ?: "nobody") } }
        }
        server.addTool("slow", "Takes longer than anybody waits") { awaitCancellation() }
        server.addTool("sorry", "Fails for the model") { CallToolResult.error("no") }
        server.addTool("meta", "Keeps what came with it") { metas.add(it.params.json["_meta"] as? JsonObject ?: EmptyJsonObject).let { text("kept") } }
        server.addTool("roots", "Asks for the roots") { text(listRoots().roots.size.toString()) }
        server.addPrompt("refuse", "Refuses") { throw McpException(-32099, "not you") }
        server.addPrompt("invalid", "Has no such page") { throw McpException(INVALID_PARAMS, "no") }
        server.addPrompt("leak", "Fails by mistake") { error("a secret") }
        server.addPrompt("late", "Takes longer than it lets itself") { withTimeout(1.milliseconds) { awaitCancellation() } }
        server.addResource("file:///readme", "readme", "To read") { ReadResourceResult(listOf(TextResourceContents("x", it.uri))) }
        return server
    }

    private fun visitor(protocol: String, telemetry: Telemetry? = this.telemetry, extensions: List<ClientExtension> = emptyList()) =
        Client(Implementation("visitor", "1"), ClientOptions(ASKABLE, protocol = ProtocolPolicy(protocol), telemetry = telemetry, extensions = extensions))

    private fun both(protocol: String, body: suspend CoroutineScope.(Client) -> Unit) = together(watched(), visitor(protocol), body)

    private fun spans(kind: SpanKind, name: String): List<SpanData> = finished.finishedSpanItems.filter { it.kind == kind && it.name == name }

    private fun span(kind: SpanKind, name: String): SpanData = spans(kind, name).singleOrNull()
        ?: throw AssertionError("not one $kind $name among ${finished.finishedSpanItems.map { "${it.kind} ${it.name}" }}")

    private val SpanData.said: Map<String, String> get() = attributes.asMap().entries.associate { it.key.key to it.value.toString() }

    /** The points of a histogram since the last look, with their attributes. */
    private fun points(): Map<String, List<Pair<Map<String, String>, HistogramPointData>>> = reader.collectAllMetrics().associate { metric ->
        assertEquals("s" to "mcpbolt", metric.unit to metric.instrumentationScopeInfo.name)
        metric.name to metric.histogramData.points.map { point -> point.attributes.asMap().entries.associate { it.key.key to it.value.toString() } to point }
    }

    private suspend fun refusal(work: suspend () -> Any?): Throwable = runCatching { work() }.exceptionOrNull()!!

    private suspend fun prompt(client: Client, name: String) = client.getPrompt(GetPromptRequest(GetPromptRequestParams(name)))

    @Test
    fun `a call is one trace on both sides`() {
        for (era in ERAS) {
            finished.reset()
            both(era) { client ->
                val root = Context.root().with(Baggage.builder().put("who", "ann").build())
                withContext(root.asContextElement()) { assertEquals("ann", client.callTool("inside", emptyMap()).words) }
            }
            val (sent, handled, inside) = listOf(span(CLIENT, "tools/call inside"), span(SERVER, "tools/call inside"), span(SpanKind.INTERNAL, "inside"))
            assertEquals(listOf(sent.spanId, handled.spanId), listOf(handled, inside).map { it.parentSpanId })
            assertEquals(setOf(sent.traceId), listOf(sent, handled, inside).map { it.traceId }.toSet())
            val revision = if (era == MODERN) MODERN else "2025-11-25"
            val common = mapOf(
                "mcp.method.name" to "tools/call", "mcp.protocol.version" to revision,
                "gen_ai.operation.name" to "execute_tool", "gen_ai.tool.name" to "inside",
            )
            assertEquals(common, sent.said - "jsonrpc.request.id")
            assertEquals(sent.said, handled.said)
            assertTrue("jsonrpc.request.id" in sent.said, "${sent.said}")
            assertEquals(setOf(StatusCode.UNSET), setOf(sent.status.statusCode, handled.status.statusCode))
            assertEquals("mcpbolt", handled.instrumentationScopeInfo.name)
        }
    }

    @Test
    fun `what fails says how, without its words`() {
        both("legacy") { client ->
            client.callTool("sorry", emptyMap())
            refusal { prompt(client, "refuse") }
            refusal { prompt(client, "leak") }
            refusal { prompt(client, "late") }
            refusal { client.callTool("slow", emptyMap(), options = RequestOptions(timeout = 10.milliseconds)) }
            val hanging = launch { client.callTool("hang", emptyMap()) }
            soon { signals.begun.await() }
            hanging.cancel()
            soon { hanging.join() }
            soon { while (ends.receive() != "SERVER tools/call hang") Unit }
        }
        fun ending(kind: SpanKind, name: String) = span(kind, name).let { listOf(it.said["error.type"], it.said["rpc.response.status_code"], it.status.description) to it.status.statusCode }
        for (kind in listOf(SERVER, CLIENT)) {
            assertEquals(listOf("tool_error", null, "") to StatusCode.ERROR, ending(kind, "tools/call sorry"))
            assertEquals(listOf("-32099", "-32099", "") to StatusCode.ERROR, ending(kind, "prompts/get refuse"))
        }
        assertEquals(listOf("java.lang.IllegalStateException", "-32603", "") to StatusCode.ERROR, ending(SERVER, "prompts/get leak"))
        assertEquals(listOf("-32603", "-32603", "") to StatusCode.ERROR, ending(CLIENT, "prompts/get leak"))
        assertEquals(listOf("kotlinx.coroutines.TimeoutCancellationException", "-32603", "") to StatusCode.ERROR, ending(SERVER, "prompts/get late"))
        assertEquals(listOf("timeout", null, "") to StatusCode.ERROR, ending(CLIENT, "tools/call slow"))
        for (kind in listOf(SERVER, CLIENT)) assertEquals(listOf("cancelled", null, "") to StatusCode.ERROR, ending(kind, "tools/call hang"))
        assertEquals(emptyList<Any>(), finished.finishedSpanItems.flatMap { it.events })
    }

    @Test
    fun `durations are histograms in seconds`() {
        for (era in ERAS) {
            both(era) { client ->
                repeat(2) { client.callTool("inside", emptyMap()) }
                client.readResource(ReadResourceRequest(ReadResourceRequestParams("file:///readme")))
            }
            val revision = mapOf("mcp.protocol.version" to if (era == MODERN) MODERN else "2025-11-25")
            val calls = setOf(
                revision + mapOf("mcp.method.name" to "tools/call", "gen_ai.operation.name" to "execute_tool", "gen_ai.tool.name" to "inside") to 2L,
                revision + mapOf("mcp.method.name" to "resources/read") to 1L,
            )
            val found = points()
            for (side in listOf("client", "server")) {
                // The first request of a modern client asks who the server is.
                val counted = found.getValue("mcp.$side.operation.duration").filter { it.first["mcp.method.name"] != "server/discover" }
                assertEquals(calls, counted.map { it.first to it.second.count }.toSet())
            }
            assertEquals(listOf(revision to 1L), found.getValue("mcp.client.session.duration").map { it.first to it.second.count })
            // The revision without sessions has none at a server.
            val sessions = if (era == MODERN) emptyList() else listOf(revision to 1L)
            assertEquals(sessions, found["mcp.server.session.duration"].orEmpty().map { it.first to it.second.count })
            for (point in found.values.flatten().map { it.second }) {
                assertEquals(BOUNDS, point.boundaries)
                assertTrue(point.sum > 0 && point.sum < 60, "${point.sum} s")
            }
        }
        assertEquals("file:///readme", spans(SERVER, "resources/read").first().said["mcp.resource.uri"])
    }

    @Test
    fun `sessions over HTTP are measured where there are any`() {
        for ((sessions, expected) in listOf("stateful" to 1L, "none" to 0L)) {
            val server = watched()
            val listener = server.serveHttp(http = objectOf("sessions" to sessions))
            bounded {
                for (protocol in ERAS) visitor(protocol).let { client ->
                    client.connect(StreamableHttpClientTransport(listener.url))
                    client.callTool("inside", emptyMap())
                    client.close()
                }
                server.close()
            }
            val found = points()
            assertEquals(expected, found["mcp.server.session.duration"].orEmpty().sumOf { it.second.count }, sessions)
            assertEquals(2L, found["mcp.client.session.duration"].orEmpty().sumOf { it.second.count })
        }
    }

    @Test
    fun `what a peer makes up is no series`() {
        val served = ServerExtension("com.example/colours") { method("com.example/mix", undeclared = Undeclared.Serve) { EmptyJsonObject } }
        val server = watched(extensions = listOf(served))
        together(server, visitor("legacy")) { client ->
            for (name in listOf("one", "another")) assertEquals(INVALID_PARAMS, (refusal { client.callTool(name, emptyMap()) } as McpException).code)
            refusal { prompt(client, "invalid") }
            for (name in listOf("own/one", "own/two")) refusal { client.request(CustomRequest(name, objectOf("name" to "x"))) }
            client.request(CustomRequest("com.example/mix", EmptyJsonObject))
        }
        val found = points()
        fun named(side: String) = found.getValue("mcp.$side.operation.duration").associate { (said, point) ->
            assertTrue("gen_ai.tool.name" !in said && "gen_ai.prompt.name" !in said, "$said")
            listOf(said["mcp.method.name"], said["error.type"]) to point.count
        }
        val refused = listOf("prompts/get", "-32602") to 1L
        // The client did not declare the extension.
        val sent = mapOf(refused, listOf("tools/call", "-32602") to 2L, listOf("_OTHER", "-32601") to 2L, listOf("_OTHER", null) to 1L)
        assertEquals(sent, named("client"))
        // The engine refuses what no handler has.
        assertEquals(mapOf(refused, listOf("com.example/mix", null) to 1L), named("server"))
    }

    @Test
    fun `trace context of the caller's own goes as it is, and what is malformed names no parent`() {
        val given = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        val wrong = listOf("", "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01", "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
        both("legacy") { client ->
            for (context in wrong + given) {
                client.request(CallToolRequest(CallToolRequestParams("meta", meta = objectOf("traceparent" to context, "tracestate" to "a=b"))))
            }
        }
        assertEquals(wrong + given, metas.map { it.tag("traceparent") })
        val handled = spans(SERVER, "tools/call meta")
        assertEquals(List(wrong.size) { false } + true, handled.map { it.parentSpanContext.isValid })
        assertEquals(listOf("b7ad6b7169203331", "b"), handled.last().let { listOf(it.parentSpanId, it.spanContext.traceState.get("a")) })
        assertEquals("b7ad6b7169203331", spans(CLIENT, "tools/call meta").last().parentSpanId)
    }

    @Test
    fun `questions of a server are in the trace of its call`() {
        for (era in ERAS) {
            finished.reset()
            val client = visitor(era)
            client.setRootsHandler { spanning("answering") { ListRootsResult(emptyList()) } }
            together(watched(), client) { assertEquals("0", it.callTool("roots", emptyMap()).words) }
            val (call, asked, answered) = listOf(span(SERVER, "tools/call roots"), span(CLIENT, "roots/list"), span(SERVER, "roots/list"))
            val answering = span(SpanKind.INTERNAL, "answering")
            assertEquals(listOf(call, asked, answered).map { it.spanId }, listOf(asked, answered, answering).map { it.parentSpanId })
        }
    }

    @Test
    fun `without telemetry messages are as they were`() {
        for (nothing in listOf(null, McpTelemetry(OpenTelemetry.noop()))) {
            metas.clear()
            together(watched(nothing), visitor("legacy", nothing)) { client -> client.callTool("meta", emptyMap()) }
            assertEquals(listOf(EmptyJsonObject), metas)
        }
    }

    @Test
    fun `telemetry that throws fails no request and is told`() {
        for (runs in listOf(false, true)) throwing(runs)
    }

    /** @param runs whether the work is done before its span throws. */
    private fun throwing(runs: Boolean) {
        val broken = object : Telemetry {
            override fun begin(span: SpanDescription): TelemetrySpan = if (span.kind == SpanDescription.Kind.Handled) error("no span") else Ending()

            override fun record(duration: MeasuredDuration): Unit = error("no record")

            inner class Ending : TelemetrySpan {
                override val context: Map<String, String> get() = error("no context")

                override suspend fun <R> run(body: suspend () -> R): R {
                    if (runs) body()
                    error("no run")
                }

                override fun end(failure: Map<String, String>?, duration: MeasuredDuration): Unit = error("no end")
            }
        }
        val told = CopyOnWriteArrayList<String>()
        val (server, client) = watched(broken) to visitor("legacy", broken)
        server.onError = { kind, message -> told += "$kind: ${message.lines().first()}" }
        client.onError = { kind, message -> told += "$kind: ${message.lines().first()}" }
        metas.clear()
        together(server, client) {
            assertEquals("kept", it.callTool("meta", emptyMap()).words)
            // The error of the work is no other than without telemetry.
            assertEquals("not you", refusal { prompt(it, "refuse") }.message)
        }
        assertEquals(1, metas.size)
        val words = listOf("no span", "no context", "no run", "no end", "no record").map { "internal: telemetry failed: java.lang.IllegalStateException: $it" }
        assertEquals(words.toSet(), told.toSet())
    }
}
