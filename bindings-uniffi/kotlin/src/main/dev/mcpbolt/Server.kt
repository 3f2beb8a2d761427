@file:Suppress("DEPRECATION", "TooManyFunctions")

package dev.mcpbolt

import dev.mcpbolt.engine.EngineUriTemplate
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.flow.Flow
import kotlinx.serialization.json.JsonObject
import java.util.concurrent.CopyOnWriteArrayList
import kotlin.coroutines.CoroutineContext

// A server: its registry, with the names of the official package. Must not know: how a message
// reaches a handler; ServerHost does that.

/** Handles calls of a tool. The receiver is the client. */
public typealias ToolHandler = suspend ClientConnection.(CallToolRequest) -> CallToolResult

/** Handles requests for a prompt. The receiver is the client. */
public typealias PromptHandler = suspend ClientConnection.(GetPromptRequest) -> GetPromptResult

/** Reads a resource. The receiver is the client. */
public typealias ResourceHandler = suspend ClientConnection.(ReadResourceRequest) -> ReadResourceResult

/** Reads a resource of a template, given the variables in its URI. The receiver is the client. */
public typealias TemplateHandler = suspend ClientConnection.(ReadResourceRequest, Map<String, String>) -> ReadResourceResult

public class RegisteredTool(public val tool: Tool, public val handler: ToolHandler)

public class RegisteredPrompt(public val prompt: Prompt, public val messageProvider: PromptHandler)

public class RegisteredResource(public val resource: Resource, public val readHandler: ResourceHandler)

public class RegisteredResourceTemplate(public val resourceTemplate: ResourceTemplate, public val readHandler: TemplateHandler) {
    internal val pattern = refused { EngineUriTemplate(resourceTemplate.uriTemplate) }
}

/**
 * What a server declares, and where its handlers run.
 *
 * @property engine options of the engine by the names of docs/reference/limits.md, and `page_size`,
 * `rate_limit`, `timeout`…
 * @property authorize decides what each client may do and see; called for calls, and for every
 * entry of a list.
 * @property audit receives a record of each request, without its arguments.
 * @property sanitizeResult returns the result to send in place of each result of a tool, prompt or
 * resource.
 * @property errorDetail what clients are told about exceptions that were not meant for them.
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
)

/** A running HTTP server. */
public class HttpListener internal constructor(private val host: ServerHost, internal val number: ULong, public val address: String, public val port: Int) {
    /** The URL of the endpoint. */
    public val url: String get() = "http://${if (':' in address) "[$address]" else address}:$port/mcp"

    /** Closes the listener; running calls may finish first. */
    public suspend fun close(): Unit = host.stopHttp(number)
}

