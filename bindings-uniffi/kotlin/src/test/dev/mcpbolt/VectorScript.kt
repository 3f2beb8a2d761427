package dev.mcpbolt

import dev.mcpbolt.engine.advance
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.withTimeoutOrNull
import kotlinx.coroutines.yield
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import java.io.File
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration.Companion.seconds

// Scripts of tests/vectors/binding: steps, patterns, the envelope. The format is described
// beside the scripts. Must not know: how the tested side is made.

internal const val MODERN = "2026-07-28"
internal val LIMIT = 5.seconds
private const val META = "io.modelcontextprotocol/"
private val PEER = objectOf("name" to "peer", "version" to "1")
private val SERVER_PEER = parse("""{"tools":{"listChanged":true},"prompts":{},"resources":{"subscribe":true},"logging":{},"completions":{}}""")
private val CLIENT_PEER = parse("""{"elicitation":{"form":{}},"sampling":{},"roots":{"listChanged":true}}""")
private val ABSENT = JsonPrimitive("\$absent")

/** A vector does not hold. */
internal class Fault(message: String) : AssertionError(message)

internal fun root(): File = generateSequence(File("").absoluteFile) { it.parentFile }.first { File(it, "tests/vectors").isDirectory }

internal fun vectors(side: String): List<JsonObject> =
    File(root(), "tests/vectors/binding").listFiles { file -> file.extension == "json" }!!.sorted()
        .flatMap { parse(it.readText()).obj().need("vectors").array() }
        .map { it.obj() }
        .filter { it.tag("side") == side }

internal fun revisions(vector: JsonObject): List<String> =
    vector["revisions"]?.list { it.text() } ?: listOf("2025-11-25", MODERN)

/** Values that a script has bound, and what matches them. */
private class Names {
    private val bound = LinkedHashMap<String, JsonElement>()

    fun fill(value: JsonElement): JsonElement = when (value) {
        is JsonObject -> JsonObject(value.filterValues { it != ABSENT }.mapValues { fill(it.value) })
        is JsonArray -> JsonArray(value.map(::fill))
        is JsonPrimitive ->
            if (value.isString && value.content.startsWith("\$get:")) {
                bound[value.content.drop(5)] ?: throw Fault("nothing is bound to ${value.content.drop(5)}")
            } else {
                value
            }
    }

    fun matches(pattern: JsonElement, value: JsonElement): Boolean = when (pattern) {
        is JsonObject -> value is JsonObject && pattern.all { (name, part) ->
            if (part == ABSENT) name !in value else value[name]?.let { matches(part, it) } ?: false
        }
        is JsonArray -> value is JsonArray && pattern.size == value.size && pattern.zip(value).all { (one, other) -> matches(one, other) }
        is JsonPrimitive -> if (pattern.isString && pattern.content.startsWith("\$")) special(pattern.content, value) else pattern == value
    }

    private fun special(pattern: String, value: JsonElement): Boolean {
        val rest = pattern.substringAfter(':', "")
        return when (pattern.substringBefore(':')) {
            "\$let" -> true.also { bound[rest] = value }
            "\$get" -> matches(fill(JsonPrimitive(pattern)), value)
            "\$contains" -> value is JsonPrimitive && value.isString && rest in value.content
            else -> pattern == "\$any"
        }
    }

    /** A message with names where bound values were, so that two runs compare. */
    fun hide(text: String): String = bound.entries.fold(text) { all, (name, value) -> all.replace(value.toString(), "\"\$$name\"") }
}

/** What was sent and noted and nobody has named yet. */
internal class Desk {
    val sent = mutableListOf<JsonElement>()
    val noted = mutableListOf<JsonObject>()
    val reading = MutableStateFlow(true)
    val running = AtomicInteger()
    private val moved = Channel<Unit>(Channel.CONFLATED)

    fun note(vararg members: Pair<String, Any?>) {
        synchronized(this) { noted += objectOf(*members) }
        moved.trySend(Unit)
    }

    suspend fun take(message: JsonElement) {
        reading.first { it }
        synchronized(this) { sent += message }
        moved.trySend(Unit)
    }

    /** Counts a handler. */
    suspend fun <T> during(body: suspend () -> T): T {
        running.incrementAndGet()
        try {
            return body()
        } finally {
            running.decrementAndGet()
            moved.trySend(Unit)
        }
    }

    suspend fun until(what: () -> String, ready: () -> Boolean) {
        withTimeoutOrNull(LIMIT) {
            while (!synchronized(this@Desk, ready)) moved.receive()
            true
        } ?: throw Fault("${what()}; sent $sent, noted $noted")
    }

    /** Until nothing moves. */
    suspend fun rest(drivers: () -> List<Driver>) {
        val state = { synchronized(this) { sent.size to noted.size } }
        withTimeoutOrNull(LIMIT) {
            var calm = 0
            while (calm < CALM) {
                val before = state()
                repeat(20) { yield() }
                val still = drivers().all { it.inbox.settle(LOOK) && (it.isIdle || !reading.value) }
                calm = if (still && before == state()) calm + 1 else 0
            }
            true
        } ?: throw Fault("it does not come to rest")
    }

    private companion object {
        const val CALM = 5

        /** Seconds that a thread is blocked for at once. */
        const val LOOK = 0.2
    }
}

/** What is tested, with the program of the scripts on it. */
internal interface Side {
    fun drivers(): List<Driver>

    suspend fun start(desk: Desk, vector: JsonObject, revision: String)

    suspend fun take(text: String)

    suspend fun act(action: String, given: JsonElement, whole: JsonObject)

    suspend fun disconnect()

    suspend fun stop()
}

