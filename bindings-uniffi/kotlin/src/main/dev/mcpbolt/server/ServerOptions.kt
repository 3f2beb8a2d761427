package dev.mcpbolt

import kotlinx.coroutines.Dispatchers
import kotlinx.serialization.json.JsonObject
import kotlin.coroutines.CoroutineContext

// What a program chooses for a server. Must not know: what is done with it.

/**
 * What a server declares, and where its handlers run.
 *
 * @property enforceStrictCapabilities of no effect: a client is never asked for what it did not declare.
 * @property handlerCoroutineContext where handlers run. The default, [Dispatchers.Default], suits handlers
 * that suspend; those that block belong on [Dispatchers.IO]. A `Job` in it ends all of them. Each call
 * has a coroutine of its own, which is cancelled when its client gives up.
 * @property engine options of the engine by the names of docs/reference/limits.md, and `page_size`,
 * `rate_limit`, `timeout`…
 * @property authorize decides what each client may do and see; called for calls, and for every
 * entry of a list.
 * @property audit receives a record of each request, without its arguments.
 * @property sanitizeResult returns the result to send in place of each result of a tool, prompt or
 * resource.
 * @property errorDetail what clients are told about exceptions that were not meant for them.
 * @property stores where tasks are kept: `memory` (the default), or `file:` and a path, which
 * outlasts the process; one process has the file at a time.
 * @property extensions what the server can do beside the protocol's core.
 */
public class ServerOptions(
    public val capabilities: ServerCapabilities,
    public val enforceStrictCapabilities: Boolean = true,
    public val handlerCoroutineContext: CoroutineContext = Dispatchers.Default,
    public val engine: JsonObject = EmptyJsonObject,
    public val authorize: (suspend (asker: Asker, action: Action) -> Verdict)? = null,
    public val audit: Audit? = null,
    public val sanitizeResult: (suspend (method: String, name: String?, result: JsonObject) -> JsonObject)? = null,
    public val errorDetail: ErrorDetail = ErrorDetail.Masked,
    public val stores: String? = null,
    public val extensions: List<ServerExtension> = emptyList(),
)
