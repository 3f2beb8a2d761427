@file:Suppress("DEPRECATION", "TooManyFunctions")

package dev.mcpbolt

import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.flow.Flow
import kotlinx.serialization.json.JsonObject
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.coroutines.CoroutineContext

// A client: how to reach one server, and what the client offers it. Must not know: connections; a
// ClientSession has one.

/** The requests that a client sends, by the names of the official package. */
public abstract class ClientVerbs {
    /** Sends any request of the protocol, or a [CustomRequest]. Cancelling the coroutine cancels the request. */
    public abstract suspend fun <R : Record> request(request: Request<R>, options: RequestOptions? = null): R

    /** Sends a notification to the server. */
    public abstract suspend fun notification(notification: Notification)

    public suspend fun ping(options: RequestOptions? = null): EmptyResult = request(PingRequest(), options)

    public suspend fun complete(params: CompleteRequest, options: RequestOptions? = null): CompleteResult = request(params, options)

    public suspend fun setLoggingLevel(level: LoggingLevel, options: RequestOptions? = null): EmptyResult =
        request(SetLevelRequest(SetLevelRequestParams(level)), options)

    public suspend fun getPrompt(request: GetPromptRequest, options: RequestOptions? = null): GetPromptResult = request(request, options)

    public suspend fun listPrompts(request: ListPromptsRequest = ListPromptsRequest(), options: RequestOptions? = null): ListPromptsResult =
        request(request, options)

    public suspend fun listResources(request: ListResourcesRequest = ListResourcesRequest(), options: RequestOptions? = null): ListResourcesResult =
        request(request, options)

    public suspend fun listResourceTemplates(
        request: ListResourceTemplatesRequest = ListResourceTemplatesRequest(),
        options: RequestOptions? = null,
    ): ListResourceTemplatesResult = request(request, options)

    public suspend fun readResource(request: ReadResourceRequest, options: RequestOptions? = null): ReadResourceResult =
        request(request, options)

    /** Subscribes to changes of a resource; on the modern era through a stream of its own. */
    public abstract suspend fun subscribeResource(request: SubscribeRequest, options: RequestOptions? = null): EmptyResult

    public abstract suspend fun unsubscribeResource(request: UnsubscribeRequest, options: RequestOptions? = null): EmptyResult

    /**
     * Calls a tool. A failure that the tool reports itself is a result with `isError`.
     *
     * @param arguments Kotlin values or JSON; see [toJson].
     */
    public suspend fun callTool(
        name: String,
        arguments: Map<String, Any?>,
        meta: Map<String, Any?> = emptyMap(),
        options: RequestOptions? = null,
    ): CallToolResult {
        val params = CallToolRequestParams(
            name = name,
            arguments = toJson(arguments).obj(),
            meta = meta.takeIf { it.isNotEmpty() }?.let { toJson(it).obj() },
        )
        return callTool(CallToolRequest(params), options)
    }

    public suspend fun callTool(request: CallToolRequest, options: RequestOptions? = null): CallToolResult = request(request, options)

    public suspend fun listTools(request: ListToolsRequest = ListToolsRequest(), options: RequestOptions? = null): ListToolsResult =
        request(request, options)

    /** Gets the server's description of itself; modern era only. */
    public suspend fun discover(options: RequestOptions? = null): DiscoverResult = request(DiscoverRequest(), options)

    public suspend fun sendRootsListChanged(): Unit = notification(RootsListChangedNotification())
}

/**
 * What a client declares, and how it connects.
 *
 * @property protocol `auto` (the modern era if the server supports it), `legacy`, `modern`, or a
 * revision.
 * @property trusted whether [ToolReview] may rely on the server's tool annotations.
 * @property engine options of the engine: `request_timeout`, `keep_alive`, `cache`,
 * `max_in_flight`, `max_result_bytes`…
 * @property validateResult returns why a result is refused, or `null` to accept it; if it throws,
 * the result is refused.
 */
public class ClientOptions(
    public val capabilities: ClientCapabilities = ClientCapabilities(),
    public val enforceStrictCapabilities: Boolean = true,
    public val handlerCoroutineContext: CoroutineContext = Dispatchers.Default,
    public val protocol: String = "legacy",
    public val trusted: Boolean = false,
    public val engine: JsonObject = EmptyJsonObject,
    public val validateResult: (suspend (method: String, name: String?, result: JsonObject) -> String?)? = null,
)

/** Creates a client and connects it. */
public suspend fun mcpClient(clientInfo: Implementation, clientOptions: ClientOptions = ClientOptions(), transport: Transport): Client =
    Client(clientInfo, clientOptions).also { it.connect(transport) }

internal typealias AskHandler = suspend (JsonObject?) -> Record

/** A client of one server. */
public open class Client(internal val clientInfo: Implementation, internal val options: ClientOptions = ClientOptions()) : ClientVerbs() {
    private val roots = LinkedHashMap<String, Root>()
    internal val requestHandlers = ConcurrentHashMap<String, AskHandler>()
    internal val notificationHandlers = ConcurrentHashMap<String, suspend (Notification) -> Unit>()

    @Volatile private var current: ClientSession? = null

    /** The session that is being opened. */
    @Volatile private var begun: ClientSession? = null
    private val connecting = AtomicBoolean()

    private val closed = CopyOnWriteArrayList<() -> Unit>()

    /** Decides about each tool call before it is sent. */
    @Volatile public var toolReview: ToolReview = ToolReview.AllowAll

    /**
     * Called with errors that belong to no request: a kind in one word, and a sentence. By default
     * those of kind `internal` (exceptions of guard rails) are printed to standard error.
     */
    @Volatile public var onError: (kind: String, message: String) -> Unit = { kind, message -> if (kind == "internal") System.err.println(message) }

