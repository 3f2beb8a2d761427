package dev.mcpbolt

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import kotlinx.serialization.json.JsonPrimitive
import java.util.concurrent.ExecutionException
import java.util.concurrent.FutureTask
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException
import kotlin.concurrent.thread
import kotlin.time.Duration.Companion.seconds

// What tests have in common: a server with the usual tools, and a client of it.

internal val WITH_EVERYTHING = ServerCapabilities(
    tools = ServerCapabilities.Tools(listChanged = true),
    prompts = ServerCapabilities.Prompts(listChanged = true),
    resources = ServerCapabilities.Resources(subscribe = true, listChanged = true),
    logging = ServerCapabilities.Logging,
    completions = ServerCapabilities.Completions,
)

internal val ASKABLE = ClientCapabilities(
    sampling = ClientCapabilities.sampling,
    roots = ClientCapabilities.Roots(listChanged = true),
    elicitation = ElicitationCapability(form = EmptyJsonObject),
)

internal val ERAS = listOf("legacy", MODERN)

/** A server of a few lines: shakes hands, and ends when it is told `acme/end`. */
private const val SMALL_SERVER = """
while read -r line; do
  case "${'$'}line" in
    *acme/end*) exit 1 ;;
    *'"initialize"'*)
      id=${'$'}(printf '%s' "${'$'}line" | sed 's/.*"id": *\([0-9]*\).*/\1/')
      printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"small","version":"1"}}}\n' "${'$'}id" ;;
  esac
done"""

/** A client's way to a server that is a script. */
internal fun small(script: String = SMALL_SERVER, vararg options: Pair<String, Any?>) =
    StdioClientTransport("sh", listOf("-c", script), options = objectOf(*options))

/** Until no process that was started here is left. */
internal suspend fun noChildren() = soon { while (ProcessHandle.current().children().anyMatch { it.isAlive }) yield() }

/** Signals of a server's handlers. */
internal class Signals {
    val begun = CompletableDeferred<Unit>()
    val ended = CompletableDeferred<Unit>()
}

internal fun usualServer(signals: Signals = Signals(), options: ServerOptions = ServerOptions(WITH_EVERYTHING)): Server {
    val server = Server(Implementation("usual", "1"), options)
    server.addTool("echo", "Says it again", ToolSchema(objectOf("text" to objectOf("type" to "string")), listOf("text"))) {
        text(it.string("text"))
    }
    server.addTool("hang", "Never ends") {
        signals.begun.complete(Unit)
        try {
            awaitCancellation()
        } finally {
            signals.ended.complete(Unit)
        }
    }
    server.addTool("greet", "Asks who is there") {
        val answer = createElicitation("who?", FormSchema(mapOf("name" to StringSchema()), listOf("name")))
        text("${answer.action} ${answer.content?.tag("name")}")
    }
    server.addTool("raise", "Fails as it is told") {
        throw failure(it.string("kind"), "as told", it.arguments!!.need("code").int(), JsonPrimitive("more"))
    }
    return server
}

/** What it fails with is meant, and in no log. */
internal fun Server.quiet(): Server = apply { onError = { _, _ -> } }

/** Runs a body on a thread of its own. If that does not end, not even by being cancelled, the test fails and says where all are. */
internal fun <T> bounded(seconds: Int = 60, body: suspend CoroutineScope.() -> T): T {
    val task = FutureTask { runBlocking { withTimeout(seconds.seconds, body) } }
    thread(isDaemon = true, name = "test") { task.run() }
    try {
        return task.get(seconds + GRACE, TimeUnit.SECONDS)
    } catch (failed: ExecutionException) {
        throw failed.cause!!
    } catch (late: TimeoutException) {
        val stacks = Thread.getAllStackTraces().map { (thread, stack) -> "${thread.name}\n" + stack.joinToString("") { "    $it\n" } }
        throw AssertionError("it hangs\n${stacks.joinToString("")}", late)
    }
}

private const val GRACE = 15L

/** Runs a body where programs close what they have: in a coroutine that was cancelled. */
internal suspend fun CoroutineScope.cancelledAndThen(body: suspend () -> Unit) {
    val job = launch(start = CoroutineStart.UNDISPATCHED) {
        try {
            awaitCancellation()
        } finally {
            body()
        }
    }
    soon { job.cancelAndJoin() }
}

internal suspend fun <T> soon(body: suspend () -> T): T = withTimeout(LIMIT) { body() }

private fun client(protocol: String, prepare: (Client) -> Unit) = Client(Implementation("test", "1"), ClientOptions(ASKABLE, protocol = ProtocolPolicy(protocol))).also(prepare)

internal suspend fun connected(transport: Transport, protocol: String = "legacy", prepare: (Client) -> Unit = {}): Client =
    client(protocol, prepare).also { it.connect(transport) }

internal val CallToolResult.words: String get() = (content.single() as TextContent).text

internal fun together(server: Server, protocol: String = "legacy", prepare: (Client) -> Unit = {}, body: suspend CoroutineScope.(Client) -> Unit): Unit =
    together(server, client(protocol, prepare), body)

/** Connects a client with a server, in memory, runs a body, and ends both. */
internal fun together(server: Server, client: Client, body: suspend CoroutineScope.(Client) -> Unit): Unit = bounded {
    client.connect(InMemoryTransport(server))
    try {
        body(client)
    } finally {
        client.close()
        server.close()
    }
}
