package dev.mcpbolt

import io.ktor.server.routing.RoutingCall
import io.ktor.server.sse.ServerSSESession
import io.ktor.sse.ServerSentEvent
import kotlin.coroutines.CoroutineContext

// What the block of `mcp` is given. Must not know: the stream, which the engine writes.

/** What a program may know of a session over HTTP+SSE before it has a server. */
internal class BeforeTheStream(override val call: RoutingCall) : ServerSSESession {
    override val coroutineContext: CoroutineContext get() = call.coroutineContext

    override suspend fun send(event: ServerSentEvent): Unit = throw failure("usage", REFUSED)

    override suspend fun close(): Unit = throw failure("usage", REFUSED)

    private companion object {
        const val REFUSED = "the engine writes the stream of this session: tell its client something by the Server, such as with sendLoggingMessage"
    }
}