/** A registry of tools, prompts and resources that serves any number of connections. */
public open class Server(
    protected val serverInfo: Implementation,
    protected val options: ServerOptions,
    protected val instructionsProvider: (() -> String)? = null,
    block: Server.() -> Unit = {},
) {
    public constructor(serverInfo: Implementation, options: ServerOptions, instructions: String, block: Server.() -> Unit = {}) :
        this(serverInfo, options, { instructions }, block)

    private val able = options.capabilities
    internal val toolTable = Registry<RegisteredTool>("tools") { objectOf("tool" to it.tool, "validation" to "engine") }
    internal val promptTable = Registry<RegisteredPrompt>("prompts") { it.prompt.json }
    internal val resourceTable = Registry<RegisteredResource>("resources") { it.resource.json }
    internal val templateTable = Registry<RegisteredResourceTemplate>("resourceTemplates") { it.resourceTemplate.json }
    internal val host: ServerHost by lazy { ServerHost(this, serverInfo, options, instructionsProvider?.invoke()) }

    private val connected = CopyOnWriteArrayList<() -> Unit>()
    private val closed = CopyOnWriteArrayList<() -> Unit>()

    @Volatile internal var completion: (suspend ClientConnection.(CompleteRequest) -> CompleteResult)? = null

    @Volatile internal var subscribed: (uri: String, active: Boolean) -> Unit = { _, _ -> }

    /**
     * Called with errors that no client is told about: a kind in one word, and a sentence. By
     * default those of kind `internal` (exceptions of handlers and guard rails) are printed to
     * standard error.
     */
    @Volatile public var onError: (kind: String, message: String) -> Unit = { kind, message -> if (kind == "internal") System.err.println(message) }

    init {
        block(this)
    }

    /** The connections that [createSession] opened, by their ids. */
    public val sessions: Map<String, ServerSession> get() = host.sessions.values.associateBy { it.sessionId }

    public val tools: Map<String, RegisteredTool> get() = toolTable.all

    public val prompts: Map<String, RegisteredPrompt> get() = promptTable.all

    public val resources: Map<String, RegisteredResource> get() = resourceTable.all

    public val resourceTemplates: List<ResourceTemplate> get() = templateTable.all.values.map { it.resourceTemplate }

    /**
     * Notifications of clients, except those that the engine handles, from the time of collecting
     * on. A collector that is too slow loses the oldest, and gets a [LostNotification] with their
     * number.
     */
    public val notifications: Flow<Notification> get() = host.inbound.flow

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
     * `trusted_proxies`, `stream_after_ms`…
     * @throws McpUsageException if the server is closed.
     */
    public fun serveHttp(host: String = "127.0.0.1", port: Int = 0, http: JsonObject = EmptyJsonObject): HttpListener =
        this.host.listenHttp(JsonObject(objectOf("host" to host, "port" to port, "sse" to true) + http))

    /** Closes all connections, listeners and calls. The server cannot be used again. */
    public suspend fun close() {
        host.close()
        closed.forEach { it() }
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
        subscribed = block
    }

    // Tools

    public fun addTool(tool: Tool, handler: ToolHandler) {
        checkNotNull(able.tools) { "Server does not support tools capability. Enable it in ServerOptions." }
        toolTable.put(tool.name, RegisteredTool(tool, handler))
    }

    public fun addTool(
        name: String,
        description: String,
        inputSchema: ToolSchema = ToolSchema(),
        title: String? = null,
        outputSchema: ToolSchema? = null,
        toolAnnotations: ToolAnnotations? = null,
        execution: ToolExecution? = null,
        meta: JsonObject? = null,
        handler: ToolHandler,
    ): Unit = addTool(Tool(name, inputSchema, description, outputSchema, title, toolAnnotations, execution = execution, meta = meta), handler)

    public fun addTools(toolsToAdd: List<RegisteredTool>): Unit = toolsToAdd.forEach { addTool(it.tool, it.handler) }

    public fun removeTool(name: String): Boolean = toolTable.remove(name)

    public fun removeTools(toolNames: List<String>): Int = toolNames.count(::removeTool)

    // Prompts

    public fun addPrompt(prompt: Prompt, promptProvider: PromptHandler) {
        checkNotNull(able.prompts) { "Server does not support prompts capability. Enable it in ServerOptions." }
        promptTable.put(prompt.name, RegisteredPrompt(prompt, promptProvider))
    }

    public fun addPrompt(name: String, description: String? = null, arguments: List<PromptArgument>? = null, promptProvider: PromptHandler): Unit =
        addPrompt(Prompt(name, description, arguments), promptProvider)

    public fun addPrompts(promptsToAdd: List<RegisteredPrompt>): Unit = promptsToAdd.forEach { addPrompt(it.prompt, it.messageProvider) }

    public fun removePrompt(name: String): Boolean = promptTable.remove(name)

    public fun removePrompts(promptNames: List<String>): Int = promptNames.count(::removePrompt)

    // Resources

    public fun addResource(resource: Resource, readHandler: ResourceHandler) {
        checkNotNull(able.resources) { "Server does not support resources capability. Enable it in ServerOptions." }
        resourceTable.put(resource.uri, RegisteredResource(resource, readHandler))
    }

    public fun addResource(uri: String, name: String, description: String, mimeType: String = "text/html", readHandler: ResourceHandler): Unit =
        addResource(Resource(uri, name, description, mimeType), readHandler)

    public fun addResources(resourcesToAdd: List<RegisteredResource>): Unit = resourcesToAdd.forEach { addResource(it.resource, it.readHandler) }

    public fun removeResource(uri: String): Boolean = resourceTable.remove(uri)

    public fun removeResources(uris: List<String>): Int = uris.count(::removeResource)

    public fun addResourceTemplate(template: ResourceTemplate, readHandler: TemplateHandler) {
        checkNotNull(able.resources) { "Server does not support resources capability. Enable it in ServerOptions." }
        templateTable.put(template.uriTemplate, RegisteredResourceTemplate(template, readHandler))
    }

    public fun addResourceTemplate(uriTemplate: String, name: String, description: String? = null, mimeType: String? = null, readHandler: TemplateHandler): Unit =
        addResourceTemplate(ResourceTemplate(uriTemplate, name, description, mimeType), readHandler)

    public fun removeResourceTemplate(uriTemplate: String): Boolean = templateTable.remove(uriTemplate)

    /** Notifies the subscribers of a resource that it changed. */
    public fun resourceUpdated(uri: String): Unit = refused { host.engine.announce("resource", uri) }

    // Changes other than adding and removing

    /** Notifies clients that the list of tools changed. */
    public fun toolListChanged(): Unit = refused { host.engine.announce("tools", null) }

    /** Notifies clients that the list of prompts changed. */
    public fun promptListChanged(): Unit = refused { host.engine.announce("prompts", null) }

    /** Notifies clients that the list of resources changed. */
    public fun resourceListChanged(): Unit = refused { host.engine.announce("resources", null) }

    // Other handlers

    /** Sets the handler of `completion/complete`. */
    public fun setCompletionHandler(handler: suspend ClientConnection.(CompleteRequest) -> CompleteResult) {
        checkNotNull(able.completions) { "Server does not support completions capability. Enable it in ServerOptions." }
        completion = handler
    }

    /** Sets the handler of a method: one of the program's own, or one that the engine would answer. */
    public fun setRequestHandler(method: String, handler: suspend ClientConnection.(JsonObject?) -> JsonObject): Unit =
        host.setHandler(method, handler)

    /**
     * Sets the handler for notifications of a method; it is called with one after the other. Modern
     * clients do not send `notifications/initialized`; its handler then runs before the first
     * request of a connection, or over HTTP before the server's first request.
     */
    @Suppress("UNCHECKED_CAST")
    public fun <T : Notification> setNotificationHandler(method: String, handler: (notification: T) -> Deferred<Unit>): Unit =
        host.setNotificationHandler(method) { handler(it as T).await() }

    public fun removeNotificationHandler(method: String): Unit = host.setNotificationHandler(method, null)

    /** The counters of all connections. */
    public val stats: JsonObject get() = parse(host.engine.stats()).obj()
}

public val ServerCapabilities.Companion.Logging: JsonObject get() = EmptyJsonObject

public val ServerCapabilities.Companion.Completions: JsonObject get() = EmptyJsonObject

/** Creates a result with one text. */
public fun CallToolResult.Companion.success(content: String, meta: JsonObject? = null): CallToolResult =
    CallToolResult(listOf(TextContent(content)), isError = false, meta = meta)

/** Creates a result with `isError`: a failure that the model is to see. */
public fun CallToolResult.Companion.error(content: String, meta: JsonObject? = null): CallToolResult =
    CallToolResult(listOf(TextContent(content)), isError = true, meta = meta)
