package dev.mcpbolt

import dev.mcpbolt.engine.EngineFailure
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.isActive
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject

// Errors on their way to the engine and back. Owns: the form in which they cross the boundary, and
// that the program learns of what its guard rails threw. Must not know: who throws them.

/** Reads a failure in the form in which it crosses the boundary. */
internal fun failureOf(json: JsonObject): McpException =
    failure(json.need("kind").text(), json.need("message").text(), json.need("code").int(), json["data"])

/** Calls the engine and converts its errors to exceptions of this package. */
internal inline fun <T> refused(body: () -> T): T = try {
    body()
} catch (thrown: EngineFailure.Refused) {
    throw failure(thrown.kind, thrown.text, thrown.code.toInt(), thrown.data?.let(::parse))
}

/** A decision of the engine, as JSON. Throws as [refused] does. */
internal inline fun decided(decide: () -> String): JsonElement = parse(refused(decide))

/**
 * Whether it ends this coroutine. What a function of the program waits for may be cancelled as well, or take
 * longer than the function gives it: then the function has failed like any other.
 */
internal suspend fun isOver(thrown: Throwable): Boolean = thrown is CancellationException && !currentCoroutineContext().isActive

/** The error that a call ends with after its handler threw. */
internal fun answerTo(thrown: Throwable): JsonObject = when (thrown) {
    is ShapeException -> objectOf("kind" to "invalid_params", "code" to INVALID_PARAMS, "message" to thrown.message)
    is McpException ->
        objectOf("kind" to if (thrown.isLocal || thrown.kind == "resource_not_found") thrown.kind else "", "code" to thrown.code, "message" to thrown.message, "data" to thrown.data)
    else -> objectOf("kind" to "internal", "code" to INTERNAL, "message" to (thrown.message ?: thrown.javaClass.simpleName))
}

/** Reports what a function throws; the engine then refuses. */
@Suppress("TooGenericExceptionCaught")
internal suspend inline fun told(service: String, failed: (String) -> Unit, body: () -> JsonElement): JsonElement = try {
    body()
} catch (thrown: Throwable) {
    if (!isOver(thrown)) failed("$service failed: ${thrown.stackTraceToString()}")
    throw thrown
}
