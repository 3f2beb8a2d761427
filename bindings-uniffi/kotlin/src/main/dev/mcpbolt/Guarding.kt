package dev.mcpbolt

import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import java.security.SecureRandom

// Guard rails that a program writes: who may do what, the audit, what leaves, what arrives.
// Owns: what the functions are given, and how their answers go back to the engine, which asks
// them, waits for them and does what they say. Must not know: handlers.

/** What becomes of an [Action]. */
public sealed interface Verdict {
    public object Allow : Verdict

    /** As if the thing did not exist: unknown, and in no list. */
    public object Hide : Verdict

    /** Listed, and refused; the client reads the reason. */
    public class Deny(public val reason: String) : Verdict
}

/**
 * Something that a client wants to do, or an entry of a list that it wants to see.
 *
 * @property verb `call`, `read`, `get`, `complete`, `subscribe` or `list`.
 * @property thing `tool`, `resource`, `template` or `prompt`.
 * @property name its name, or its URI.
 */
public class Action internal constructor(public val verb: String, public val thing: String, public val name: String)

/** Who wants to do something. */
public class Asker internal constructor(private val json: JsonObject) {
    /** Names the connection or session within this process. */
    public val sessionId: String get() = json.need("connection").primitive().content

    /** How it came: `stdio`, `memory`, `http`… */
    public val transport: String get() = json.need("transport").text()

    /** Address and port, where the engine has the socket. */
    public val peer: String? get() = json.find("peer")?.text()

    /** Who it is, where credentials were checked. */
    public val principal: String? get() = json.find("principal")?.text()

    /** Who the client says it is. Anybody can say anything. */
    public val clientVersion: Implementation? get() = json.find("clientInfo")?.let { Implementation.of(it.obj()) }

    /** The revision of the protocol it speaks. */
    public val revision: String get() = json.need("revision").text()

    /** The first header of a name, in any case; over HTTP. */
    public fun header(name: String): String? =
        json.find("headers")?.array()?.map { it.array() }?.firstOrNull { it[0].text().equals(name, true) }?.get(1)?.text()
}

/** Where records of requests go. */
public sealed interface Audit {
    /** To a file, as lines of JSON. */
    public class File(public val path: String) : Audit

    /** To a function, one after the other. What it is too slow for is lost, and it is told how many: `{"lost": n}`. */
    public class Each(public val take: suspend (record: JsonObject) -> Unit) : Audit
}

/** What clients learn of exceptions that nobody wrote for them: those that are no [McpException] or [ToolException]. */
public enum class ErrorDetail {
    /** "internal error" and an id, under which [Server.onError] has the rest. */
    Masked,

    /** The message of the exception. */
    Message,
}

/** The functions of one server. What throws lets nothing through. */
internal class Guarding(private val options: ServerOptions, private val failed: (String) -> Unit) {
    private val audit = options.audit
    private val line = Mutex()

    /** The engine's options, with those that make it ask. */
    val engine: JsonObject = JsonObject(
        objectOf(
            "error_detail" to options.errorDetail.name.lowercase(),
            "authorize" to options.authorize?.let { true },
            "sanitize_result" to options.sanitizeResult?.let { true },
        ) + options.engine + objectOf("audit" to audit?.let { (options.engine["audit"] as? JsonObject).orEmpty() + records(it) }),
    )
    val masked: Boolean = engine.tag("error_detail") == "masked"

    private fun records(audit: Audit): JsonObject = when (audit) {
        is Audit.File -> objectOf("path" to audit.path)
        is Audit.Each -> objectOf("service" to true)
    }

    suspend fun serve(service: String, payload: JsonObject): JsonElement = told(service, failed) {
        when (service) {
            "server.authorize" -> toJson(verdicts(payload))
            "result.sanitize" -> payload.let { options.sanitizeResult!!(it.need("method").text(), it.find("name")?.text(), it.need("result").obj()) }
            "audit.record" -> line.withLock { (audit as Audit.Each).take(payload) }.let { JsonNull }
            else -> throw failure("store", "there is no service $service")
        }
    }

    private suspend fun verdicts(payload: JsonObject): List<Any> {
        val asker = Asker(payload.need("asker").obj())
        return payload.need("actions").array().map { it.obj() }.map {
            val action = Action(it.need("verb").text(), it.need("thing").text(), it.need("name").text())
            when (val verdict = options.authorize!!(asker, action)) {
                Verdict.Allow -> "allow"
                Verdict.Hide -> "hide"
                is Verdict.Deny -> mapOf("deny" to verdict.reason)
            }
        }
    }

    /** What a client is told instead of an exception's words; the log has them, under the same id. */
    fun words(thrown: Throwable, where: String): String {
        val words = "internal error (id %016x)".format(RANDOM.nextLong())
        failed("$words in $where: ${thrown.stackTraceToString()}")
        return words
    }

    /** What a call ends with: what was written for the client as it is, what tells of the inside under an id. */
    fun covered(thrown: Throwable, method: String): Throwable = when {
        !masked || thrown is CancellationException || thrown is Questions || thrown is ShapeException -> thrown
        // A reason is a word that programs act on.
        thrown is McpException && (thrown.kind !in INSIDE || (thrown.data as? JsonObject)?.get("reason") != null) -> thrown
        else -> McpException(INTERNAL, words(thrown, method))
    }

    private companion object {
        val RANDOM = SecureRandom()
        val INSIDE = setOf("internal", "transport", "protocol", "store", "usage", "unauthorized", "forbidden")
    }
}

/** Answers what the engine asks of a client. */
internal suspend fun judged(options: ClientOptions, result: JsonObject, failed: (String) -> Unit): JsonElement =
    told("result.validate", failed) {
        JsonPrimitive(options.validateResult!!(result.need("method").text(), result.find("name")?.text(), result.need("result").obj()))
    }

/** Tells of what a function throws; the engine refuses then. */
@Suppress("TooGenericExceptionCaught")
private inline fun told(service: String, failed: (String) -> Unit, body: () -> JsonElement): JsonElement = try {
    body()
} catch (over: CancellationException) {
    throw over
} catch (thrown: Throwable) {
    failed("$service failed: ${thrown.stackTraceToString()}")
    throw thrown
}
