package dev.mcpbolt

import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import java.security.SecureRandom

// Guard rails as functions of the program: access, audit, outgoing and incoming results. Owns: what
// the functions receive, and how their answers reach the engine, which calls them, waits for them
// and enforces what they return. Must not know: handlers.

/** The decision about an [Action]. */
public sealed interface Verdict {
    public object Allow : Verdict

    /** Answers as if the item did not exist: unknown, and in no list. */
    public object Hide : Verdict

    /** The item is listed but refused; the client gets the reason. */
    public class Deny(public val reason: String) : Verdict
}

/**
 * Something a client wants to do, or an entry of a list it wants to see.
 *
 * @property verb `call`, `read`, `get`, `complete`, `subscribe` or `list`.
 * @property thing `tool`, `resource`, `template` or `prompt`.
 * @property name the name, or the URI of a resource.
 */
public class Action internal constructor(public val verb: String, public val thing: String, public val name: String)

/** The client that wants to do something. */
public class Asker internal constructor(private val json: JsonObject) {
    /** Identifies the connection or session within this process. */
    public val sessionId: String get() = json.need("connection").primitive().content

    /** How the client is connected: `stdio`, `memory`, `http`… */
    public val transport: String get() = json.need("transport").text()

    /** The client's address and port, if the engine has the socket. */
    public val peer: String? get() = json.find("peer")?.text()

    /** The authenticated user, if credentials were checked. */
    public val principal: String? get() = json.find("principal")?.text()

    /** What the client calls itself. It is not verified. */
    public val clientVersion: Implementation? get() = json.find("clientInfo")?.let { Implementation.of(it.obj()) }

    /** The protocol revision that the client speaks. */
    public val revision: String get() = json.need("revision").text()

    /** The first HTTP header with this name, in any case; `null` on other transports. */
    public fun header(name: String): String? =
        json.find("headers")?.array()?.map { it.array() }?.firstOrNull { it[0].text().equals(name, true) }?.get(1)?.text()
}

/** The destination of audit records. */
public sealed interface Audit {
    /** Appends records to a file, as JSON lines. */
    public class File(public val path: String) : Audit

    /**
     * Calls a function with one record after the other. Records it is too slow for are lost; it is
     * told how many: `{"lost": n}`.
     */
    public class Each(public val take: suspend (record: JsonObject) -> Unit) : Audit
}

/** What clients are told about exceptions that are neither an [McpException] nor a [ToolException]. */
public enum class ErrorDetail {
    /** "internal error" and an id, under which [Server.onError] gets the details. */
    Masked,

    /** The message of the exception. */
    Message,
}

/** The guard rails of one server. If a function throws, the action is refused. */
internal class Guarding(private val options: ServerOptions, private val failed: (String) -> Unit) {
    private val audit = options.audit
    private val line = Mutex()

    /** The engine's options, with those that make it call the functions. */
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

    /** The message that a client gets instead of an exception's own, which is logged under the same id. */
    fun words(thrown: Throwable, where: String): String {
        val words = "internal error (id %016x)".format(RANDOM.nextLong())
        failed("$words in $where: ${thrown.stackTraceToString()}")
        return words
    }

    /** The error that a call ends with: one meant for the client is kept, any other is replaced by an id. */
    fun covered(thrown: Throwable, method: String): Throwable = when {
        !masked || thrown is CancellationException || thrown is Questions || thrown is ShapeException -> thrown
        // Programs act on a reason.
        thrown is McpException && (thrown.kind !in INSIDE || (thrown.data as? JsonObject)?.get("reason") != null) -> thrown
        else -> McpException(INTERNAL, words(thrown, method))
    }

    private companion object {
        val RANDOM = SecureRandom()
        val INSIDE = setOf("internal", "transport", "protocol", "store", "usage", "unauthorized", "forbidden")
    }
}

/** Validates a result of the server with the client's guard rail. */
internal suspend fun judged(options: ClientOptions, result: JsonObject, failed: (String) -> Unit): JsonElement =
    told("result.validate", failed) {
        JsonPrimitive(options.validateResult!!(result.need("method").text(), result.find("name")?.text(), result.need("result").obj()))
    }

/** Reports what a function throws; the engine then refuses. */
@Suppress("TooGenericExceptionCaught")
private inline fun told(service: String, failed: (String) -> Unit, body: () -> JsonElement): JsonElement = try {
    body()
} catch (over: CancellationException) {
    throw over
} catch (thrown: Throwable) {
    failed("$service failed: ${thrown.stackTraceToString()}")
    throw thrown
}
