package dev.mcpbolt

import kotlinx.coroutines.Dispatchers
import kotlinx.serialization.json.JsonObject
import kotlin.coroutines.CoroutineContext
import kotlin.time.Duration

// What a program chooses for a client. Must not know: what is done with it.

/**
 * Which era of the protocol a client begins with, or a revision: `ProtocolPolicy("2025-11-25")`.
 *
 * @property value the word, or the revision.
 */
public data class ProtocolPolicy(override val value: String) : Word {
    override fun toString(): String = value

    public companion object {
        /** The modern era (2026-07-28) if the server has it, and the legacy one if not. */
        public val Auto: ProtocolPolicy = ProtocolPolicy("auto")

        /** The legacy era, as the official package. */
        public val Legacy: ProtocolPolicy = ProtocolPolicy("legacy")

        /** The modern era, or none. */
        public val Modern: ProtocolPolicy = ProtocolPolicy("modern")
    }
}

/**
 * Looks whether the server is still there while nothing comes from it.
 *
 * @property interval how long nothing may come before the server is asked.
 * @property timeout how long its answer may take; then the connection is lost: a process is ended and started
 * again if [StdioOptions.restart] says so, else the connection is over.
 */
public class KeepAlive(public val interval: Duration, public val timeout: Duration)

/**
 * What a client declares, and how it connects.
 *
 * @property enforceStrictCapabilities whether a request that the server did not declare fails here,
 * unsent. Default: yes.
 * @property handlerCoroutineContext where handlers of the server's requests and notifications run. The
 * default, [Dispatchers.Default], suits handlers that suspend; those that block belong on
 * [Dispatchers.IO], and handlers that touch a user interface on its dispatcher. In place of
 * [Dispatchers.Unconfined] the default is used. A `Job` in it ends all of them: once it is cancelled, what
 * the server asks is refused, and it completes after the client is closed. Calls of the client itself go on
 * in the coroutine that makes them.
 * @property protocol which era or revision is asked for. Default: the legacy era.
 * @property trusted whether [ToolReview] may rely on the server's tool annotations.
 * @property engine further options of the engine, by their names there: `max_in_flight`,
 * `max_result_bytes`, `max_pages`…
 * @property validateResult returns why a result is refused, or `null` to accept it; if it throws,
 * the result is refused.
 * @property tasks whether servers may answer a tool call with a task (2026-07-28). `callTool` then
 * goes on until the task is over and returns its result; what it asks meanwhile goes to the client's
 * handlers. [startTool] returns the task instead.
 * @property extensions what the client can do beside the protocol's core.
 * @property requestTimeout how long a request waits unless its [RequestOptions] say otherwise; progress
 * restarts it, and [Duration.INFINITE] is no limit. Default: 60 seconds, and a minute more than
 * `browserTimeout` for a client that signs a user in.
 * @property keepAlive asks a server that is silent whether it is still there. Default: nobody asks.
 * @property cache whether results are kept for as long as the server allows. Default: yes.
 * @property telemetry receives spans and durations: [McpTelemetry] passes them to OpenTelemetry. Default: nobody
 * does, and nothing is paid for it.
 */
@Suppress("LongParameterList")
public class ClientOptions(
    public val capabilities: ClientCapabilities = ClientCapabilities(),
    public val enforceStrictCapabilities: Boolean = true,
    public val handlerCoroutineContext: CoroutineContext = Dispatchers.Default,
    public val protocol: ProtocolPolicy = ProtocolPolicy.Legacy,
    public val trusted: Boolean = false,
    public val engine: JsonObject = EmptyJsonObject,
    public val validateResult: (suspend (method: String, name: String?, result: JsonObject) -> String?)? = null,
    public val tasks: Boolean = false,
    public val extensions: List<ClientExtension> = emptyList(),
    public val requestTimeout: Duration? = null,
    public val keepAlive: KeepAlive? = null,
    public val cache: Boolean = true,
    public val telemetry: Telemetry? = null,
)
