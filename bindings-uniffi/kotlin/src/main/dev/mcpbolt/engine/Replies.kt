package dev.mcpbolt

import kotlinx.coroutines.channels.BufferOverflow
import kotlinx.coroutines.channels.Channel
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject

// What comes back for one request of this side. Owns: that a failure waits for no report before it. Must not
// know: who asked.

private const val MAX_REPORTS = 256

internal class Replies {
    private val queue = Channel<JsonArray>(MAX_REPORTS, BufferOverflow.DROP_OLDEST)

    /** Whether the request has failed: reports that are still here are left out. */
    @Volatile private var failed = false

    @Volatile private var answered = false

    /** Takes the next item. */
    fun put(item: JsonArray) {
        if (item[0].text() == "response") {
            answered = true
            failed = item[5] !is JsonNull
        }
        queue.trySend(item)
    }

    /** Nothing more comes, because of this. An answer that is here already still counts. */
    fun end(cause: Throwable) {
        if (!answered) failed = true
        queue.close(cause)
    }

    /** Waits for the result. */
    suspend fun result(onProgress: (suspend (JsonObject) -> Unit)?, sentAs: (String) -> Unit): JsonObject {
        while (true) {
            val item = queue.receive()
            when (item[0].text()) {
                "progress" -> if (!failed) onProgress?.invoke(item[2].obj())
                "sent" -> sentAs(item[2].text())
                else -> {
                    val failure = item[5]
                    if (failure !is JsonNull) throw failureOf(failure.obj())
                    return item[4].obj()
                }
            }
        }
    }
}
