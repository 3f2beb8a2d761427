package dev.mcpbolt

import dev.mcpbolt.engine.appDecision
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

// Pages that a server offers beside its tools. Owns: how a page becomes a resource, and what a tool
// says of its page. Must not know: hosts, and what they refuse.

/** As clients declare that they show pages. */
private val DECLARED by lazy { decided { appDecision("extension", "{}") }.obj() }
private val EXTENSION by lazy { DECLARED.need("id").text() }
private val MIME_TYPE by lazy { DECLARED.need("settings").obj().need("mimeTypes").array().first().text() }

/**
 * The origins that a page uses, such as `https://api.example.com`, for the policy that it is shown
 * under. What is not named is blocked.
 *
 * @property connectDomains origins that it sends requests to.
 * @property resourceDomains origins of its scripts, styles, pictures, fonts and media.
 * @property frameDomains origins that it shows in frames.
 * @property baseUriDomains origins that its base address may have.
 */
public class AppCsp(
    public val connectDomains: List<String> = emptyList(),
    public val resourceDomains: List<String> = emptyList(),
    public val frameDomains: List<String> = emptyList(),
    public val baseUriDomains: List<String> = emptyList(),
) {
    internal val json: JsonObject
        get() = objectOf(
            "connectDomains" to connectDomains.ifEmpty { null },
            "resourceDomains" to resourceDomains.ifEmpty { null },
            "frameDomains" to frameDomains.ifEmpty { null },
            "baseUriDomains" to baseUriDomains.ifEmpty { null },
        )
}

/** Something that a page asks the host for; a host may refuse. */
public enum class AppPermission(internal val word: String) {
    /** The camera. */
    Camera("camera"),

    /** The microphone. */
    Microphone("microphone"),

    /** The place where the user is. */
    Geolocation("geolocation"),

    /** Writing to the clipboard. */
    ClipboardWrite("clipboardWrite"),
}

/**
 * Pages that hosts show beside tools (`io.modelcontextprotocol/ui`, 2026-01-26), for
 * [ServerOptions.extensions]. Hosts that show none get a tool's text, so every such tool returns text.
 *
 *     val apps = Apps { page("ui://clock/app.html", html, csp = AppCsp(listOf("https://time.example.com"))) }
 *     val server = Server(about, ServerOptions(abilities, extensions = listOf(apps)))
 *     server.addTool(apps.tool(Tool("time", ToolSchema()), page = "ui://clock/app.html")) { … }
 *
 * @param block adds its pages. What is added later is not part of servers that were made.
 */
public class Apps(block: Apps.() -> Unit = {}) : ServerExtension(EXTENSION) {
    /** Who may see a tool and call it. */
    public enum class Visibility(internal val word: String) {
        /** The model. */
        Model("model"),

        /** The pages of this server. */
        App("app"),
    }

    private val pages = mutableSetOf<String>()

    init {
        block()
    }

    /**
     * Adds a page. Until more is said it can use nothing but itself.
     *
     * @param uri its URI, which begins with `ui://`.
     * @param html the document.
     * @param name its name for programs; its URI by default.
     * @param title its name for people.
     * @param description what it is.
     * @param csp the origins that it uses.
     * @param permissions what it asks the host for.
     * @param domain the origin that it wants to be shown on, in the host's own form.
     * @param prefersBorder whether it wants a border; `null`: the host decides.
     * @throws McpUsageException if the URI is another one, or was added before.
     */
    @Suppress("LongParameterList")
    public fun page(
        uri: String,
        html: String,
        name: String = uri,
        title: String? = null,
        description: String? = null,
        csp: AppCsp = AppCsp(),
        permissions: Set<AppPermission> = emptySet(),
        domain: String? = null,
        prefersBorder: Boolean? = null,
    ) {
        if (!uri.startsWith("ui://")) throw failure("usage", "$uri is no page: its URI has to begin with ui://")
        if (!pages.add(uri)) throw failure("usage", "the page $uri is there twice: add it once")
        val ui = objectOf(
            "csp" to csp.json.ifEmpty { null },
            "permissions" to permissions.associate { it.word to EmptyJsonObject }.ifEmpty { null },
            "domain" to domain,
            "prefersBorder" to prefersBorder,
        )
        val meta = ui.ifEmpty { null }?.let { objectOf(META to it) }
        val contents = TextResourceContents(html, uri, MIME_TYPE, meta)
        offer(RegisteredResource(Resource(uri, name, description, MIME_TYPE, title = title, meta = meta)) { ReadResourceResult(listOf(contents)) })
    }

    /**
     * Returns a tool that says what it has to do with pages, for [Server.addTool].
     *
     * @param page the page that shows its results, by the URI with which it was added; none by default.
     * @param visibility who may see and call it; both if it is `null`.
     * @throws McpUsageException if the page was not added, or the tool says something of pages already.
     */
    public fun tool(tool: Tool, page: String? = null, visibility: Set<Visibility>? = null): Tool {
        if (page != null && page !in pages) throw failure("usage", "the tool ${tool.name} names the page $page, which is not there: add it first, with page()")
        val meta = tool.meta ?: EmptyJsonObject
        if (META in meta) throw failure("usage", "the tool ${tool.name} has $META in its _meta already: say it here only")
        val ui = objectOf("resourceUri" to page, "visibility" to visibility?.let { all -> JsonArray(all.map { JsonPrimitive(it.word) }) })
        return Tool.of(JsonObject(tool.json + objectOf("_meta" to JsonObject(meta + objectOf(META to ui)))))
    }

    private companion object {
        const val META = "ui"
    }
}

/** Whether the client shows pages: it declared the extension, and takes their type. Without it a tool's text has to do. */
public val ClientConnection.showsApps: Boolean
    get() = (clientExtension(EXTENSION)?.get("mimeTypes") as? JsonArray).orEmpty().any { it == JsonPrimitive(MIME_TYPE) }
