package dev.mcpbolt

import dev.mcpbolt.engine.EngineMount
import kotlinx.coroutines.channels.Channel
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import java.util.Base64

// A server's endpoint in a web server of the program's, and the exchanges on it. Owns: the order of what
// the engine answers. Must not know: which web server it is; what is in a body.

/** An endpoint in a web server of the program's. */
internal class HttpMount(private val engine: EngineMount, private val driver: Driver) {
    @Volatile private var over = false

    /** How many sessions are open that began with `initialize`. */
    val sessions: Int get() = if (over) 0 else engine.sessions().toInt()

    /**
     * Begins an exchange; it has to be [HttpExchange.leave]d.
     *
     * @param head `method`, `target`, `headers`, `peer` and `principal`.
     * @param body the whole body; `null` if it follows with [HttpExchange.send].
     */
    fun begin(head: JsonObject, body: ByteArray?): HttpExchange {
        if (over) throw failure("closed", "the endpoint is closed")
        return HttpExchange(driver).also { it.begin(engine, head, body) }
    }

    /** Ends all sessions, and gives up on what runs. */
    fun close() {
        if (over) return
        over = true
        engine.drain()
        engine.shutdown()
    }
}

/** The head of an answer; [body] is all of it, or `null` if parts follow. */
internal class HttpHead(val status: Int, val headers: List<Pair<String, String>>, val body: ByteArray?)

/** One exchange on a socket of the program's. */
internal class HttpExchange(private val driver: Driver) {
    /** What the engine said. It says the next part once the last one is sent, so there are few. */
    private val items = Channel<JsonArray>(Channel.UNLIMITED)
    private var number = 0uL
    private var first: JsonArray? = null
    private var sending = false
    private var over = false

    fun begin(mount: EngineMount, head: JsonObject, body: ByteArray?) {
        number = driver.follow({ if (it == null) items.close() else items.trySend(it) }) {
            val begun = parse(mount.request(head.toString(), body, 0uL)).array()
            begun[1].array().forEach { items.trySend(it.array()) }
            begun.number(0)
        }
    }

    /** Hands over a part of the body, the last one with [end]. */
    fun send(bytes: ByteArray, end: Boolean): Unit = take(driver.inbox.httpBody(number, bytes, end))

    /** The head of the answer, when it is there. */
    suspend fun head(): HttpHead {
        while (true) {
            val item = next()
            if (item[0].text() != "http_head") {
                // Threads may overtake each other here.
                first = item
                continue
            }
            over = item[5].flag()
            val headers = item[3].list { row -> row.array().let { it[0].text() to it[1].text() } }
            return HttpHead(item[2].int(), headers, if (over) bytes(item[4]) else null)
        }
    }

    /** The next part of the answer, when the one before is sent; `null` at the end. */
    suspend fun part(): ByteArray? {
        if (over) return null
        if (sending) take(driver.inbox.httpSent(number))
        val item = first ?: next()
        first = null
        over = item[3].flag()
        sending = !over
        return bytes(item[2]).takeUnless { over && it.isEmpty() }
    }

    /** It is over, or its client has left. */
    fun leave() {
        if (!over) driver.inbox.httpDisconnect(number)
        over = true
        driver.unfollow(number)
    }

    private suspend fun next(): JsonArray {
        val item = items.receiveCatching().getOrNull()
        if (item == null || item[0].text() == "http_closed") throw failure("closed", "the server was closed")
        return item
    }

    private fun take(said: String) {
        parse(said).array().forEach { items.trySend(it.array()) }
    }

    private fun bytes(part: JsonElement): ByteArray =
        if (part is JsonObject) Base64.getDecoder().decode(part.need("base64").text()) else part.text().encodeToByteArray()
}