/** The script's end of a connection. */
internal class ScriptTransport(private val desk: Desk) : AbstractTransport() {
    override suspend fun start() = Unit

    override suspend fun send(message: JSONRPCMessage, options: TransportSendOptions?) = desk.take(message.json)

    override suspend fun close() = ended()

    suspend fun say(text: String) = received(JSONRPCMessage(text))
}

/** One vector for one revision. */
internal class Run(private val side: Side, private val vector: JsonObject, private val revision: String) {
    private val desk = Desk()
    private val names = Names()
    private val told = mutableListOf<JsonElement>()
    private val serving = vector.tag("side") == "server"
    private val peer = vector["peer"] ?: if (serving) CLIENT_PEER else SERVER_PEER

    /** The messages it sent, as texts that compare. */
    suspend fun run(): List<String> {
        side.start(desk, vector, revision)
        try {
            if (vector["open"]?.flag() != false) open()
            for ((number, step) in vector.need("steps").array().withIndex()) {
                try {
                    step(step.obj())
                } catch (fault: Fault) {
                    throw Fault("step ${number + 1}, ${step.toString().take(160)}: ${fault.message}")
                }
            }
            end()
        } finally {
            desk.reading.value = true
            side.stop()
        }
        return told.map { names.hide(it.toString()) }
    }

    private suspend fun open() {
        if (serving) {
            if (revision >= MODERN) return
            val params = objectOf("protocolVersion" to revision, "capabilities" to peer, "clientInfo" to PEER)
            recv(objectOf("id" to "open", "method" to "initialize", "params" to params))
            send(parse("""{"id":"open","result":"${'$'}any"}"""))
            recv(objectOf("method" to "notifications/initialized"))
            return
        }
        side.act("open", JsonPrimitive(true), EmptyJsonObject)
        if (revision < MODERN) {
            send(parse("""{"id":"${'$'}let:open","method":"initialize"}"""))
            val result = objectOf("protocolVersion" to revision, "capabilities" to peer, "serverInfo" to PEER)
            recv(objectOf("id" to "\$get:open", "result" to result))
            send(parse("""{"method":"notifications/initialized"}"""))
        } else {
            send(parse("""{"id":"${'$'}let:open","method":"server/discover"}"""))
            val result = objectOf(
                "resultType" to "complete", "supportedVersions" to listOf(revision), "capabilities" to peer, "ttlMs" to 0, "cacheScope" to "private",
            )
            recv(objectOf("id" to "\$get:open", "result" to result))
        }
        event(objectOf("answered" to "open"))
    }

    private suspend fun step(step: JsonObject) {
        val (kind, given) = step.entries.first { it.key != "times" }
        when (kind) {
            "recv" -> recv(given)
            "send" -> repeat(step["times"]?.int() ?: 1) { send(given) }
            "event" -> event(given.obj())
            "advance" -> advance(given.double())
            "reading" -> desk.reading.value = given.flag()
            "disconnect" -> side.disconnect()
            "do" -> {
                nothingLeft("an action")
                val (action, what) = given.obj().entries.first()
                side.act(action, what, names.fill(given).obj())
            }
            "quiet" -> {
                desk.rest(side::drivers)
                nothingLeft("quiet")
                if (desk.noted.isNotEmpty()) throw Fault("noted ${desk.noted}")
            }
            else -> throw Fault("an unknown step")
        }
    }

    private fun nothingLeft(what: String) {
        val left = synchronized(desk) { desk.sent.toList() }
        if (left.isNotEmpty()) throw Fault("$what while a message waits that nobody named: $left")
    }

    private suspend fun recv(message: JsonElement) {
        nothingLeft("an input")
        if (message is JsonPrimitive && !message.content.startsWith("\$get:")) return side.take(message.content)
        val filled = names.fill(message)
        side.take((if (filled is JsonArray) JsonArray(filled.map { envelope(it.obj()) }) else envelope(filled.obj())).toString())
    }

    private fun envelope(part: JsonObject): JsonObject {
        val message = JsonObject(objectOf("jsonrpc" to "2.0") + part)
        val method = message.tag("method")
        if (!serving || revision < MODERN || method == null) return message
        if ("id" !in message && method != "notifications/cancelled") return message
        val own = objectOf("${META}protocolVersion" to revision, "${META}clientInfo" to PEER, "${META}clientCapabilities" to peer)
        val params = message["params"]?.obj() ?: EmptyJsonObject
        val meta = JsonObject(own + (params["_meta"]?.obj() ?: EmptyJsonObject))
        return JsonObject(message + ("params" to JsonObject(params + ("_meta" to meta))))
    }

    private suspend fun send(pattern: JsonElement) {
        val messages = if (pattern is JsonArray) pattern.size else 1
        desk.until({ "nothing was sent, expected $pattern" }) { desk.sent.isNotEmpty() && (desk.sent[0] is JsonArray || desk.sent.size >= messages) }
        val message = synchronized(desk) { desk.sent.removeAt(0) }
        if (!names.matches(pattern, message)) throw Fault("sent $message")
        told += message
    }

    private suspend fun event(pattern: JsonObject) {
        var found: JsonObject? = null
        desk.until({ "it was not noted" }) {
            found = desk.noted.firstOrNull { names.matches(pattern, it) }
            found != null
        }
        synchronized(desk) { desk.noted.remove(found) }
    }

    private suspend fun end() {
        side.disconnect()
        desk.until({ "handlers are running after the end" }) { desk.running.get() == 0 }
        desk.rest(side::drivers)
        nothingLeft("the end")
        val left = synchronized(desk) { desk.noted.filter { "closed" !in it } }
        if (left.isNotEmpty()) throw Fault("noted and not named: $left")
    }
}
