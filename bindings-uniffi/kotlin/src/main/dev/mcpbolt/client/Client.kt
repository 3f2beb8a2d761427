@file:Suppress("DEPRECATION", "TooManyFunctions")

package dev.mcpbolt

import kotlinx.coroutines.Deferred
import kotlinx.coroutines.flow.Flow
import kotlinx.serialization.json.JsonObject
import java.util.concurrent.atomic.AtomicBoolean

// A client: how to reach one server, and what the client offers it. Must not know: connections; a
// ClientSession has one.

/** Creates a client and connects it. */
public suspend fun mcpClient(clientInfo: Implementation, clientOptions: ClientOptions = ClientOptions(), transport: Transport): Client =
    Client(clientInfo, clientOptions).also { it.connect(transport) }

/** A client of one server. */
public open class Client(clientInfo: Implementation, private val options: ClientOptions = ClientOptions()) : ClientVerbs() {
    private val handlers = Handlers(clientInfo, options)
    private val roots = LinkedHashMap<String, Root>()

    @Volatile private var current: ClientSession? = null

    /** The session that is being opened. */
    @Volatile private var begun: ClientSession? = null
    private val connecting = AtomicBoolean()

    /** Decides about each tool call before it is sent. */
    public var toolReview: ToolReview by handlers::toolReview

    /**
     * Called with errors that belong to no request: a kind in one word, and a sentence. By default
     * those of kind `internal` (exceptions of guard rails) are printed to standard error.
     */
    public var onError: (kind: String, message: String) -> Unit by handlers::onError

    init {
        if (options.capabilities.roots != null) {
            handlers.requestHandlers[Method.Defined.RootsList] = { ListRootsResult(synchronized(roots) { roots.values.toList() }) }
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
            current = ClientSession.open(handlers, transport) { begun = it }
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
        handlers.closed.add(block)
    }

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
        handlers.requestHandlers[Method.Defined.RootsList] = { handler() }
    }

    /** Sets the handler that asks the user. Answers to forms are validated and completed with defaults. */
    public fun setElicitationHandler(handler: suspend (ElicitRequest) -> ElicitResult) {
        checkNotNull(options.capabilities.elicitation) { "Client does not support elicitation. Enable it in ClientOptions." }
        handlers.requestHandlers[Method.Defined.ElicitationCreate] = { json ->
            val request = ElicitRequest(ElicitRequestParams.of(json ?: EmptyJsonObject))
            fitted(request, handler(request))
        }
    }

    /** Answers sampling requests with the four steps of [Sampling]. */
    public fun setSamplingHandler(sampling: Sampling) {
        checkNotNull(options.capabilities.sampling) { "Client does not support sampling. Enable it in ClientOptions." }
        handlers.requestHandlers[Method.Defined.SamplingCreateMessage] = { json ->
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
        handlers.requestHandlers[method] = { CustomRecord(handler(it)) }
    }

    /** Sets the handler for notifications of a method; it is called with one after the other. */
    @Suppress("UNCHECKED_CAST")
    public fun <T : Notification> setNotificationHandler(method: String, handler: (notification: T) -> Deferred<Unit>) {
        handlers.notificationHandlers[method] = { handler(it as T).await() }
    }

    public fun removeNotificationHandler(method: String) {
        handlers.notificationHandlers.remove(method)
    }

    /** Sets the handler for all notifications. */
    public fun setFallbackNotificationHandler(handler: suspend (Notification) -> Unit) {
        handlers.notificationHandlers["*"] = handler
    }

    public fun setElicitationCompleteHandler(handler: (ElicitationCompleteNotification) -> Unit) {
        handlers.notificationHandlers[Method.Defined.NotificationsElicitationComplete] = { handler(it as ElicitationCompleteNotification) }
    }
}

public val ClientCapabilities.Companion.sampling: SamplingCapability get() = SamplingCapability()

public val ClientCapabilities.Companion.elicitation: ElicitationCapability get() = ElicitationCapability()
