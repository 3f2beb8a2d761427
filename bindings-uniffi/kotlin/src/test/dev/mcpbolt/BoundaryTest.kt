package dev.mcpbolt

import dev.mcpbolt.engine.errorNames
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import java.io.File
import java.util.concurrent.atomic.AtomicInteger

private const val MANY = 10_000
private val ENDS = listOf("client.close", "server.close")
private val WAYS = listOf("memory", "HTTP", "own transport")

/** What can be pending, in the words of a program. */
private val PENDING: Map<String, suspend (Client, Signals) -> Unit> = mapOf(
    "call" to { client, _ -> client.callTool("hang", emptyMap()) },
    "progress" to { client, _ -> client.callTool("hang", emptyMap(), options = RequestOptions(onProgress = {})) },
    "question" to { client, _ -> client.callTool("greet", emptyMap()) },
    "raw" to { client, _ -> client.request(CustomRequest("acme/hang")) },
    "listen" to { client, signals ->
        client.session.listen(SubscriptionFilter(toolsListChanged = true)).collect { signals.begun.complete(Unit) }
    },
)

// What users may do to the boundary. The names are those of every language.
class BoundaryTest {
    @Test
    fun each_error_kind_crosses() {
        for (row in parse(errorNames()).array()) {
            val (name, _, local, kotlin) = row.array()
            val error = failure(name.text(), "as told")
            assertEquals(kotlin.text(), error.javaClass.simpleName, name.text())
            assertEquals(local.flag(), error.isLocal, name.text())
        }
        val told = mapOf("invalid_params" to -32602, "internal" to -32603, "method_not_found" to -32601, "peer" to -4321)
        together(usualServer(options = ServerOptions(WITH_EVERYTHING, errorDetail = ErrorDetail.Message))) { client ->
            for ((kind, code) in told) {
                val error = runCatching { client.callTool("raise", mapOf("kind" to kind, "code" to code)) }.exceptionOrNull() as McpException
                assertEquals(listOf(kind, code, "as told", "\"more\""), listOf(error.kind, error.code, error.message, error.data.toString()))
            }
        }
    }

    @Test
    fun a_panic_does_not_cross() {
        together(usualServer()) { client ->
            // What the engine refuses is an exception of ours, and the next call works.
            val error = runCatching { client.request(CustomRequest("", objectOf("x" to Double.NaN))) }.exceptionOrNull()
            assertInstanceOf(McpException::class.java, error)
            assertEquals("here", client.callTool("echo", mapOf("text" to "here")).words)
        }
    }

    @Test
    fun cancelling_a_hung_call_stops_it() {
        for (era in ERAS) {
            val signals = Signals()
            together(usualServer(signals), era) { client ->
                val call = launch { client.callTool("hang", emptyMap()) }
                soon { signals.begun.await() }
                soon { call.cancelAndJoin() }
                soon { signals.ended.await() }
                assertEquals("on", client.callTool("echo", mapOf("text" to "on")).words)
            }
        }
    }

    @Test
    fun dropping_while_pending_ends_everything() {
        for (era in ERAS) {
            val signals = Signals()
            val server = usualServer(signals)
            bounded {
                val client = connected(InMemoryTransport(server), era)
                val call = async(Dispatchers.Default) { runCatching { client.callTool("hang", emptyMap()) } }
                soon { signals.begun.await() }
                soon { server.close() }
                assertInstanceOf(McpClosedException::class.java, soon { call.await() }.exceptionOrNull())
                soon { signals.ended.await() }
                soon { client.session.awaitClose() }
            }
        }
    }

    @Test
    fun ten_thousand_concurrent_calls_are_answered() {
        val gate = CompletableDeferred<Unit>()
        val all = CompletableDeferred<Unit>()
        val running = AtomicInteger()
        val server = usualServer()
        server.addTool("hold", "Waits") {
            if (running.incrementAndGet() == MANY) all.complete(Unit)
            gate.await()
            text(it.arguments!!.need("n").toString())
        }
        together(server) { client ->
            val calls = List(MANY) { n -> async(Dispatchers.Default) { client.callTool("hold", mapOf("n" to n)).words } }
            all.await()
            val refused = runCatching { client.callTool("hold", mapOf("n" to MANY)) }.exceptionOrNull()
            assertInstanceOf(McpOverloadedException::class.java, refused)
            gate.complete(Unit)
            assertEquals(List(MANY) { "$it" }, calls.awaitAll())
        }
    }

    @TestFactory
    fun closing_ends_every_pending_thing(): List<DynamicTest> = WAYS.flatMap { way ->
        ERAS.flatMap { era ->
            PENDING.keys.filter { it != "listen" || era == MODERN }.flatMap { pending ->
                // Over HTTP a client comes back for the rest of a stream that was cut: of a question it waits on.
                ENDS.filter { it != "server.close" || way != "HTTP" || pending != "question" }
                    .map { end -> dynamicTest("$end, $way, $era, $pending") { bounded { ends(way, era, pending, end) } } }
            }
        }
    }

