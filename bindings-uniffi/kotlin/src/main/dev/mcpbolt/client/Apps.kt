package dev.mcpbolt

import dev.mcpbolt.engine.appDecision
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject

// Pages that a server shows beside its tools, for a host. Owns: asking for tools and pages, and
// refusing what a host must refuse. Must not know: the rules of that, which the engine knows; web
// views and models.

private fun decide(name: String, vararg given: Pair<String, Any?>): JsonElement = decided { appDecision(name, objectOf(*given).toString()) }

private val DECLARED by lazy { decide("extension").obj() }

/** Tells servers that this client shows pages, for [ClientOptions.extensions]. */
public class ShowsApps : ClientExtension(DECLARED.need("id").text(), DECLARED.need("settings").obj())

/** A page must not be shown, or a call that it asks for must not be made. */
public class AppException internal constructor(
    /** What is wrong. */
    public val reason: Reason,
    message: String,
) : McpRejectedException(REJECTED, message, null) {
    /** What may be wrong with a page or its call. */
    public enum class Reason {
        /** What the server sent is no page that may be shown. */
        Page,

        /** The page's server has no such tool. */
        Unknown,

        /** The tool's visibility does not name `app`. */
        NotForApps,
    }
}

/** A page, and how it is to be shown: in a sandboxed frame or web view, under its policy. */
public class AppPage internal constructor(
    /** Its URI. */
    public val uri: String,
    /** The document. */
    public val html: String,
    /** The `Content-Security-Policy` it is shown under: nothing but the page itself, and the origins it declares. */
    public val policy: String,
    /** The `allow` attribute of a frame that grants all it asks for; a host may grant less. */
    public val allow: String,
    /** What it declares that is no origin, and has no effect. */
    public val ignored: List<String>,
    /** The origin it wants to be shown on, in the host's own form. */
    public val domain: String?,
    /** Whether it wants a border; `null`: the host decides. */
    public val border: Boolean?,
)

/**
 * The pages of one server. A page lives with the connection it came from: it can call the tools of
 * that server, and no other's.
 *
 * @param client a connected client.
 */
public class AppsClient(private val client: ClientVerbs) {
    /** Lists the tools that a model may be told of: those whose visibility names it. */
    public suspend fun modelTools(): List<Tool> = client.allTools().filter { rules(it).need("model").flag() }

    /**
     * Reads the page that shows the results of a tool; `null` if it has none.
     *
     * @param tool the tool as this server listed it.
     * @throws AppException if what the server sent must not be shown.
     */
    public suspend fun page(tool: Tool): AppPage? {
        val uri = rules(tool).find("page")?.text() ?: return null
        val found = decide("page", "uri" to uri, "result" to client.readResource(ReadResourceRequest(ReadResourceRequestParams(uri)))).obj()
        found.find("refused")?.let { throw AppException(AppException.Reason.Page, it.text()) }
        return AppPage(
            uri = uri,
            html = found.need("html").text(),
            policy = found.need("policy").text(),
            allow = found.need("allow").text(),
            ignored = found.need("ignored").list { it.text() },
            domain = found.find("domain")?.text(),
            border = found.find("border")?.flag(),
        )
    }

    /**
     * Makes a call that a page of this server asks for.
     *
     * @throws AppException if the server has no such tool, or it is not for pages. Nothing was called.
     */
    public suspend fun call(name: String, arguments: Map<String, Any?> = emptyMap(), options: RequestOptions? = null): CallToolResult {
        when (decide("call", "tools" to client.allTools(), "name" to name).text()) {
            "allowed" -> Unit
            "unknown" -> throw AppException(AppException.Reason.Unknown, "the server of the page has no tool $name")
            else -> throw AppException(AppException.Reason.NotForApps, "the tool $name is not for pages")
        }
        return client.callTool(name, arguments, options = options)
    }

    private fun rules(tool: Tool): JsonObject = decide("tool", "tool" to tool).obj()
}
