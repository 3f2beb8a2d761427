package dev.mcpbolt

import dev.mcpbolt.engine.telemetryDecision
import kotlinx.coroutines.CancellationException
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.booleanOrNull
import java.util.concurrent.ConcurrentHashMap

// Requests and sessions as telemetry sees them. Owns: when each begins and ends, and that it is recorded
// once. Must not know: names and attributes, which the engine knows; what records them; handlers.

private fun decide(name: String, vararg given: Pair<String, Any?>): JsonObject = decided { telemetryDecision(name, objectOf(*given).toString()) }.obj()

private fun JsonObject.texts(): Map<String, String> = mapValues { it.value.text() }

/** The histograms of one side. */
private class Histograms(json: JsonObject) {
    val operation = histogram(json.need("operation").obj())
    val session = histogram(json.need("session").obj())

    private fun histogram(json: JsonObject) = DurationHistogram(
        json.need("name").text(),
        json.need("description").text(),
        json.need("unit").text(),
        json.need("bounds").list { it.primitive().content.toDouble() },
    )
}

private val HISTOGRAMS by lazy { decide("histograms") }
private val OF_SERVERS by lazy { Histograms(HISTOGRAMS.need("server").obj()) }
private val OF_CLIENTS by lazy { Histograms(HISTOGRAMS.need("client").obj()) }

/** The members of `_meta` that carry trace context. */
private val CARRIED = listOf("traceparent", "tracestate", "baggage")

/**
 * Tells a program's telemetry of the requests and sessions of one server, or of one client's connection.
 *
 * @param isServer whose sessions they are. Both sides send and handle requests.
 * @param declared methods of extensions that the program declared.
 * @param failed is told what the program's telemetry throws.
 */
internal class Observer(private val telemetry: Telemetry, isServer: Boolean, private val declared: Set<String>, private val failed: (String) -> Unit) {
    private val ofSessions by lazy { if (isServer) OF_SERVERS.session else OF_CLIENTS.session }
    private val sessions = ConcurrentHashMap<ULong, Session>()

    private class Session(val revision: String?) {
        val since: Long = System.nanoTime()
    }

    /** Handles a request of the peer, of which [known] is what the engine knows. */
    suspend fun handling(method: String, params: JsonObject?, known: JsonObject, answer: suspend () -> JsonObject): JsonObject {
        val request = requestOf(method, params, known.tag("revision"), known.find("id")?.primitive()?.content)
        val operation = quietly { Operation(SpanDescription.Kind.Handled, request, params) } ?: return answer()
        return operation.during(::failureHere) { operation.inside { answer() } }
    }

    /**
     * Sends a request: [send] gets the params with the context of its span in `_meta`, and what to call with
     * the id under which they are sent.
     */
    suspend fun sending(method: String, params: JsonObject?, revision: String?, send: suspend (JsonObject?, (String) -> Unit) -> JsonObject): JsonObject {
        val request = requestOf(method, params, revision, null)
        val operation = quietly { Operation(SpanDescription.Kind.Sent, request, params) } ?: return send(params) {}
        return operation.during(::failureThere) {
            val carrying = quietly { operation.carrying(params) } ?: params
            operation.inside { send(carrying) { id -> quietly { operation.span.add(decide("sent", "id" to id).texts()) } } }
        }
    }

    fun sessionBegan(connection: ULong, revision: String?) {
        sessions.putIfAbsent(connection, Session(revision))
    }

    /** A session is over, if one had begun. [error] is the kind of the error that ended it; one side's closing it is none. */
    fun sessionEnded(connection: ULong, error: String? = null) {
        val session = sessions.remove(connection) ?: return
        quietly {
            val failure = error?.takeUnless { it == "closed" }?.let { objectOf("type" to it) }
            val attributes = decide("session", "revision" to session.revision, "failure" to failure).texts()
            telemetry.record(MeasuredDuration(ofSessions, secondsSince(session.since), attributes))
        }
    }

    /** All sessions are over. */
    fun ended(): Unit = sessions.keys.forEach { sessionEnded(it) }

    private fun requestOf(method: String, params: JsonObject?, revision: String?, id: String?) = objectOf(
        "method" to method,
        "declared" to (method in declared),
        "name" to params?.word("name"),
        "uri" to params?.word("uri"),
        "id" to id,
        "revision" to revision,
    )