    private suspend fun CoroutineScope.ends(way: String, era: String, pending: String, end: String) {
        val signals = Signals()
        val server = usualServer(signals)
        server.setRequestHandler("acme/hang") {
            signals.begun.complete(Unit)
            awaitCancellation()
        }
        val transport = when (way) {
            "memory" -> InMemoryTransport(server)
            "HTTP" -> StreamableHttpClientTransport(server.serveHttp().url)
            else -> LinkedTransport.pair().let { (here, there) ->
                server.createSession(there)
                here
            }
        }
        val client = connected(transport, era) { client ->
            client.setElicitationHandler {
                signals.begun.complete(Unit)
                awaitCancellation()
            }
        }
        val call = async(Dispatchers.Default) { runCatching { PENDING.getValue(pending)(client, signals) } }
        soon { signals.begun.await() }
        soon { if (end == "client.close") client.close() else server.close() }
        val error = soon { call.await() }.exceptionOrNull()
        val right = when {
            end == "client.close" -> listOf("closed")
            // It never had a connection that could be closed.
            way == "HTTP" -> listOf("closed", "transport")
            // A server may end its stream of changes in good order.
            pending == "listen" -> listOf("closed", "over")
            else -> listOf("closed")
        }
        val kind = if (error == null) "over" else (error as? McpException)?.kind
        assertTrue(kind in right, "$error")
        client.close()
        server.close()
        soon { while (server.host.driver.open + client.session.driver.open > 0) yield() }
    }

    @Test
    fun a_program_that_gives_up_is_no_error_of_the_server() {
        together(usualServer()) { client ->
            val error = runCatching { client.callTool("hang", emptyMap(), options = RequestOptions(timeout = kotlin.time.Duration.parse("50ms"))) }.exceptionOrNull()
            assertInstanceOf(McpTimeoutException::class.java, error)
            val call = async { client.callTool("hang", emptyMap()) }
            call.cancel()
            assertInstanceOf(CancellationException::class.java, runCatching { call.await() }.exceptionOrNull())
        }
    }

    @Test
    fun nothing_is_left_behind() {
        val rounds = if (System.getenv("MCPBOLT_TEST_FULL") == null) 10_000 else 100_000
        val server = usualServer()
        bounded(120 + LOOKS * rounds / 100) {
            val client = connected(InMemoryTransport(server))
            suspend fun calls(count: Int) = coroutineScope {
                repeat(WIDE) { launch(Dispatchers.Default) { repeat(count / WIDE) { client.callTool("echo", mapOf("text" to "x")) } } }
            }
            calls(10_000)
            val (before, after) = stays { calls(rounds) }
            // What earlier tests let go of may be closed meanwhile.
            assertTrue(after[1] <= before[1], "descriptors: ${before[1]}, then ${after[1]}")
            assertTrue(after[2] <= before[2], "threads: ${before[2]}, then ${after[2]}")
            assertEquals(0 to 0, server.host.driver.open to client.session.driver.open)
            assertTrue(after[0] - before[0] < GROWTH, "resident KB: ${before[0]}, then ${after[0]}")
            client.close()
            server.close()
        }
    }

    @Test
    fun a_server_that_is_closed_before_its_client_leaves_nothing() = bounded(240) {
        suspend fun rounds(count: Int) = repeat(count) {
            val server = usualServer()
            val client = connected(InMemoryTransport(server))
            soon { server.close() }
            soon { client.session.awaitClose() }
            client.close()
        }
        rounds(CLOSED)
        val (before, after) = stays { rounds(CLOSED) }
        assertTrue(after[0] - before[0] < GROWTH, "resident KB: ${before[0]}, then ${after[0]}")
    }

    /** The weight before and after something, which is done again while it grows: the JVM's own room does so now and then. */
    private suspend fun stays(body: suspend () -> Unit): Pair<List<Int>, List<Int>> {
        System.gc()
        var before = weight()
        var after = before
        repeat(LOOKS) { look ->
            if (look > 0 && after[0] - before[0] < GROWTH) return@repeat
            before = after
            body()
            System.gc()
            after = weight()
        }
        println("    resident KB ${before[0]}, then ${after[0]}; descriptors ${after[1]}; threads ${before[2]}, then ${after[2]}")
        return before to after
    }

    /** Resident KB, descriptors, threads. The JVM's heap is resident from the start: check.sh has it touched. */
    private fun weight(): List<Int> {
        val status = File("/proc/self/status").takeIf { it.exists() }?.readLines() ?: return listOf(0, 0, 0)
        val number = { name: String -> status.first { it.startsWith(name) }.filter(Char::isDigit).toInt() }
        return listOf(number("VmRSS"), File("/proc/self/fd").list()!!.size, number("Threads"))
    }

    private companion object {
        const val GROWTH = 8 * 1024
        const val LOOKS = 3
        const val CLOSED = 1000
        const val WIDE = 16
    }
}
