package dev.mcpbolt

import kotlinx.serialization.json.JsonObject

// Extensions of a server. Owns: what one is made of, and the order of their hooks. Must not know: any
// extension, or how a request reaches a handler.

/** Answers requests of an extension's method. The receiver is the client. */
public typealias ExtensionHandler = suspend ClientConnection.(params: JsonObject) -> JsonObject

/**
 * Stands around the handler of a method of others: `next` runs the rest, with the params as they came
 * or with changed ones. The receiver is the client.
 */
public typealias ExtensionHook = suspend ClientConnection.(params: JsonObject, next: suspend (params: JsonObject) -> JsonObject) -> JsonObject

/**
 * An extension of a server, for [ServerOptions.extensions].
 *
 *     val colours = ServerExtension("com.example/colours") {
 *         method("com.example/mix") { params -> mix(params) }
 *     }
 *
 * @property id the identifier, with a prefix: `com.example/colours`.
 * @property settings what clients are told of it.
 * @param block adds its methods, its hooks, and the tools, prompts and resources that belong to it.
 * What is added later is not part of servers that were made.
 */
public open class ServerExtension(public val id: String, public val settings: JsonObject = EmptyJsonObject, block: ServerExtension.() -> Unit = {}) {
    internal val rows = mutableListOf<JsonObject>()
    internal val handlers = LinkedHashMap<String, ExtensionHandler>()
    internal val hooks = mutableListOf<Pair<String, ExtensionHook>>()
    internal val tools = mutableListOf<RegisteredTool>()
    internal val prompts = mutableListOf<RegisteredPrompt>()
    internal val resources = mutableListOf<RegisteredResource>()

    init {
        block()
    }

    /**
     * Adds a method. To clients of a server without the extension it does not exist.
     *
     * @param namedBy the parameter that names what a request is about; none by default.
     * @param since the first revision that has the method; by default all have it.
     * @param undeclared what clients get that did not declare the extension.
     */
    public fun method(
        name: String,
        namedBy: NamedBy? = null,
        since: String? = null,
        undeclared: Undeclared = Undeclared.Refuse,
        handler: ExtensionHandler,
    ) {
        rows += extensionRow(id, name, namedBy, since, undeclared)
        handlers[name] = handler
    }

    /** Adds a hook. Of several hooks of one method that of the extension that is listed first is the outermost. */
    public fun hook(method: String, hook: ExtensionHook) {
        hooks += method to hook
    }

    /** Adds a tool; the server needs no capability for it. */
    public fun offer(tool: RegisteredTool) {
        tools += tool
    }

    /** Adds a prompt; the server needs no capability for it. */
    public fun offer(prompt: RegisteredPrompt) {
        prompts += prompt
    }

    /** Adds a resource; the server needs no capability for it. */
    public fun offer(resource: RegisteredResource) {
        resources += resource
    }
}

/** All extensions of a server. */
internal class ServerExtensions(private val all: List<ServerExtension>) {
    init {
        needOnce("server", all.map { it.id })
    }

    private val hooks: Map<String, List<ExtensionHook>> = all.flatMap { it.hooks }.groupBy({ it.first }, { it.second })

    val settings: Map<String, JsonObject> = all.associate { it.id to it.settings }
    val rows: List<JsonObject> = all.flatMap { it.rows }
    val handlers: Map<String, ExtensionHandler> = all.flatMap { it.handlers.entries }.associate { it.key to it.value }

    /** The methods that have hooks. */
    val hooked: Set<String> get() = hooks.keys

    /** Methods whose capabilities are declared because of what the extensions offer. */
    val uses: List<String>
        get() = listOfNotNull(
            Method.Defined.ToolsList.value.takeIf { all.any { it.tools.isNotEmpty() } },
            Method.Defined.PromptsList.value.takeIf { all.any { it.prompts.isNotEmpty() } },
            Method.Defined.ResourcesList.value.takeIf { all.any { it.resources.isNotEmpty() } },
        )

    fun register(registries: Registries) {
        for (tool in all.flatMap { it.tools }) registries.toolTable.put(tool.tool.name, tool)
        for (prompt in all.flatMap { it.prompts }) registries.promptTable.put(prompt.prompt.name, prompt)
        for (resource in all.flatMap { it.resources }) registries.resourceTable.put(resource.resource.uri, resource)
    }

    /** Answers a request, with the hooks of its method around the handler. */
    suspend fun around(client: ClientConnection, method: String, params: JsonObject?, handler: suspend (JsonObject?) -> JsonObject): JsonObject {
        val around = hooks[method] ?: return handler(params)
        val all = around.foldRight<ExtensionHook, suspend (JsonObject) -> JsonObject>({ handler(it) }) { hook, next -> { given -> client.hook(given, next) } }
        return all(params ?: EmptyJsonObject)
    }
}
