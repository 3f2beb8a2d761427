package dev.mcpbolt

import dev.mcpbolt.engine.errorNames
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.io.File
import java.util.concurrent.atomic.AtomicInteger

private const val MANY = 10_000

// What users may do to the boundary. The names are those of every language.
class BoundaryTest {
    @Test
    fun `each error kind crosses`() {
        for (row in parse(errorNames()).array()) {
            val (name, _, local, kotlin) = row.array()
            val error = failure(name.text(), "as told")
            assertEquals(kotlin.text(), error.javaClass.simpleName, name.text())
            assertEquals(local.flag(), error.isLocal, name.text())
        }
        val told = mapOf("invalid_params" to -32602, "internal" to -32603, "method_not_found" to -32601, "peer" to -4321)
        together(usualServer()) { client ->
            for ((kind, code) in told) {
                val error = runCatching { client.callTool("raise", mapOf("kind" to kind, "code" to code)) }.exceptionOrNull() as McpException
                assertEquals(listOf(kind, code, "as told", "\"more\""), listOf(error.kind, error.code, error.message, error.data.toString()))
            }
        }
    }

    @Test
    fun `a panic does not cross`() {
        together(usualServer()) { client ->
            // What the engine refuses is an exception of ours, and the next call works.
            val error = runCatching { client.request(CustomRequest("", objectOf("x" to Double.NaN))) }.exceptionOrNull()
            assertInstanceOf(McpException::class.java, error)
            assertEquals("here", client.callTool("echo", mapOf("text" to "here")).words)
        }
    }

    @Test
    fun `cancelling a hung call stops it`() {
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
    fun `dropping while pending ends everything`() {
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
    fun `ten thousand concurrent calls are answered`() {
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

    @Test
    fun `closing ends every pending thing`() {
        for (way in listOf("client.close", "server.close")) for (era in ERAS) for (pending in listOf("request", "elicit", "listen")) {
            if (pending == "listen" && era == "legacy") continue
            bounded {
                val signals = Signals()
                val server = usualServer(signals)
                val client = connected(InMemoryTransport(server), era) { client ->
                    client.setElicitationHandler {
                        signals.begun.complete(Unit)
                        awaitCancellation()
                    }
                }
                val call = async(Dispatchers.Default) {
                    runCatching {
                        when (pending) {
                            "request" -> client.callTool("hang", emptyMap())
                            "elicit" -> client.callTool("greet", emptyMap())
                            else -> client.session.listen(SubscriptionFilter(toolsListChanged = true)).collect { signals.begun.complete(Unit) }
                        }
                    }
                }
                soon { signals.begun.await() }
                soon { if (way == "client.close") client.close() else server.close() }
                val ended = soon { call.await() }.exceptionOrNull()
                println("    $way, $era, $pending: ${(ended as? McpException)?.kind ?: ended}")
                assertTrue(ended is McpClosedException || (pending == "listen" && ended == null), "$way $era $pending: $ended")
                client.close()
                server.close()
            }
        }
    }

    @Test
    fun `a program that gives up is no error of the server`() {
        together(usualServer()) { client ->
            val error = runCatching { client.callTool("hang", emptyMap(), options = RequestOptions(timeout = kotlin.time.Duration.parse("50ms"))) }.exceptionOrNull()
            assertInstanceOf(McpTimeoutException::class.java, error)
            val call = async { client.callTool("hang", emptyMap()) }
            call.cancel()
            assertInstanceOf(CancellationException::class.java, runCatching { call.await() }.exceptionOrNull())
        }
    }

    @Test
    fun `nothing is left behind`() {
        val rounds = if (System.getenv("MCPBOLT_TEST_FULL") == null) 10_000 else 100_000
        val server = usualServer()
        together(server) { client ->
            suspend fun calls(count: Int) = repeat(count) { client.callTool("echo", mapOf("text" to "x")) }
            calls(rounds / 10)
            val before = open()
            calls(rounds)
            System.gc()
            val after = open()
            assertEquals(before.drop(1), after.drop(1))
            assertEquals(0 to 0, server.host.driver.open to client.session.driver.open)
            assertTrue(after[0] - before[0] < 64 * 1024, "resident KB before and after: ${before[0]}, ${after[0]}")
        }
    }

    /** Resident KB, descriptors; the JVM's own heap moves, so its growth is bounded loosely. */
    private fun open(): List<Int> {
        val status = File("/proc/self/status").takeIf { it.exists() } ?: return listOf(0, 0)
        val resident = status.readLines().first { it.startsWith("VmRSS") }
        return listOf(resident.filter(Char::isDigit).toInt(), File("/proc/self/fd").list()!!.size)
    }
}
