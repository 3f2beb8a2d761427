@file:Suppress("DEPRECATION", "TooManyFunctions")

package dev.mcpbolt

import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.flow.Flow
import kotlinx.serialization.json.JsonObject
import java.util.concurrent.CopyOnWriteArrayList
import kotlin.coroutines.CoroutineContext

// A server: its registry, by the names of the official package. Must not know: how a
// message reaches a handler; ServerHost does.

/** Answers a tool. Its receiver is the client. */
public typealias ToolHandler = suspend ClientConnection.(CallToolRequest) -> CallToolResult

/** Answers a prompt. */
public typealias PromptHandler = suspend ClientConnection.(GetPromptRequest) -> GetPromptResult

/** Reads a resource. */
public typealias ResourceHandler = suspend ClientConnection.(ReadResourceRequest) -> ReadResourceResult

/** Reads a resource of a template, with the variables of its URI. */
public typealias TemplateHandler = suspend ClientConnection.(ReadResourceRequest, Map<String, String>) -> ReadResourceResult

public class RegisteredTool(public val tool: Tool, public val handler: ToolHandler)

public class RegisteredPrompt(public val prompt: Prompt, public val messageProvider: PromptHandler)

public class RegisteredResource(public val resource: Resource, public val readHandler: ResourceHandler)

public class RegisteredResourceTemplate(public val resourceTemplate: ResourceTemplate, public val readHandler: TemplateHandler) {
    internal val match = UriMatch(resourceTemplate.uriTemplate)
}

/**
 * What a server can do and where its handlers run.
 *
 * @property engine options of the engine by the names of docs/reference/limits.md, and `page_size`, `rate_limit`, `timeout`…
 * @property authorize decides what each client may do and see: asked for calls, and for every entry of a list.
 * @property audit gets a record of each request; never its arguments.
 * @property sanitizeResult returns each result of a tool, resource or prompt as it may leave.
 * @property errorDetail what clients learn of exceptions that nobody wrote for them.
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

/** An HTTP server of the engine's. */
public class HttpListener internal constructor(private val host: ServerHost, internal val number: ULong, public val address: String, public val port: Int) {
    /** Where clients reach it. */
    public val url: String get() = "http://${if (':' in address) "[$address]" else address}:$port/mcp"

    /** Ends it in good order: calls that run go on for a while. */
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
     * Takes what goes wrong and no client is told: a word for what it is, and a sentence. What is `internal`, the exceptions of
     * handlers and of guard rails, goes to standard error otherwise.
     */
    @Volatile public var onError: (kind: String, message: String) -> Unit = { kind, message -> if (kind == "internal") System.err.println(message) }

    init {
        block(this)
    }

    /** The connections that [createSession] opened, by their names. */
    public val sessions: Map<String, ServerSession> get() = host.sessions.values.associateBy { it.sessionId }

    public val tools: Map<String, RegisteredTool> get() = toolTable.all

    public val prompts: Map<String, RegisteredPrompt> get() = promptTable.all

    public val resources: Map<String, RegisteredResource> get() = resourceTable.all

    public val resourceTemplates: List<ResourceTemplate> get() = templateTable.all.values.map { it.resourceTemplate }

    /**
     * What clients say, but for what the engine deals with. Who collects late misses what was before; who is too slow loses
     * the oldest, and is told of them by a [LostNotification].
     */
    public val notifications: Flow<Notification> get() = host.inbound.flow

    // Connections

    /**
     * Serves one connection.
     *
     * @throws McpUsageException if the server is closed.
     */
    public suspend fun createSession(transport: Transport): ServerSession = host.open(transport).also { connected.forEach { it() } }

    /** As [createSession]. */
    public suspend fun connect(transport: Transport): ServerSession = createSession(transport)

    /**
     * Serves HTTP at `/mcp`, and HTTP+SSE at `/sse`, on threads of the engine's own.
     *
     * @param port 0 takes one that is free.
     * @param http options of the engine's: `allowed_hosts`, `sessions`, `tls`, `keep_alive`,
     *   `trusted_proxies`, `stream_after_ms`…
     * @throws McpUsageException if the server is closed.
     */
    public fun serveHttp(host: String = "127.0.0.1", port: Int = 0, http: JsonObject = EmptyJsonObject): HttpListener =
        this.host.listenHttp(JsonObject(objectOf("host" to host, "port" to port, "sse" to true) + http))

    /** Ends all connections, listeners and calls, for good: who wants to serve again makes another server. */
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

    /** Has something done when clients begin and cease to watch a resource, in order. It may block: nothing waits for it. */
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

    /** Tells who watches a resource that it changed. */
    public fun resourceUpdated(uri: String): Unit = refused { host.engine.announce("resource", uri) }

    // What changed without being added or removed

    /** Tells all clients. */
    public fun toolListChanged(): Unit = refused { host.engine.announce("tools", null) }

    /** As above. */
    public fun promptListChanged(): Unit = refused { host.engine.announce("prompts", null) }

    /** As above. */
    public fun resourceListChanged(): Unit = refused { host.engine.announce("resources", null) }

    // What else there is

    /** Answers `completion/complete`. */
    public fun setCompletionHandler(handler: suspend ClientConnection.(CompleteRequest) -> CompleteResult) {
        checkNotNull(able.completions) { "Server does not support completions capability. Enable it in ServerOptions." }
        completion = handler
    }

    /** Answers a method of the program's own, or one that the engine would answer. */
    public fun setRequestHandler(method: String, handler: suspend ClientConnection.(JsonObject?) -> JsonObject): Unit =
        host.setHandler(method, handler)

    /**
     * Takes the notifications of a method, one after the other. On the modern era, where no client says
     * `notifications/initialized`, its handler runs before the first request of a connection, over HTTP before that of the server.
     */
    @Suppress("UNCHECKED_CAST")
    public fun <T : Notification> setNotificationHandler(method: String, handler: (notification: T) -> Deferred<Unit>): Unit =
        host.setNotificationHandler(method) { handler(it as T).await() }

    public fun removeNotificationHandler(method: String): Unit = host.setNotificationHandler(method, null)

    /** Counters of all connections. */
    public val stats: JsonObject get() = parse(host.engine.stats()).obj()
}

public val ServerCapabilities.Companion.Logging: JsonObject get() = EmptyJsonObject

public val ServerCapabilities.Companion.Completions: JsonObject get() = EmptyJsonObject

/** A result that is one text. */
public fun CallToolResult.Companion.success(content: String, meta: JsonObject? = null): CallToolResult =
    CallToolResult(listOf(TextContent(content)), isError = false, meta = meta)

/** A failure that the model is to see. */
public fun CallToolResult.Companion.error(content: String, meta: JsonObject? = null): CallToolResult =
    CallToolResult(listOf(TextContent(content)), isError = true, meta = meta)
