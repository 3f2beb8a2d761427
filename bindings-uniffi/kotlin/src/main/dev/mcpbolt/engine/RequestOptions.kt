package dev.mcpbolt

import kotlinx.serialization.json.JsonObject
import kotlin.time.Duration

// What a program may choose for one request, on either side. Must not know: who sends it.

/**
 * Options of one request.
 *
 * @property timeout how long to wait; progress restarts it. `null`: the client's default.
 * @property onProgress called with progress reports, in the coroutine that sends the request.
 * @property engine further options of the engine, by their names there: `repeatable`, `input`…
 * @property max how long to wait in all, whatever progress says; not less than the timeout. `null`: the
 * client's default.
 * @property resetOnProgress whether progress restarts the timeout. Default: yes.
 * @property logLevel the least level of the log messages that the request may cause (2026-07-28). `null`:
 * none are asked for.
 * @property headers headers that go with the request of a client over HTTP; those of the protocol stay as
 * they are.
 * @property fresh whether the server is asked although a kept result is still good. Default: no.
 */
@Suppress("LongParameterList")
public class RequestOptions(
    public val timeout: Duration? = null,
    public val onProgress: (suspend (ProgressNotificationParams) -> Unit)? = null,
    public val engine: JsonObject = EmptyJsonObject,
    public val max: Duration? = null,
    public val resetOnProgress: Boolean = true,
    public val logLevel: LoggingLevel? = null,
    public val headers: Map<String, String> = emptyMap(),
    public val fresh: Boolean = false,
) {
    internal val plan: JsonObject?
        get() = JsonObject(
            engine + objectOf(
                "timeout" to timeout?.forEngine(),
                "max" to max?.forEngine(),
                "reset_on_progress" to false.takeIf { !resetOnProgress },
                "progress" to (onProgress != null).takeIf { it },
                "log_level" to logLevel,
                "headers" to headers.map { listOf(it.key, it.value) }.ifEmpty { null },
                "fresh" to fresh.takeIf { it },
            ),
        ).takeIf { it.isNotEmpty() }

    internal val report: (suspend (JsonObject) -> Unit)?
        get() = onProgress?.let { take -> { take(ProgressNotificationParams.of(it)) } }

    /** The same with one more option of the engine. */
    internal fun with(name: String, value: Any): RequestOptions =
        RequestOptions(timeout, onProgress, JsonObject(engine + objectOf(name to value)), max, resetOnProgress, logLevel, headers, fresh)
}
