package dev.mcpbolt

import dev.mcpbolt.engine.EngineUriTemplate
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonObject
import java.util.concurrent.ConcurrentHashMap

// What a server offers: lists of tools, prompts and resources with their handlers. Must not know: how
// a request reaches a handler, and how clients learn of a change.

/** Handles calls of a tool. The receiver is the client. */
public typealias ToolHandler = suspend ClientConnection.(CallToolRequest) -> CallToolResult

/** Handles requests for a prompt. The receiver is the client. */
public typealias PromptHandler = suspend ClientConnection.(GetPromptRequest) -> GetPromptResult

/** Reads a resource. The receiver is the client. */
public typealias ResourceHandler = suspend ClientConnection.(ReadResourceRequest) -> ReadResourceResult

/** Reads a resource of a template, given the variables in its URI. The receiver is the client. */
public typealias TemplateHandler = suspend ClientConnection.(ReadResourceRequest, Map<String, String>) -> ReadResourceResult

/**
 * A tool with its handler.
 *
 * @property task whether its calls become tasks of 2026-07-28: never (the default), for clients that
 * declared the extension, or always, so that other clients are refused.
 * @property scopes the scopes that a token needs for it over HTTP, all of them; others get 403. Default: none.
 */
public class RegisteredTool(
    public val tool: Tool,
    public val handler: ToolHandler,
    public val task: TaskSupport = TaskSupport.Forbidden,
    public val scopes: List<String> = emptyList(),
)

/**
 * A prompt with its handler.
 *
 * @property scopes the scopes that a token needs for it over HTTP, all of them; others get 403. Default: none.
 */
public class RegisteredPrompt(public val prompt: Prompt, public val scopes: List<String>, public val messageProvider: PromptHandler) {
    /** A prompt that needs no scopes. */
    public constructor(prompt: Prompt, messageProvider: PromptHandler) : this(prompt, emptyList(), messageProvider)
}

/**
 * A resource with its handler.
 *
 * @property scopes the scopes that a token needs for it over HTTP, all of them; others get 403.
 */
public class RegisteredResource(public val resource: Resource, public val scopes: List<String>, public val readHandler: ResourceHandler) {
    /** A resource that needs no scopes. */
    public constructor(resource: Resource, readHandler: ResourceHandler) : this(resource, emptyList(), readHandler)
}

/**
 * A resource template with its handler.
 *
 * @property scopes the scopes that a token needs for it over HTTP, all of them; others get 403.
 */
public class RegisteredResourceTemplate(
    public val resourceTemplate: ResourceTemplate,
    public val scopes: List<String>,
    public val readHandler: TemplateHandler,
) {
    /** A resource template that needs no scopes. */
    public constructor(resourceTemplate: ResourceTemplate, readHandler: TemplateHandler) : this(resourceTemplate, emptyList(), readHandler)

    internal val pattern = refused { EngineUriTemplate(resourceTemplate.uriTemplate) }
}

/** One list of a server, in the order of registration. */
internal class Registry<T>(val kind: String, private val scopesOf: (T) -> List<String>, private val row: (T) -> JsonObject) {
    @Volatile var all: Map<String, T> = emptyMap()
        private set

    /** The scopes that tokens need, by the names of what needs any. */
    @Volatile var scopes: Map<String, List<String>> = emptyMap()
        private set

    @Volatile var needsChanged: () -> Unit = {}

    @Volatile var changed: () -> Unit = {}

    @Synchronized fun put(name: String, value: T) {
        // Told before it can be called, so that it is never open. While it is replaced, both count.
        need(name, (scopes[name].orEmpty() + scopesOf(value)).distinct())
        all = all + (name to value)
        need(name, scopesOf(value))
        changed()
    }

    @Synchronized fun remove(name: String): Boolean {
        val known = name in all
        all = all - name
        need(name, emptyList())
        if (known) changed()
        return known
    }

    private fun need(name: String, wanted: List<String>) {
        if (scopes[name].orEmpty() == wanted) return
        scopes = if (wanted.isEmpty()) scopes - name else scopes + (name to wanted)
        needsChanged()
    }

    fun rows(): JsonArray = JsonArray(all.values.map(row))
}

/** What a program has registered with a server, and what it wants to be told. */
internal class Registries {
    val toolTable = Registry<RegisteredTool>("tools", { it.scopes }) { objectOf("tool" to it.tool, "validation" to "engine", "task" to it.task) }
    val promptTable = Registry<RegisteredPrompt>("prompts", { it.scopes }) { it.prompt.json }
    val resourceTable = Registry<RegisteredResource>("resources", { it.scopes }) { it.resource.json }
    val templateTable = Registry<RegisteredResourceTemplate>("resourceTemplates", { it.scopes }) { it.resourceTemplate.json }

    /** Whether the server serves already, and without tasks. */
    @Volatile var withoutTasks = false

    /** Whether a tool makes tasks. */
    val makesTasks: Boolean get() = tools.values.any { it.task != TaskSupport.Forbidden }

    fun addTool(tool: RegisteredTool) {
        if (tool.task != TaskSupport.Forbidden && withoutTasks) {
            throw failure("usage", "the server serves already, without tasks: add ${tool.tool.name} before, or set \"tasks.poll_interval\" in ServerOptions.engine")
        }
        toolTable.put(tool.tool.name, tool)
    }

    val tools: Map<String, RegisteredTool> get() = toolTable.all
    val prompts: Map<String, RegisteredPrompt> get() = promptTable.all
    val resources: Map<String, RegisteredResource> get() = resourceTable.all

    /** Handlers of methods, in place of the server's own. */
    val handlers = ConcurrentHashMap<String, suspend ClientConnection.(JsonObject?) -> JsonObject>()

    /** Told of each method that gets a handler. */
    @Volatile var handled: (method: String) -> Unit = {}

    fun handle(method: String, handler: suspend ClientConnection.(JsonObject?) -> JsonObject) {
        handlers[method] = handler
        handled(method)
    }

    /** Handlers of notifications, and the flow of them. */
    val notificationHandlers = ConcurrentHashMap<String, NotificationHandler>()
    val notifications = Fan()

    /** Told of each method whose notifications get a handler, or have none any more. */
    @Volatile var heard: (method: String) -> Unit = {}

    fun hear(method: String, handler: NotificationHandler?) {
        if (handler == null) notificationHandlers.remove(method) else notificationHandlers[method] = handler
        heard(method)
    }

    @Volatile var completion: (suspend ClientConnection.(CompleteRequest) -> CompleteResult)? = null

    @Volatile var subscribed: (uri: String, active: Boolean) -> Unit = { _, _ -> }

    @Volatile var onError: (kind: String, message: String) -> Unit = { kind, message -> if (kind == "internal") System.err.println(message) }
}
