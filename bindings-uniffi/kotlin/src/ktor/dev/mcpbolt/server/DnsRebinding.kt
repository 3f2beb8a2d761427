package dev.mcpbolt

import io.ktor.http.HttpHeaders
import io.ktor.http.HttpStatusCode
import io.ktor.http.parseUrl
import io.ktor.server.application.RouteScopedPlugin
import io.ktor.server.application.createRouteScopedPlugin
import io.ktor.server.request.header

// Which hosts and origins the requests of a route may have. Must not know: what is behind the route.

/** The hosts by which this machine is reached from itself. */
internal val LOCAL_HOSTS: List<String> = listOf("localhost", "127.0.0.1", "[::1]")

/** The origins of pages of this machine. */
internal val LOCAL_ORIGINS: List<String> = LOCAL_HOSTS.map { "http://$it" }

/** What [DnsRebindingProtection] lets through. */
public class DnsRebindingProtectionConfig {
    /**
     * The hosts that requests may be for. Ports and case do not count; an empty list refuses all. Default:
     * `localhost`, `127.0.0.1` and `[::1]`.
     */
    public var allowedHosts: List<String> = LOCAL_HOSTS

    /**
     * The origins, such as `https://example.com`, that pages may be of; only their hosts count. Requests
     * without an origin are no page's and are let through. `null`, the default: any.
     */
    public var allowedOrigins: List<String>? = null
}

/**
 * Refuses requests of a route that are for other hosts (403): a page in a browser can have the name of
 * its own site lead to this machine, and would then reach a server that is open to this machine only.
 * The routes of `mcp`, `mcpStreamableHttp` and `mcpStatelessStreamableHttp` have it already.
 *
 *     route("/tools") {
 *         install(DnsRebindingProtection) { allowedHosts = listOf("tools.example.com") }
 *     }
 *
 * Installing it throws an [IllegalArgumentException] for what is no host or origin, naming it.
 */
public val DnsRebindingProtection: RouteScopedPlugin<DnsRebindingProtectionConfig> =
    createRouteScopedPlugin("McpDnsRebindingProtection", ::DnsRebindingProtectionConfig) {
        val hosts = pluginConfig.allowedHosts.map { requireNotNull(hostOf(it)) { "allowedHosts: `$it` is no host: write it such as example.com or [::1]" } }.toSet()
        val origins = pluginConfig.allowedOrigins?.map {
            requireNotNull(originOf(it)) { "allowedOrigins: `$it` is no origin: write it such as https://example.com" }
        }?.toSet()
        onCall { call ->
            val host = call.request.header(HttpHeaders.Host)?.let(::hostOf)
            val origin = call.request.header(HttpHeaders.Origin)
            when {
                host == null -> call.refuse(HttpStatusCode.Forbidden, "Invalid Host header: it is missing or no host")
                host !in hosts -> call.refuse(HttpStatusCode.Forbidden, "Invalid Host: $host")
                origins == null || origin == null -> Unit
                originOf(origin) !in origins -> call.refuse(HttpStatusCode.Forbidden, "Invalid Origin: $origin")
            }
        }
    }

/** A host without its port, in lower case. */
private val HOST = Regex("(\\[[0-9a-fA-F:.%]+]|[^\\[\\]:/@?#\\s]+)(:[0-9]*)?")

private fun hostOf(text: String): String? = HOST.matchEntire(text)?.groupValues?.get(1)?.lowercase()

private fun originOf(text: String): String? = parseUrl(text)?.host?.ifEmpty { null }?.lowercase()
