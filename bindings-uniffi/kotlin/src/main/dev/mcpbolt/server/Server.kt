@file:Suppress("TooManyFunctions")

package dev.mcpbolt

import kotlinx.coroutines.Deferred
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.withContext
import kotlinx.serialization.json.JsonObject
import java.util.concurrent.CopyOnWriteArrayList

// A server: its registry, with the names of the official package. Must not know: how a message
// reaches a handler; ServerHost does that.

/** A registry of tools, prompts and resources that serves any number of connections. */
public open class Server(
    protected val serverInfo: Implementation,
    protected val options: ServerOptions,
    protected val instructionsProvider: (() -> String)? = null,
    block: Server.() -> Unit = {},
) : SessionVerbs() {
    public constructor(serverInfo: Implementation, options: ServerOptions, instructions: String, block: Server.() -> Unit = {}) :
        this(serverInfo, options, { instructions }, block)

    private val able = options.capabilities
    private val registries = Registries()
    private val extensions = ServerExtensions(options.extensions)
    private val hosting = lazy { ServerHost(registries, serverInfo, options, extensions, instructionsProvider?.invoke()) }
    internal val host: ServerHost by hosting

    /** The host if the server serves already. What is registered or asked before that must not make it serve. */
    private val begun: ServerHost? get() = if (hosting.isInitialized()) hosting.value else null

    private val connected = CopyOnWriteArrayList<() -> Unit>()
    private val closed = CopyOnWriteArrayList<() -> Unit>()

    /**
     * Called with errors that no client is told about: a kind in one word, and a sentence. By
     * default those of kind `internal` (exceptions of handlers and guard rails) are printed to
     * standard error.
     */
    public var onError: (kind: String, message: String) -> Unit by registries::onError

    init {
        Births.tell(this)
        extensions.register(registries)
        block(this)
    }

    /** The connections that [createSession] opened, by their ids. */
    override val sessions: Map<String, ServerSession> get() = begun?.sessions?.values?.associateBy { it.sessionId }.orEmpty()

    public val tools: Map<String, RegisteredTool> get() = registries.toolTable.all

    public val prompts: Map<String, RegisteredPrompt> get() = registries.promptTable.all

    public val resources: Map<String, RegisteredResource> get() = registries.resourceTable.all

    public val resourceTemplates: List<ResourceTemplate> get() = registries.templateTable.all.values.map { it.resourceTemplate }

    /**
     * Notifications of clients, except those that the engine handles, from the time of collecting
     * on. A collector that is too slow loses the oldest, and gets a [LostNotification] with their
     * number. The flow completes when the server is closed.
     */
    public val notifications: Flow<Notification> get() = registries.notifications.flow

    // Connections

    /**
     * Serves one connection.
     *
     * @throws McpUsageException if the server is closed.
     */
    public suspend fun createSession(transport: Transport): ServerSession = host.open(transport).also { connected.forEach { it() } }

    /** Serves one connection; same as [createSession]. */
    public suspend fun connect(transport: Transport): ServerSession = createSession(transport)

    /**
     * Serves HTTP at `/mcp`, and HTTP+SSE at `/sse`, on the engine's own threads.
     *
     * @param port the port to bind to; 0 chooses a free one.
     * @param http options of the engine: `allowed_hosts`, `sessions`, `tls`, `keep_alive`,
     * `health`, `ready`, `metrics` (paths such as `/healthz`), `trusted_proxies`,
     * `stream_after_ms`…
     * @param auth what is asked of access tokens. Default: none is needed.
     * @throws McpUsageException if the server is closed, or an option cannot be.
     */
    public fun serveHttp(host: String = "127.0.0.1", port: Int = 0, http: JsonObject = EmptyJsonObject, auth: ResourceServer? = null): HttpListener =
        this.host.listenHttp(JsonObject(objectOf("host" to host, "port" to port, "sse" to true) + http), auth)

    /** Serves HTTP, as the other `serveHttp` does; with [http] as types. */
    public fun serveHttp(host: String = "127.0.0.1", port: Int = 0, http: HttpServerOptions, auth: ResourceServer? = null): HttpListener =
        serveHttp(host, port, http.json, auth)

    /** Closes all connections, listeners and calls, even in a coroutine that is cancelled. The server cannot be used again. */
    public suspend fun close() {
        host.close()
        closed.forEach { it() }
    }

    /** Runs [block] with this server and closes it, however the block ends; a closed server stays closed. */
    public suspend fun <R> use(block: suspend (Server) -> R): R =
        try {
            block(this)
        } finally {
            withContext(NonCancellable) { close() }
        }

    public fun onConnect(block: () -> Unit) {
        connected.add(block)
    }

    public fun onClose(block: () -> Unit) {
        closed.add(block)
    }

    /**
     * Calls [block] when clients start or stop watching a resource, in order. The block may take
     * long, because nothing waits for it.
     */
    public fun onSubscription(block: (uri: String, active: Boolean) -> Unit) {
        registries.subscribed = block
    }

    // Tools

    /** Adds a tool. */
    public fun addTool(tool: Tool, handler: ToolHandler): Unit = addTool(tool, TaskSupport.Forbidden, handler = handler)

    /**
     * Adds a tool whose calls may become tasks, or need scopes.
     *
     * @param task whether its calls become tasks: never, for clients that declared the extension, or
     * always, so that other clients are refused (-32021). The handler is like any other; what it asks
     * becomes a question of the task.
     * @param scopes the scopes that a token needs for calls over HTTP, all of them; others get 403, with
     * all scopes in the challenge. Default: none.
     * @throws McpUsageException if it makes tasks and the server serves already without them, or if a
     * server that serves already is given what can be no scope.
     */
    public fun addTool(tool: Tool, task: TaskSupport = TaskSupport.Forbidden, scopes: List<String> = emptyList(), handler: ToolHandler) {
        checkNotNull(able.tools) { "Server does not support tools capability. Enable it in ServerOptions." }
        registries.addTool(RegisteredTool(tool, handler, task, scopes))
    }

    /** Adds a tool, given its parts; [task] and [scopes] are those of the other `addTool`. */
    public fun addTool(
        name: String,
        description: String,
        inputSchema: ToolSchema = ToolSchema(),
        title: String? = null,
        outputSchema: ToolSchema? = null,
        toolAnnotations: ToolAnnotations? = null,
        execution: ToolExecution? = null,
        meta: JsonObject? = null,
        task: TaskSupport = TaskSupport.Forbidden,
        scopes: List<String> = emptyList(),
        handler: ToolHandler,
    ): Unit = addTool(Tool(name, inputSchema, description, outputSchema, title, toolAnnotations, execution = execution, meta = meta), task, scopes, handler)

    public fun addTools(toolsToAdd: List<RegisteredTool>): Unit = toolsToAdd.forEach { addTool(it.tool, it.task, it.scopes, it.handler) }

    public fun removeTool(name: String): Boolean = registries.toolTable.remove(name)

    public fun removeTools(toolNames: List<String>): Int = toolNames.count(::removeTool)

    // Prompts

    /** Adds a prompt. */
    public fun addPrompt(prompt: Prompt, promptProvider: PromptHandler): Unit = addPrompt(prompt, emptyList(), promptProvider)

    /** Adds a prompt; over HTTP a token needs all [scopes] for it. */
    public fun addPrompt(prompt: Prompt, scopes: List<String>, promptProvider: PromptHandler) {
        checkNotNull(able.prompts) { "Server does not support prompts capability. Enable it in ServerOptions." }
        registries.promptTable.put(prompt.name, RegisteredPrompt(prompt, scopes, promptProvider))
    }

    public fun addPrompt(name: String, description: String? = null, arguments: List<PromptArgument>? = null, promptProvider: PromptHandler): Unit =
        addPrompt(Prompt(name, description, arguments), promptProvider)

    public fun addPrompts(promptsToAdd: List<RegisteredPrompt>): Unit = promptsToAdd.forEach { addPrompt(it.prompt, it.scopes, it.messageProvider) }

    public fun removePrompt(name: String): Boolean = registries.promptTable.remove(name)

    public fun removePrompts(promptNames: List<String>): Int = promptNames.count(::removePrompt)

    // Resources

    /** Adds a resource. */
    public fun addResource(resource: Resource, readHandler: ResourceHandler): Unit = addResource(resource, emptyList(), readHandler)

    /** Adds a resource; over HTTP a token needs all [scopes] to read and to watch it. */
    public fun addResource(resource: Resource, scopes: List<String>, readHandler: ResourceHandler) {
        checkNotNull(able.resources) { "Server does not support resources capability. Enable it in ServerOptions." }
        registries.resourceTable.put(resource.uri, RegisteredResource(resource, scopes, readHandler))
    }

    public fun addResource(uri: String, name: String, description: String, mimeType: String = "text/html", readHandler: ResourceHandler): Unit =
        addResource(Resource(uri, name, description, mimeType), readHandler)

    public fun addResources(resourcesToAdd: List<RegisteredResource>): Unit = resourcesToAdd.forEach { addResource(it.resource, it.scopes, it.readHandler) }

    public fun removeResource(uri: String): Boolean = registries.resourceTable.remove(uri)

    public fun removeResources(uris: List<String>): Int = uris.count(::removeResource)

    /** Adds a resource template. */
    public fun addResourceTemplate(template: ResourceTemplate, readHandler: TemplateHandler): Unit = addResourceTemplate(template, emptyList(), readHandler)

    /** Adds a resource template; over HTTP a token needs all [scopes] to read and to watch its resources. */
    public fun addResourceTemplate(template: ResourceTemplate, scopes: List<String>, readHandler: TemplateHandler) {
        checkNotNull(able.resources) { "Server does not support resources capability. Enable it in ServerOptions." }
        registries.templateTable.put(template.uriTemplate, RegisteredResourceTemplate(template, scopes, readHandler))
    }

    public fun addResourceTemplate(uriTemplate: String, name: String, description: String? = null, mimeType: String? = null, readHandler: TemplateHandler): Unit =
        addResourceTemplate(ResourceTemplate(uriTemplate, name, description, mimeType), readHandler)

    public fun removeResourceTemplate(uriTemplate: String): Boolean = registries.templateTable.remove(uriTemplate)

    /** Notifies the subscribers of a resource that it changed. */
    public fun resourceUpdated(uri: String): Unit = announce("resource", uri)

    // Changes other than adding and removing

    /** Notifies clients that the list of tools changed. */
    public fun toolListChanged(): Unit = announce("tools")

    /** Notifies clients that the list of prompts changed. */
    public fun promptListChanged(): Unit = announce("prompts")

    /** Notifies clients that the list of resources changed. */
    public fun resourceListChanged(): Unit = announce("resources")

    /** Before it serves there is nobody to tell. */
    private fun announce(change: String, uri: String? = null) {
        begun?.announce(change, uri)
    }

    // Other handlers

    /** Sets the handler of `completion/complete`. */
    public fun setCompletionHandler(handler: suspend ClientConnection.(CompleteRequest) -> CompleteResult) {
        checkNotNull(able.completions) { "Server does not support completions capability. Enable it in ServerOptions." }
        registries.completion = handler
    }

    /** Sets the handler of a method: one of the program's own, or one that the engine would answer. */
    public fun setRequestHandler(method: String, handler: suspend ClientConnection.(JsonObject?) -> JsonObject): Unit =
        registries.handle(method, handler)

    /**
     * Sets the handler for requests of a method: of the protocol, in place of what the server would
     * answer, or of the program's own, as [CustomRequest]s.
     *
     * @param T the type of the method's requests.
     * @param handler returns the result, or `null` for an empty one.
     */
    public inline fun <reified T : Request<*>> setRequestHandler(
        method: Method,
        noinline handler: suspend (request: T, extra: RequestHandlerExtra) -> RequestResult?,
    ): Unit = setTypedHandler(method, T::class.java, handler)

    @PublishedApi
    internal fun <T : Request<*>> setTypedHandler(method: Method, type: Class<T>, handler: suspend (T, RequestHandlerExtra) -> RequestResult?): Unit =
        registries.handle(method.value, typedHandler(method, type, handler))

    /** Removes the handler of a method; the server answers as it would without. */
    public fun removeRequestHandler(method: Method) {
        registries.handlers.remove(method.value)
    }

    /**
     * Sets the handler for notifications of a method; it is called with one after the other. Modern
     * clients do not send `notifications/initialized`; its handler then runs before the first
     * request of a connection, or over HTTP before the server's first request.
     */
    @Suppress("UNCHECKED_CAST")
    public fun <T : Notification> setNotificationHandler(method: Method, handler: (notification: T) -> Deferred<Unit>): Unit =
        registries.hear(method.value) { handler(it as T).await() }

    /** Sets the handler for notifications of a method, as the other does. */
    public fun <T : Notification> setNotificationHandler(method: String, handler: (notification: T) -> Deferred<Unit>): Unit =
        setNotificationHandler(Method.of(method), handler)

    /** Removes the handler for notifications of a method. */
    public fun removeNotificationHandler(method: Method): Unit = registries.hear(method.value, null)

    /** Removes the handler for notifications of a method. */
    public fun removeNotificationHandler(method: String): Unit = removeNotificationHandler(Method.of(method))

    /** The counters of all connections; those of a closed server stay as they were. */
    public val stats: Stats get() = Stats.of(begun?.stats)
}
