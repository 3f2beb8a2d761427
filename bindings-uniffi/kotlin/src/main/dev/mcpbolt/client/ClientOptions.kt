package dev.mcpbolt

import kotlinx.coroutines.Dispatchers
import kotlinx.serialization.json.JsonObject
import kotlin.coroutines.CoroutineContext

// What a program chooses for a client. Must not know: what is done with it.

/**
 * What a client declares, and how it connects.
 *
 * @property enforceStrictCapabilities whether a request that the server did not declare fails here,
 * unsent. Default: yes.
 * @property handlerCoroutineContext where handlers of the server's requests and notifications run. The
 * default, [Dispatchers.Default], suits handlers that suspend; those that block belong on
 * [Dispatchers.IO], and handlers that touch a user interface on its dispatcher. A `Job` in it ends all of
 * them. Calls of the client itself go on in the coroutine that makes them.
 * @property protocol `auto` (the modern era if the server supports it), `legacy`, `modern`, or a
 * revision.
 * @property trusted whether [ToolReview] may rely on the server's tool annotations.
 * @property engine options of the engine: `request_timeout`, `keep_alive`, `cache`,
 * `max_in_flight`, `max_result_bytes`…
 * @property validateResult returns why a result is refused, or `null` to accept it; if it throws,
 * the result is refused.
 * @property tasks whether servers may answer a tool call with a task (2026-07-28). `callTool` then
 * goes on until the task is over and returns its result; what it asks meanwhile goes to the client's
 * handlers. [startTool] returns the task instead.
 * @property extensions what the client can do beside the protocol's core.
 */
public class ClientOptions(
    public val capabilities: ClientCapabilities = ClientCapabilities(),
    public val enforceStrictCapabilities: Boolean = true,
    public val handlerCoroutineContext: CoroutineContext = Dispatchers.Default,
    public val protocol: String = "legacy",
    public val trusted: Boolean = false,
    public val engine: JsonObject = EmptyJsonObject,
    public val validateResult: (suspend (method: String, name: String?, result: JsonObject) -> String?)? = null,
    public val tasks: Boolean = false,
    public val extensions: List<ClientExtension> = emptyList(),
)
