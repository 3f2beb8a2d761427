package dev.mcpbolt

import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import java.security.SecureRandom

// Guard rails carried out: access, audit, outgoing results, errors. Owns: how the answers of a
// program's functions reach the engine, which calls them, waits for them and enforces what they
// return. Must not know: handlers.

/** The guard rails of one server. If a function throws, the action is refused. */
internal class Guarding(private val options: ServerOptions, private val failed: (String) -> Unit, more: JsonObject = EmptyJsonObject) {
    private val audit = options.audit
    private val line = Mutex()

    /** The engine's options, with those that make it call the functions. */
    val engine: JsonObject = JsonObject(
        objectOf(
            "error_detail" to options.errorDetail.name.lowercase(),
            "authorize" to options.authorize?.let { true },
            "sanitize_result" to options.sanitizeResult?.let { true },
            "page_size" to options.pageSize,
            "timeout" to options.timeout?.takeIf { it.isFinite() }?.forEngine(),
            "max_concurrency" to options.maxConcurrency,
            "rate_limit" to options.rateLimits.map { it.json }.ifEmpty { null },
        ) + more + options.engine + objectOf("audit" to audit?.let { (options.engine["audit"] as? JsonObject).orEmpty() + records(it) }),
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
            "audit.record" -> line.withLock { record(audit as Audit.Each, payload) }.let { JsonNull }
            else -> throw failure("store", "there is no service $service")
        }
    }

    private suspend fun record(audit: Audit.Each, payload: JsonObject) {
        val lost = payload.find("lost")?.long() ?: return audit.take(AuditRecord(Members(payload)))
        audit.lost?.invoke(lost) ?: failed("audit: $lost records were lost: its function is too slow for them")
    }

    private suspend fun verdicts(payload: JsonObject): List<Any> {
        val asker = Asker(payload.need("asker").obj())
        return payload.need("actions").array().map { it.obj() }.map {
            val action = Action(Action.Verb(it.need("verb").text()), Action.Thing(it.need("thing").text()), it.need("name").text())
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
        !masked || thrown is Questions || thrown is ShapeException -> thrown
        // Programs act on a reason.
        thrown is McpException && (thrown.kind !in INSIDE || (thrown.data as? JsonObject)?.get("reason") != null) -> thrown
        else -> McpException(INTERNAL, words(thrown, method), cause = thrown)
    }

    private companion object {
        val RANDOM = SecureRandom()
        val INSIDE = setOf("internal", "transport", "protocol", "store", "usage", "unauthorized", "forbidden")
    }
}
