package dev.mcpbolt

import kotlinx.serialization.json.JsonObject
import kotlin.time.Duration

// What a program may choose for one request, on either side. Must not know: who sends it.

/**
 * Options of one request.
 *
 * @property timeout how long to wait; progress restarts it. `null`: the client's default.
 * @property onProgress called with progress reports, in the coroutine that sends the request.
 * @property engine further options of the engine: `max`, `reset_on_progress`, `log_level`, `fresh`…
 */
public class RequestOptions(
    public val timeout: Duration? = null,
    public val onProgress: (suspend (ProgressNotificationParams) -> Unit)? = null,
    public val engine: JsonObject = EmptyJsonObject,
) {
    internal val plan: JsonObject?
        get() = JsonObject(
            engine + objectOf("timeout" to timeout?.inWholeMilliseconds?.div(1000.0), "progress" to (onProgress != null).takeIf { it }),
        ).takeIf { it.isNotEmpty() }

    internal val report: (suspend (JsonObject) -> Unit)?
        get() = onProgress?.let { take -> { take(ProgressNotificationParams.of(it)) } }
}