    /** One request from its beginning to its end. */
    private inner class Operation(private val kind: SpanDescription.Kind, private val request: JsonObject, params: JsonObject?) {
        private val since = System.nanoTime()
        private val isToolCall = request.tag("method") == Method.Defined.ToolsCall.value
        val span: TelemetrySpan

        init {
            val began = decide("began", "request" to request)
            val meta = params?.get("_meta") as? JsonObject
            val context = CARRIED.mapNotNull { name -> meta?.word(name)?.let { name to it } }.toMap()
            span = telemetry.begin(SpanDescription(began.need("name").text(), kind, began.need("attributes").obj().texts(), context))
        }

        /** The params with the span's context; unchanged if the program gave its own, or there is none. */
        fun carrying(params: JsonObject?): JsonObject? {
            val meta = params?.get("_meta") as? JsonObject ?: EmptyJsonObject
            if ("traceparent" in meta) return params
            val context = span.context.filterKeys { it in CARRIED }
            if (context.isEmpty()) return params
            return JsonObject(params.orEmpty() + ("_meta" to JsonObject(meta + context.mapValues { JsonPrimitive(it.value) })))
        }

        /** Does the request's work once, with the span as the current one, if that can be. */
        @Suppress("TooGenericExceptionCaught")
        suspend fun inside(work: suspend () -> JsonObject): JsonObject {
            var outcome: Result<JsonObject>? = null
            try {
                span.run {
                    if (outcome == null) outcome = runCatching { work() }
                    outcome?.getOrThrow()
                }
            } catch (thrown: Exception) {
                if (isOver(thrown)) throw thrown
                // The error of the work comes back through the span.
                if (outcome?.isFailure != true) failed("telemetry failed: ${thrown.stackTraceToString()}")
            }
            return (outcome ?: runCatching { work() }).getOrThrow()
        }

        @Suppress("TooGenericExceptionCaught")
        suspend fun during(failure: suspend (Throwable) -> JsonObject?, work: suspend () -> JsonObject): JsonObject {
            val result = try {
                work()
            } catch (thrown: Throwable) {
                end(failure(thrown))
                throw thrown
            }
            end(EmptyJsonObject.takeIf { isToolCall && (result["isError"] as? JsonPrimitive)?.booleanOrNull == true })
            return result
        }

        private fun end(failure: JsonObject?) {
            quietly {
                val ended = decide("ended", "request" to request, "failure" to failure)
                val histogram = (if (kind == SpanDescription.Kind.Handled) OF_SERVERS else OF_CLIENTS).operation
                val duration = MeasuredDuration(histogram, secondsSince(since), ended.need("duration").obj().texts())
                span.end(failure?.let { ended.need("span").obj().texts() }, duration)
            }
        }
    }

    /** Runs code of the program's telemetry, which is no reason to fail a request. */
    @Suppress("TooGenericExceptionCaught")
    private fun <T> quietly(body: () -> T): T? = try {
        body()
    } catch (thrown: Exception) {
        failed("telemetry failed: ${thrown.stackTraceToString()}")
        null
    }
}

private fun secondsSince(nanos: Long): Double = (System.nanoTime() - nanos) / 1e9

/** A member that is text; a peer may have sent anything. */
private fun JsonObject.word(name: String): String? = (get(name) as? JsonPrimitive)?.takeIf { it.isString }?.content

/** How a request of the peer failed whose handler threw this; `null` if that is no failure. */
private suspend fun failureHere(thrown: Throwable): JsonObject? = when {
    isOver(thrown) -> CANCELLED
    thrown is Questions -> null
    else -> {
        val code = answerTo(thrown)["code"]
        // What was not meant for the peer is named by its class, as the program threw it.
        val own = if (thrown is McpException) thrown.cause?.takeIf { thrown.code == INTERNAL } else thrown
        objectOf("type" to own?.let(::className), "code" to code)
    }
}

/** How a request of this side failed that ended with this. */
private fun failureThere(thrown: Throwable): JsonObject = when (thrown) {
    is CancellationException -> CANCELLED
    is McpException -> if (thrown.isLocal) objectOf("type" to thrown.kind) else objectOf("code" to thrown.code)
    else -> objectOf("type" to className(thrown))
}

private val CANCELLED = objectOf("type" to "cancelled")

private fun className(thrown: Throwable): String = thrown.javaClass.canonicalName ?: thrown.javaClass.name
