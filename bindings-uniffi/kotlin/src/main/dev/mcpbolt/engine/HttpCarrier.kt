package dev.mcpbolt

import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.launch
import kotlinx.serialization.json.JsonObject

// Requests of a client's engine that an HTTP client of the program's carries. Owns: the way of a request
// to that client, and of what comes back, as it comes. Must not know: sessions, streams, what is in a body.

/**
 * An HTTP client of the program's, in the place of the engine's own: for the platform's certificates,
 * proxies and connections, or for a library's plugins. It is given to a transport:
 *
 *     class OkHttpCarrier(private val http: OkHttpClient) : HttpCarrier {
 *         override suspend fun carry(request: CarriedRequest, answer: CarriedAnswer): Unit = coroutineScope {
 *             val builder = Request.Builder().url(request.url)
 *             request.headers.forEach { (name, value) -> builder.addHeader(name, value) }
 *             val call = http.newCall(builder.method(request.method, request.body?.toRequestBody()).build())
 *             val watch = launch(start = CoroutineStart.UNDISPATCHED) { try { awaitCancellation() } finally { call.cancel() } }
 *             withContext(Dispatchers.IO) {
 *                 call.execute().use { response ->
 *                     answer.begin(response.code, response.headers.toList())
 *                     val body = response.body.source()
 *                     while (!body.exhausted()) answer.part(body.readByteArray(body.buffer.size))
 *                 }
 *             }
 *             watch.cancel()
 *         }
 *     }
 *
 *     client.connect(StreamableHttpClientTransport(url, carrier = OkHttpCarrier(http)))
 *
 * The engine decides what is asked, and when; it opens lost streams again, and ends requests that take
 * too long. So a carrier has no limit of its own for the time of a whole request, follows no redirect to
 * another origin, and asks for no coding of bodies that it does not undo. Requests of a sign-in ([OAuth])
 * to authorization servers are the engine's own.
 */
public interface HttpCarrier {
    /**
     * Sends a request, and hands over what comes back: the head at once, and each part of the body as it
     * arrives. Returns when the body is complete. Many requests run at the same time.
     *
     * The coroutine is cancelled when the rest of an answer is not wanted. Anything else that is thrown, such
     * as by a time-out of the carrier's own, means that the server cannot be reached or that the answer broke
     * off, and its message is the failure's.
     */
    public suspend fun carry(request: CarriedRequest, answer: CarriedAnswer)
}

/** A request that an [HttpCarrier] sends. */
public class CarriedRequest internal constructor(asked: JsonObject) {
    /** `GET`, `POST` or `DELETE`. */
    public val method: String = asked.need("method").text()

    /** Where it goes. */
    public val url: String = asked.need("url").text()

    /** All headers of the engine's, in order. One name may come several times. */
    public val headers: List<Pair<String, String>> = asked.need("headers").list { row -> row.array().let { it[0].text() to it[1].text() } }

    /** The body; `null` if there is none. */
    public val body: String? = asked.find("body")?.text()

    /** For messages: what else is in a URL may be a secret. */
    internal val origin: String
        get() = url.substringBefore("://") + "://" + url.substringAfter("://").takeWhile { it !in "/?#" }.substringAfterLast('@')
}

/** Where an [HttpCarrier] hands over what came back. */
public class CarriedAnswer internal constructor(private val driver: Driver, private val number: ULong) {
    @Volatile private var begun = false

    /**
     * The head of the answer, once and first.
     *
     * @param status the status, such as 200.
     * @param headers the headers as they came, but for those of a coding that the client has undone.
     * @throws IllegalStateException if it was called before.
     */
    public fun begin(status: Int, headers: List<Pair<String, String>>) {
        check(!begun) { "CarriedAnswer.begin was called before: an answer has one head" }
        val kept = headers.filter { (name, _) -> name.lowercase() !in CODING }.map { listOf(it.first, it.second) }
        complete(objectOf("result" to objectOf("status" to status, "headers" to kept, "more" to true)))
        begun = true
    }

    /**
     * A part of the body, of any size, after the head. It is not waited for until the engine has read it;
     * if more than the longest message that it takes (`max_message_bytes`) is unread, the request fails.
     *
     * @throws IllegalStateException if there was no head.
     */
    public fun part(bytes: ByteArray): Unit = pass(bytes, false)

    /** The body is complete. */
    internal fun end(): Unit = if (begun) pass(NOTHING, true) else broke("the HTTP client returned without an answer")

    /** No answer came, or not all of it. */
    internal fun broke(why: String) {
        if (begun) driver.inbox.httpDisconnect(number) else complete(objectOf("error" to objectOf("kind" to "transport", "code" to LOCAL, "message" to why)))
        begun = true
    }

    private fun pass(bytes: ByteArray, end: Boolean) {
        check(begun) { "CarriedAnswer.part was called before begin: the head comes first" }
        driver.inbox.httpBody(number, bytes, end)
    }

    /** At once, and not with other outcomes: the body may follow only what was handed over. */
    private fun complete(outcome: JsonObject) {
        refused { driver.inbox.complete("[" + JsonObject(objectOf("id" to number.toLong()) + outcome) + "]") }
    }

    private companion object {
        val NOTHING = ByteArray(0)
        val CODING = setOf("content-encoding", "content-length", "transfer-encoding")
        const val LOCAL = -32000
    }
}

/** The requests that are being carried on one connection. */
internal class Fetching(private val carrier: HttpCarrier, private val driver: Driver) {
    fun begin(number: ULong, asked: JsonObject) {
        val job = driver.scope.launch(start = CoroutineStart.LAZY) { carry(CarriedRequest(asked), CarriedAnswer(driver, number)) }
        // The engine says when it does not want the rest.
        driver.follow({ job.cancel() }) { number }
        job.invokeOnCompletion { driver.unfollow(number) }
        job.start()
    }

    private suspend fun carry(request: CarriedRequest, answer: CarriedAnswer) {
        try {
            carrier.carry(request, answer)
            answer.end()
        } catch (@Suppress("TooGenericExceptionCaught") failed: Throwable) {
            // A carrier may have time-outs of its own; only what ends this coroutine is a cancel.
            val over = isOver(failed)
            val words = (failed.message ?: failed.javaClass.simpleName).replace(request.url, request.origin)
            runCatching { answer.broke(if (over) "the request was cancelled" else "${request.origin} cannot be reached: $words") }
            if (over) throw failed
        }
    }
}
