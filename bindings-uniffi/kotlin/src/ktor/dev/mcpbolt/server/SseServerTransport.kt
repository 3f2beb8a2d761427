package dev.mcpbolt

import io.ktor.http.ContentType
import io.ktor.http.HttpStatusCode
import io.ktor.http.encodeURLQueryComponent
import io.ktor.server.application.ApplicationCall
import io.ktor.server.request.contentLength
import io.ktor.server.request.contentType
import io.ktor.server.request.receiveChannel
import io.ktor.server.response.respondText
import io.ktor.server.sse.ServerSSESession
import io.ktor.sse.ServerSentEvent
import io.ktor.utils.io.readRemaining
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.launch
import kotlinx.io.readByteArray
import java.util.UUID
import java.util.concurrent.atomic.AtomicBoolean

// HTTP+SSE on a stream that the program has opened. Owns: the events of that stream, and the bodies of the
// messages that are posted. Must not know: what is in a message.

/**
 * Carries one session over HTTP+SSE (2024-11-05) on a stream of Ktor's, for programs that keep their
 * sessions themselves; [io.ktor.server.application.Application.mcp] keeps them by itself. Deprecated by
 * the protocol.
 *
 *     sse("/sse") {
 *         val transport = SseServerTransport("/message", this)
 *         transports[transport.sessionId] = transport
 *         server.createSession(transport).awaitClose()
 *     }
 *     post("/message") { transports.getValue(call.queryParameters["sessionId"]!!).handlePostMessage(call) }
 *
 * It ends with the stream. That a client has left is noticed at once where
 * [io.ktor.server.http.HttpRequestLifecycle] cancels its call, and otherwise when something is sent to it.
 *
 * @param endpoint the path that messages are posted to; the session's id is added.
 * @param maxRequestBodySize the largest body that is taken, in bytes; larger ones get 413. Default: 4 MiB.
 */
public class SseServerTransport(
    private val endpoint: String,
    private val session: ServerSSESession,
    private val maxRequestBodySize: Long = 4L * 1024 * 1024,
) : AbstractTransport() {
    private val over = AtomicBoolean()

    /** The id by which posted messages name this session. */
    public val sessionId: String = UUID.randomUUID().toString()

    override suspend fun start() {
        // However the stream ends, the session does.
        session.launch {
            try {
                awaitCancellation()
            } finally {
                finish()
            }
        }
        session.send(ServerSentEvent(event = "endpoint", data = "$endpoint${if ('?' in endpoint) '&' else '?'}sessionId=${sessionId.encodeURLQueryComponent()}"))
    }

    override suspend fun send(message: JSONRPCMessage, options: TransportSendOptions?): Unit =
        session.send(ServerSentEvent(event = "message", data = message.text))

    /** Takes a message that was posted, and answers the call: 202, or why it is not taken. */
    public suspend fun handlePostMessage(call: ApplicationCall) {
        val length = call.request.contentLength()
        val refused = when {
            over.get() -> HttpStatusCode.NotFound to "the session is closed"
            !call.request.contentType().match(ContentType.Application.Json) -> HttpStatusCode.UnsupportedMediaType to "a message is application/json"
            length != null && length > maxRequestBodySize -> HttpStatusCode.PayloadTooLarge to tooLarge
            else -> null
        }
        if (refused != null) return call.refuse(refused.first, refused.second)
        val body = call.receiveChannel().readRemaining(maxRequestBodySize + 1).readByteArray()
        if (body.size > maxRequestBodySize) return call.refuse(HttpStatusCode.PayloadTooLarge, tooLarge)
        call.respondText("Accepted", status = HttpStatusCode.Accepted)
        handleMessage(body.decodeToString())
    }

    /** Takes a message, as text. */
    public suspend fun handleMessage(message: String): Unit = received(JSONRPCMessage(message))

    override suspend fun close() {
        session.close()
        finish()
    }

    private val tooLarge get() = "the body is larger than $maxRequestBodySize bytes"

    private fun finish() {
        if (over.compareAndSet(false, true)) ended()
    }
}