    init {
        if (options.capabilities.roots != null) {
            requestHandlers[Method.Defined.RootsList] = { ListRootsResult(synchronized(roots) { roots.values.toList() }) }
        }
    }

    /** The live connection; throws before [connect]. */
    public val session: ClientSession get() = current ?: throw failure("usage", "the client is not connected: call connect")

    public val serverCapabilities: ServerCapabilities? get() = current?.info?.capabilities

    public val serverVersion: Implementation? get() = current?.info?.serverInfo

    public val serverInstructions: String? get() = current?.info?.instructions

    /**
     * Notifications of the server, from the time of collecting on. A collector that is too slow
     * gets a [LostNotification] with the number it missed.
     */
    public val notifications: Flow<Notification> get() = session.notifications

    /**
     * Connects to the server and performs the handshake.
     *
     * @throws McpTransportException if it cannot be reached.
     * @throws McpUsageException if the client is connected, or is connecting already.
     */
    public suspend fun connect(transport: Transport) {
        if (!connecting.compareAndSet(false, true)) throw failure("usage", "the client connects already: wait for that, or make another client")
        try {
            if (current?.isOpen == true) throw failure("usage", "the client is connected: close it first, or make another")
            current = ClientSession.open(this, transport) { begun = it }
        } finally {
            begun = null
            connecting.set(false)
        }
    }

    override suspend fun <R : Record> request(request: Request<R>, options: RequestOptions?): R = session.request(request, options)

    override suspend fun notification(notification: Notification): Unit = session.notification(notification)

    override suspend fun subscribeResource(request: SubscribeRequest, options: RequestOptions?): EmptyResult =
        session.subscribeResource(request, options)

    override suspend fun unsubscribeResource(request: UnsubscribeRequest, options: RequestOptions?): EmptyResult =
        session.unsubscribeResource(request, options)

    /** Closes the connection, even one that is being opened. */
    public suspend fun close() {
        begun?.close()
        current?.close()
    }

    public fun onClose(block: () -> Unit) {
        closed.add(block)
    }

    internal fun ended(): Unit = closed.forEach { it() }

    // Requests of the server

    public fun addRoot(uri: String, name: String): Unit = addRoots(listOf(Root(uri, name)))

    public fun addRoots(rootsToAdd: List<Root>) {
        checkNotNull(options.capabilities.roots) { "Client does not support roots capability. Enable it in ClientOptions." }
        synchronized(roots) { rootsToAdd.forEach { roots[it.uri] = it } }
    }

    public fun removeRoot(uri: String): Boolean = synchronized(roots) { roots.remove(uri) != null }

    public fun removeRoots(uris: List<String>): Int = uris.count(::removeRoot)

    /** Sets the handler that lists the roots, in place of the roots that were added. */
    public fun setRootsHandler(handler: suspend () -> ListRootsResult) {
        checkNotNull(options.capabilities.roots) { "Client does not support roots capability. Enable it in ClientOptions." }
        requestHandlers[Method.Defined.RootsList] = { handler() }
    }

    /** Sets the handler that asks the user. Answers to forms are validated and completed with defaults. */
    public fun setElicitationHandler(handler: suspend (ElicitRequest) -> ElicitResult) {
        checkNotNull(options.capabilities.elicitation) { "Client does not support elicitation. Enable it in ClientOptions." }
        requestHandlers[Method.Defined.ElicitationCreate] = { json ->
            val request = ElicitRequest(ElicitRequestParams.of(json ?: EmptyJsonObject))
            fitted(request, handler(request))
        }
    }

    /** Answers sampling requests with the four steps of [Sampling]. */
    public fun setSamplingHandler(sampling: Sampling) {
        checkNotNull(options.capabilities.sampling) { "Client does not support sampling. Enable it in ClientOptions." }
        requestHandlers[Method.Defined.SamplingCreateMessage] = { json ->
            sampling.answer(CreateMessageRequest(CreateMessageRequestParams.of(json ?: EmptyJsonObject)))
        }
    }

    /** Sets the handler for sampling requests. */
    public fun setSamplingHandler(handler: suspend (CreateMessageRequest) -> CreateMessageResult): Unit =
        setSamplingHandler(object : Sampling() {
            override suspend fun createMessage(request: CreateMessageRequest, model: String?): CreateMessageResult = handler(request)
        })

    /** Sets the handler for requests of a method of the program's own; only before [connect]. */
    public fun setRequestHandler(method: String, handler: suspend (JsonObject?) -> JsonObject) {
        requestHandlers[method] = { CustomRecord(handler(it)) }
    }

    /** Sets the handler for notifications of a method; it is called with one after the other. */
    @Suppress("UNCHECKED_CAST")
    public fun <T : Notification> setNotificationHandler(method: String, handler: (notification: T) -> Deferred<Unit>) {
        notificationHandlers[method] = { handler(it as T).await() }
    }

    public fun removeNotificationHandler(method: String) {
        notificationHandlers.remove(method)
    }

    /** Sets the handler for all notifications. */
    public fun setFallbackNotificationHandler(handler: suspend (Notification) -> Unit) {
        notificationHandlers["*"] = handler
    }

    public fun setElicitationCompleteHandler(handler: (ElicitationCompleteNotification) -> Unit) {
        notificationHandlers[Method.Defined.NotificationsElicitationComplete] = { handler(it as ElicitationCompleteNotification) }
    }
}

public val ClientCapabilities.Companion.sampling: SamplingCapability get() = SamplingCapability()

public val ClientCapabilities.Companion.elicitation: ElicitationCapability get() = ElicitationCapability()
