package dev.mcpbolt

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.withContext
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Test
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlin.coroutines.CoroutineContext

/** A job of the program's that its handlers belong to. */
class JobsTest {
    private fun client(context: CoroutineContext, era: String, vararg engine: Pair<String, Any?>) = Client(
        Implementation("test", "1"),
        ClientOptions(ASKABLE, protocol = ProtocolPolicy(era), handlerCoroutineContext = context, engine = objectOf(*engine)),
    )

    @Test
    fun `a job that is cancelled ends the handlers of a server, and later calls are refused`() {
        for (era in ERAS) {
            val (signals, job) = Signals() to Job()
            val server = usualServer(signals, ServerOptions(WITH_EVERYTHING, handlerCoroutineContext = job))
            server.setNotificationHandler<Notification>("acme/n") { CompletableDeferred() }
            together(server, era) { client ->
                client.notification(CustomNotification("acme/n"))
                val call = async { runCatching { client.callTool("hang", emptyMap()) } }
                soon { signals.begun.await() }
                job.cancel()
                soon { signals.ended.await() }
                assertInstanceOf(McpPeerException::class.java, soon { call.await() }.exceptionOrNull())
                client.notification(CustomNotification("acme/n"))
                val later = runCatching { soon { client.callTool("echo", mapOf("text" to "a")) } }
                assertInstanceOf(McpPeerException::class.java, later.exceptionOrNull())
                // What needs no handler goes on.
                assertEquals(4, client.listTools().tools.size)
            }
            bounded { soon { job.join() } }
        }
    }

    @Test
    fun `a job that is cancelled ends the handlers of a client, and its calls go on`() {
        for (era in ERAS) {
            val job = Job()
            val client = client(job, era)
            val asked = CompletableDeferred<Unit>()
            client.setElicitationHandler {
                asked.complete(Unit)
                awaitCancellation()
            }
            together(usualServer().quiet(), client) {
                val call = async { runCatching { client.callTool("greet", emptyMap()) } }
                soon { asked.await() }
                job.cancel()
                // However the server takes it, it hears that nobody answers.
                soon { call.await() }
                soon { runCatching { client.callTool("greet", emptyMap()) } }
                assertEquals("on", soon { client.callTool("echo", mapOf("text" to "on")).words })
            }
        }
    }

    @Test
    fun `handlers that are confined to no thread are called, and hold up nobody`() {
        for (era in ERAS) {
            val server = usualServer(options = ServerOptions(WITH_EVERYTHING, handlerCoroutineContext = Dispatchers.Unconfined))
            val (blocks, go) = CountDownLatch(1) to CountDownLatch(1)
            server.addTool("block", "Blocks its thread") {
                blocks.countDown()
                text("${go.await(1, TimeUnit.MINUTES)}")
            }
            val client = client(Dispatchers.Unconfined, era)
            client.setElicitationHandler { ElicitResult(ElicitAction.Accept, objectOf("name" to "Ann")) }
            together(server, client) {
                val blocked = async { client.callTool("block", emptyMap()).words }
                soon { withContext(Dispatchers.IO) { blocks.await() } }
                assertEquals("a", soon { client.callTool("echo", mapOf("text" to "a")).words }, era)
                assertEquals("accept Ann", soon { client.callTool("greet", emptyMap()).words }, era)
                go.countDown()
                assertEquals("true", soon { blocked.await() }, era)
            }
        }
    }

    @Test
    fun `a job completes when all that has it is closed`() = bounded {
        val job = Job()
        val server = usualServer(options = ServerOptions(WITH_EVERYTHING, handlerCoroutineContext = job))
        val client = client(job, MODERN)
        client.connect(InMemoryTransport(server))
        client.callTool("echo", mapOf("text" to "a"))
        // What could not be made has nothing to close.
        assertInstanceOf(McpUsageException::class.java, runCatching { client(job, MODERN, "loud" to true).connect(InMemoryTransport(server)) }.exceptionOrNull())
        val wrong = usualServer(options = ServerOptions(WITH_EVERYTHING, handlerCoroutineContext = job, engine = objectOf("loud" to true)))
        assertInstanceOf(McpUsageException::class.java, runCatching { wrong.createSession(LinkedTransport.pair().first) }.exceptionOrNull())
        client.close()
        server.close()
        job.complete()
        soon { job.join() }
    }
}
