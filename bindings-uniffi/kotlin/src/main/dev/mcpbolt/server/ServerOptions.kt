package dev.mcpbolt

import kotlinx.coroutines.Dispatchers
import kotlinx.serialization.json.JsonObject
import kotlin.coroutines.CoroutineContext
import kotlin.time.Duration

// What a program chooses for a server. Must not know: what is done with it.

/** Where a server keeps tasks. */
public sealed class Stores {
    internal abstract val text: String

    /** In memory: they end with the process. */
    public object Memory : Stores() {
        override val text: String get() = "memory"
    }

    /**
     * In a file, which outlasts the process; one process has it at a time. Not in the library for phones.
     *
     * @property path where the file is; it is made if it is not there.
     */
    public class File(public val path: String) : Stores() {
        override val text: String get() = "file:$path"
    }
}

/**
 * How often something may be asked for. More is refused with the time to wait, as a
 * [RateLimitedException]; calls of tools get it in a result with `isError`.
 *
 * @property methods which methods count, together.
 * @property per whose requests count together.
 * @property rate how many a second, in the long run.
 * @property burst how many at once.
 */
public class RateLimit(public val methods: List<Method>, public val per: Per, public val rate: Double, public val burst: Int) {
    internal val json: JsonObject get() = objectOf("methods" to methods, "per" to per.word, "rate" to rate, "burst" to burst)

    /** Whose requests count together. */
    public enum class Per(internal val word: String) {
        /** Those of all clients. */
        All("server"),

        /** Those of a session. */
        Session("session"),

        /** Those of a user, or of an address where nobody is known. */
        Principal("principal"),

        /** Those for one tool. */
        Tool("tool"),
    }
}

/**
 * What a server declares, and where its handlers run.
 *
 * @property enforceStrictCapabilities of no effect: a client is never asked for what it did not declare.
 * @property handlerCoroutineContext where handlers run. The default, [Dispatchers.Default], suits handlers
 * that suspend; those that block belong on [Dispatchers.IO]. In place of [Dispatchers.Unconfined] the
 * default is used. A `Job` in it ends all of them: once it is
 * cancelled, calls are refused, and it completes after the server is closed. Functions for guard rails,
 * tokens and events are asked until that close. Each call has a coroutine of its own, which is cancelled
 * when its client gives up.
 * @property engine further options of the engine, by the names of docs/reference/limits.md.
 * @property authorize decides what each client may do and see; called for calls, and for every
 * entry of a list.
 * @property audit receives a record of each request, without its arguments.
 * @property sanitizeResult returns the result to send in place of each result of a tool, prompt or
 * resource.
 * @property errorDetail what clients are told about exceptions that were not meant for them.
 * @property stores where tasks are kept. Default: in memory.
 * @property extensions what the server can do beside the protocol's core.
 * @property pageSize how many items one result of a list has. Default: all of them.
 * @property timeout how long a handler may take; then its call fails. Default: no limit.
 * @property maxConcurrency how many calls run at once; more are refused. Default: no limit but those of
 * the engine.
 * @property rateLimits how often what may be asked for. Default: no limit.
 * @property telemetry receives spans and durations: [McpTelemetry] passes them to OpenTelemetry. Default: nobody
 * does, and nothing is paid for it.
 */
@Suppress("LongParameterList")
public class ServerOptions(
    public val capabilities: ServerCapabilities,
    public val enforceStrictCapabilities: Boolean = true,
    public val handlerCoroutineContext: CoroutineContext = Dispatchers.Default,
    public val engine: JsonObject = EmptyJsonObject,
    public val authorize: (suspend (asker: Asker, action: Action) -> Verdict)? = null,
    public val audit: Audit? = null,
    public val sanitizeResult: (suspend (method: String, name: String?, result: JsonObject) -> JsonObject)? = null,
    public val errorDetail: ErrorDetail = ErrorDetail.Masked,
    public val stores: Stores = Stores.Memory,
    public val extensions: List<ServerExtension> = emptyList(),
    public val pageSize: Int? = null,
    public val timeout: Duration? = null,
    public val maxConcurrency: Int? = null,
    public val rateLimits: List<RateLimit> = emptyList(),
    public val telemetry: Telemetry? = null,
)
