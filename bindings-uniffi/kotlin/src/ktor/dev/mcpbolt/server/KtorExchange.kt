package dev.mcpbolt

import io.ktor.http.ContentType
import io.ktor.http.Headers
import io.ktor.http.HttpHeaders
import io.ktor.http.HttpMethod
import io.ktor.http.HttpStatusCode
import io.ktor.http.content.OutgoingContent
import io.ktor.http.headers
import io.ktor.server.application.ApplicationCall
import io.ktor.server.plugins.origin
import io.ktor.server.request.contentLength
import io.ktor.server.request.httpMethod
import io.ktor.server.request.queryString
import io.ktor.server.request.receiveChannel
import io.ktor.server.response.respond
import io.ktor.server.response.respondText
import io.ktor.util.flattenEntries
import io.ktor.utils.io.ByteReadChannel
import io.ktor.utils.io.ByteWriteChannel
import io.ktor.utils.io.discard
import io.ktor.utils.io.readAvailable
import io.ktor.utils.io.writeFully
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.withTimeoutOrNull
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlin.time.Duration.Companion.seconds

// One call of Ktor's, answered by the engine. Owns: head and body in, head and parts out, as they come.
// Must not know: whose server answers, sessions.

/** A body is larger than the endpoint takes. */
private class BodyTooLarge(most: Long) : Exception("the body is larger than $most bytes")

/** Answers a request that no server is to see. */
internal suspend fun ApplicationCall.refuse(status: HttpStatusCode, words: String) {
    val error = objectOf("jsonrpc" to "2.0", "error" to objectOf("code" to REFUSED, "message" to words))
    respondText(JsonObject(error + ("id" to JsonNull)).toString(), ContentType.Application.Json, status)
}

private const val REFUSED = -32000

internal class KtorExchange(private val call: ApplicationCall, private val terms: Terms, private val principal: String?) {
    /**
     * Carries the call through a mount, until all is said or its client has left.
     *
     * @param seen called with the status of the answer and the session that it names, if any.
     */
    suspend fun carry(mount: HttpMount, seen: (status: Int, session: String?) -> Unit) {
        try {
            val whole = whole()
            val exchange = mount.begin(head(), whole)
            try {
                if (whole == null) coroutineScope { uploading(exchange) { answer(exchange, seen) } } else answer(exchange, seen)
            } finally {
                exchange.leave()
            }
        } catch (large: BodyTooLarge) {
            if (!call.response.isCommitted) call.refuse(HttpStatusCode.PayloadTooLarge, large.message.orEmpty())
            // A client that is still writing has not read the answer.
            withTimeoutOrNull(LINGER) { call.receiveChannel().discard() }
        }
    }

    // The request

    private fun head(): JsonObject {
        val path = if (terms.kind != Terms.Kind.Events) Terms.PATH else if (call.request.httpMethod == HttpMethod.Get) Terms.EVENTS else Terms.MESSAGES
        val query = call.request.queryString()
        return objectOf(
            "method" to call.request.httpMethod.value,
            "target" to if (query.isEmpty()) path else "$path?$query",
            "headers" to call.request.headers.flattenEntries().map { (name, value) -> listOf(name, value) },
            "peer" to peer(),
            "principal" to principal,
        )
    }

    /** The address of the client, where the web server tells a number. */
    private fun peer(): String? {
        val from = call.request.origin
        val address = from.remoteAddress
        return when {
            NUMBERS.matches(address) -> "$address:${from.remotePort}"
            SIX.matches(address) -> "[$address]:${from.remotePort}"
            else -> null
        }
    }

    /** A small body; `null` if it comes in parts. */
    private suspend fun whole(): ByteArray? {
        val length = call.request.contentLength()
        val most = terms.mostBody
        if (most != null && length != null && length > most) throw BodyTooLarge(most)
        if (length == null) return if (call.request.headers[HttpHeaders.TransferEncoding] == null) ByteArray(0) else null
        if (length > WHOLE) return null
        val body = ByteArray(length.toInt())
        val channel = call.receiveChannel()
        var filled = 0
        while (filled < body.size) {
            val count = channel.readAvailable(body, filled, body.size - filled)
            if (count < 0) break
            filled += count
        }
        return if (filled == body.size) body else body.copyOf(filled)
    }

