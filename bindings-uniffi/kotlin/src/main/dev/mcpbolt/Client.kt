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

// A client: how to reach one server, and what it is offered. Must not know: connections;
// a ClientSession has one.

/** The requests of the protocol, by the names of the official package. */
public abstract class ClientVerbs {
    /** Sends any request of the protocol, or a [CustomRequest]. Cancelling the coroutine withdraws it. */
    public abstract suspend fun <R : Record> request(request: Request<R>, options: RequestOptions? = null): R

    /** Tells the server something. */
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

    /** Has changes of a resource told; on the modern era by a stream of its own. */
    public abstract suspend fun subscribeResource(request: SubscribeRequest, options: RequestOptions? = null): EmptyResult

    public abstract suspend fun unsubscribeResource(request: UnsubscribeRequest, options: RequestOptions? = null): EmptyResult

    /**
     * Calls a tool. A failure of the tool is a result with `isError`.
     *
     * @param arguments values of Kotlin or JSON; see [toJson].
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

    /** What the server can do on the modern era. */
    public suspend fun discover(options: RequestOptions? = null): DiscoverResult = request(DiscoverRequest(), options)

    public suspend fun sendRootsListChanged(): Unit = notification(RootsListChangedNotification())
}

/**
 * What a client offers and how it speaks.
 *
 * @property protocol `auto` (the modern era if the server has it), `legacy`, `modern`, or a revision.
 * @property trusted whether annotations of the server's tools are believed by [ToolReview].
 * @property engine options of the engine: `request_timeout`, `keep_alive`, `cache`, `max_in_flight`, `max_result_bytes`…
 * @property validateResult says why a result is refused, or `null`; one that throws refuses.
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

/** A client that is connected. */
public suspend fun mcpClient(clientInfo: Implementation, clientOptions: ClientOptions = ClientOptions(), transport: Transport): Client =
    Client(clientInfo, clientOptions).also { it.connect(transport) }

internal typealias AskHandler = suspend (JsonObject?) -> Record

/** Reaches one server. */
public open class Client(internal val clientInfo: Implementation, internal val options: ClientOptions = ClientOptions()) : ClientVerbs() {
    private val roots = LinkedHashMap<String, Root>()
    internal val requestHandlers = ConcurrentHashMap<String, AskHandler>()
    internal val notificationHandlers = ConcurrentHashMap<String, suspend (Notification) -> Unit>()

    @Volatile private var current: ClientSession? = null

    /** The connection that is being made. */
    @Volatile private var begun: ClientSession? = null
    private val connecting = AtomicBoolean()

    private val closed = CopyOnWriteArrayList<() -> Unit>()

    /** Decides about calls of tools before anything is sent. */
    @Volatile public var toolReview: ToolReview = ToolReview.AllowAll

    /**
     * Takes what goes wrong and belongs to no request: a word for what it is, and a sentence. Exceptions of guard rails, which are
     * `internal`, go to standard error otherwise.
     */
    @Volatile public var onError: (kind: String, message: String) -> Unit = { kind, message -> if (kind == "internal") System.err.println(message) }

    init {
        if (options.capabilities.roots != null) {
            requestHandlers[Method.Defined.RootsList] = { ListRootsResult(synchronized(roots) { roots.values.toList() }) }
        }
    }

    /** The live connection. */
    public val session: ClientSession get() = current ?: throw failure("usage", "the client is not connected: call connect")

    public val serverCapabilities: ServerCapabilities? get() = current?.info?.capabilities

    public val serverVersion: Implementation? get() = current?.info?.serverInfo

    public val serverInstructions: String? get() = current?.info?.instructions

    /** What the server tells. Who collects late misses what was before; who is too slow is told by a [LostNotification] what it lost. */
    public val notifications: Flow<Notification> get() = session.notifications

    /**
     * Reaches the server and shakes hands.
     *
     * @throws McpTransportException if it cannot be reached.
     * @throws McpUsageException if it is connected, or connects already.
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

    /** Ends the connection politely; one that is being made, too. */
    public suspend fun close() {
        begun?.close()
        current?.close()
    }

    public fun onClose(block: () -> Unit) {
        closed.add(block)
    }

    internal fun ended(): Unit = closed.forEach { it() }

    // What the server may ask

    public fun addRoot(uri: String, name: String): Unit = addRoots(listOf(Root(uri, name)))

    public fun addRoots(rootsToAdd: List<Root>) {
        checkNotNull(options.capabilities.roots) { "Client does not support roots capability. Enable it in ClientOptions." }
        synchronized(roots) { rootsToAdd.forEach { roots[it.uri] = it } }
    }

    public fun removeRoot(uri: String): Boolean = synchronized(roots) { roots.remove(uri) != null }

    public fun removeRoots(uris: List<String>): Int = uris.count(::removeRoot)

    /** Answers where the client works, instead of the roots that were added. */
    public fun setRootsHandler(handler: suspend () -> ListRootsResult) {
        checkNotNull(options.capabilities.roots) { "Client does not support roots capability. Enable it in ClientOptions." }
        requestHandlers[Method.Defined.RootsList] = { handler() }
    }

    /** Asks the user. Answers to forms are checked and completed with defaults. */
    public fun setElicitationHandler(handler: suspend (ElicitRequest) -> ElicitResult) {
        checkNotNull(options.capabilities.elicitation) { "Client does not support elicitation. Enable it in ClientOptions." }
        requestHandlers[Method.Defined.ElicitationCreate] = { json ->
            val request = ElicitRequest(ElicitRequestParams.of(json ?: EmptyJsonObject))
            fitted(request, handler(request))
        }
    }

    /** Asks the model, in the four steps of [Sampling]. */
    public fun setSamplingHandler(sampling: Sampling) {
        checkNotNull(options.capabilities.sampling) { "Client does not support sampling. Enable it in ClientOptions." }
        requestHandlers[Method.Defined.SamplingCreateMessage] = { json ->
            sampling.answer(CreateMessageRequest(CreateMessageRequestParams.of(json ?: EmptyJsonObject)))
        }
    }

    /** Asks the model. */
    public fun setSamplingHandler(handler: suspend (CreateMessageRequest) -> CreateMessageResult): Unit =
        setSamplingHandler(object : Sampling() {
            override suspend fun createMessage(request: CreateMessageRequest, model: String?): CreateMessageResult = handler(request)
        })

    /** Answers a method of the program's own; before [connect]. */
    public fun setRequestHandler(method: String, handler: suspend (JsonObject?) -> JsonObject) {
        requestHandlers[method] = { CustomRecord(handler(it)) }
    }

    /** Takes the notifications of a method, one after the other. */
    @Suppress("UNCHECKED_CAST")
    public fun <T : Notification> setNotificationHandler(method: String, handler: (notification: T) -> Deferred<Unit>) {
        notificationHandlers[method] = { handler(it as T).await() }
    }

    public fun removeNotificationHandler(method: String) {
        notificationHandlers.remove(method)
    }

    /** Takes every notification. */
    public fun setFallbackNotificationHandler(handler: suspend (Notification) -> Unit) {
        notificationHandlers["*"] = handler
    }

    public fun setElicitationCompleteHandler(handler: (ElicitationCompleteNotification) -> Unit) {
        notificationHandlers[Method.Defined.NotificationsElicitationComplete] = { handler(it as ElicitationCompleteNotification) }
    }
}

public val ClientCapabilities.Companion.sampling: SamplingCapability get() = SamplingCapability()

public val ClientCapabilities.Companion.elicitation: ElicitationCapability get() = ElicitationCapability()
