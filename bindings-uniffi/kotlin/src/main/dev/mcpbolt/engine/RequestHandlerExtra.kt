package dev.mcpbolt

import kotlinx.serialization.json.JsonObject

// What a typed handler is given beside its request, on either side. Must not know: which side it is.

/**
 * What a handler learns beside its request, and a way back to who sent it.
 *
 * @property method the method of the request.
 */
public class RequestHandlerExtra internal constructor(
    public val method: Method,
    known: () -> RequestId?,
    private val ask: suspend (Request<Record>, RequestOptions?) -> Record,
    private val tell: suspend (Notification) -> Unit,
) {
    /** The id of the request; `null` if there was none, because an engine in this process asked, or once it is answered. */
    public val requestId: RequestId? by lazy(LazyThreadSafetyMode.PUBLICATION, known)

    /** Sends a notification to the peer, as part of the answer to this request. */
    public suspend fun sendNotification(notification: Notification): Unit = tell(notification)

    /**
     * Sends a request to the peer, as part of the answer to this request.
     *
     * @throws McpException if the peer refuses, or gives no answer.
     */
    @Suppress("UNCHECKED_CAST")
    public suspend fun <R : Record> sendRequest(request: Request<R>, options: RequestOptions? = null): R = ask(request, options) as R
}

/**
 * The request that a handler was registered for.
 *
 * @throws McpUsageException if requests of this method are of another type.
 */
internal fun <T : Request<*>> requestFor(type: Class<T>, method: Method, params: JsonObject?): T {
    val request = requestOf(method, params)
    if (!type.isInstance(request)) {
        throw failure("usage", "a handler of $method takes a ${request.javaClass.simpleName}, not a ${type.simpleName}: name that type where it is set")
    }
    return type.cast(request)
}