    /** Hands over the body while the answer may come already. */
    private suspend fun uploading(exchange: HttpExchange, answer: suspend () -> Unit): Unit = coroutineScope {
        val upload = launch { upload(exchange, call.receiveChannel()) }
        answer()
        // An answer may come before the end of a body that is too large; its client still writes.
        withTimeoutOrNull(LINGER) { upload.join() }
        upload.cancel()
    }

    private suspend fun upload(exchange: HttpExchange, body: ByteReadChannel) {
        val part = ByteArray(PART)
        var all = 0L
        while (true) {
            val count = body.readAvailable(part, 0, part.size)
            if (count < 0) break
            all += count
            terms.mostBody?.let { if (all > it) throw BodyTooLarge(it) }
            exchange.send(part.copyOf(count), false)
        }
        exchange.send(ByteArray(0), true)
    }

    // The answer

    private suspend fun answer(exchange: HttpExchange, seen: (status: Int, session: String?) -> Unit) {
        val head = exchange.head()
        val named = head.headers.firstOrNull { it.first.equals(SESSION, ignoreCase = true) }?.second
        if (terms.kind != Terms.Kind.Events) seen(head.status, named)
        val whole = head.body
        call.respond(if (whole != null) Whole(head, whole) else Parts(head, exchange) { if (terms.kind == Terms.Kind.Events) beginning(it, head.status, seen) else it })
    }

    /** The first event of HTTP+SSE says where messages go: here that is the same path, wherever the route is. */
    private fun beginning(part: ByteArray, status: Int, seen: (status: Int, session: String?) -> Unit): ByteArray {
        val text = part.decodeToString()
        seen(status, PLACE.find(text)?.groupValues?.get(1) ?: return part)
        return text.replaceFirst(Terms.MESSAGES, "").encodeToByteArray()
    }

    private class Whole(head: HttpHead, private val body: ByteArray) : OutgoingContent.ByteArrayContent() {
        private val kept = Kept(head)
        override val status: HttpStatusCode = kept.status
        override val contentType: ContentType? = kept.type
        override val headers: Headers = kept.headers
        override val contentLength: Long get() = body.size.toLong()

        override fun bytes(): ByteArray = body
    }

    /** Each part is sent before the engine is asked for the next. */
    private class Parts(head: HttpHead, private val exchange: HttpExchange, private val first: (ByteArray) -> ByteArray) : OutgoingContent.WriteChannelContent() {
        private val kept = Kept(head)
        override val status: HttpStatusCode = kept.status
        override val contentType: ContentType? = kept.type
        override val headers: Headers = kept.headers

        override suspend fun writeTo(channel: ByteWriteChannel) {
            // The head is waited for, even if nothing is said yet.
            channel.flush()
            var part = exchange.part()?.let(first)
            while (part != null) {
                channel.writeFully(part)
                channel.flush()
                part = exchange.part()
            }
        }
    }

    /** A head, as Ktor has it. It writes itself how long a body is. */
    private class Kept(head: HttpHead) {
        val status = HttpStatusCode.fromValue(head.status)
        val type = head.headers.firstOrNull { it.first.equals(HttpHeaders.ContentType, ignoreCase = true) }?.let { ContentType.parse(it.second) }
        val headers = headers {
            for ((name, value) in head.headers) if (name.lowercase() !in OWN) append(name, value)
        }
    }

    private companion object {
        const val SESSION = "mcp-session-id"

        /** Largest body that is handed over whole, in bytes. */
        const val WHOLE = 1L shl 20
        const val PART = 1 shl 16

        /** How long the rest of a body is read that is not wanted. */
        val LINGER = 5.seconds
        val OWN = setOf("content-type", "content-length", "transfer-encoding", "connection")
        val NUMBERS = Regex("[0-9]{1,3}(\\.[0-9]{1,3}){3}")
        val SIX = Regex("[0-9a-fA-F]*:[0-9a-fA-F:.]+")
        val PLACE = Regex(Regex.escape(Terms.MESSAGES) + "\\?sessionId=(\\S+)")
    }
}
