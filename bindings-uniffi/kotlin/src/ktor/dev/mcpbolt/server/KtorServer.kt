package dev.mcpbolt

import io.ktor.http.HttpMethod
import io.ktor.server.application.Application
import io.ktor.server.application.ApplicationCall
import io.ktor.server.application.ApplicationStopPreparing
import io.ktor.server.application.ApplicationStopping
import io.ktor.server.application.MissingApplicationPluginException
import io.ktor.server.http.HttpRequestLifecycle
import io.ktor.server.routing.Route
import io.ktor.server.routing.RoutingContext
import io.ktor.server.routing.application
import io.ktor.server.routing.method
import io.ktor.server.routing.route
import io.ktor.server.routing.routing
import io.ktor.server.sse.Heartbeat
import io.ktor.server.sse.ServerSSESession
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes

// A server in a Ktor application, by the names of the official package. Owns: what the parameters mean, and
// which routes there are. Must not know: which server a request belongs to; how an answer is carried.

/**
 * Serves MCP over streamable HTTP at a path of the application: GET, POST and DELETE, for clients with
 * sessions (until 2025-11-25) and for those without (2026-07-28).
 *
 *     embeddedServer(CIO, port = 3000) {
 *         mcpStreamableHttp { configuredServer() }
 *     }.start(wait = true)
 *
 * [block] is called for each session that begins, and for each request of a client without sessions. A
 * server that it makes serves that session or request alone, and is closed at its end. One that was made
 * before, outside of [block], serves all of them and stays open; it is needed if handlers ask clients
 * without sessions something, because the answer comes with a request of its own.
 *
 * Sessions end when the application stops.
 *
 * @param path where it is. Default: `/mcp`.
 * @param enableDnsRebindingProtection whether requests for other hosts are refused; see
 * [DnsRebindingProtection]. Default: they are.
 * @param allowedHosts the hosts that requests may be for, without ports. Default: `localhost`,
 * `127.0.0.1` and `[::1]`.
 * @param allowedOrigins the origins that pages may be of, of which the host counts; requests without an
 * origin are no page's. Default: those of this machine, and any with [allowedHosts].
 * @param eventStore where the events of streams are kept; all endpoints of one server that have a store
 * have the same. Default: in the engine's memory.
 * @param sseHeartbeatConfig how often a stream without events says that it is there. Default: every 15
 * seconds. The engine writes a comment; another `event` is refused.
 * @param sessionIdleTimeout how long a session lives without requests; an open GET stream is none. Its
 * id then gets 404. It cannot be longer than the server's own limit `session_idle` of
 * [ServerOptions.engine]. Default: 30 minutes, which is that limit.
 * @param maxSessions how many sessions may be open; more get 503. Default: 10,000.
 * @param principal who sent a request, if the application has found that out: a session is only for who
 * began it. Default: not known. This package's own.
 * @param block returns the server. It can look at the request.
 * @throws IllegalArgumentException if a parameter cannot be, naming it.
 */
@Suppress("LongParameterList")
public fun Application.mcpStreamableHttp(
    path: String = "/mcp",
    enableDnsRebindingProtection: Boolean = true,
    allowedHosts: List<String>? = null,
    allowedOrigins: List<String>? = null,
    eventStore: EventStore? = null,
    sseHeartbeatConfig: (Heartbeat.() -> Unit)? = null,
    sessionIdleTimeout: Duration = 30.minutes,
    maxSessions: Int = 10_000,
    principal: (ApplicationCall) -> String? = { null },
    block: RoutingContext.() -> Server,
) {
    routing {
        mcpStreamableHttp(
            path, enableDnsRebindingProtection, allowedHosts, allowedOrigins, eventStore, sseHeartbeatConfig, sessionIdleTimeout, maxSessions, principal, block,
        )
    }
}

/**
 * Serves MCP over streamable HTTP at this route, or at a path below it, as [Application.mcpStreamableHttp]
 * does, whose parameters it has. This package's own: for several servers, and for routes with plugins.
 *
 * @throws IllegalArgumentException if a parameter cannot be, naming it.
 */
@Suppress("LongParameterList")
public fun Route.mcpStreamableHttp(
    path: String = "",
    enableDnsRebindingProtection: Boolean = true,
    allowedHosts: List<String>? = null,
    allowedOrigins: List<String>? = null,
    eventStore: EventStore? = null,
    sseHeartbeatConfig: (Heartbeat.() -> Unit)? = null,
    sessionIdleTimeout: Duration = 30.minutes,
    maxSessions: Int = 10_000,
    principal: (ApplicationCall) -> String? = { null },
    block: RoutingContext.() -> Server,
) {
    require(sessionIdleTimeout.isPositive()) { "sessionIdleTimeout must be more than zero, but is $sessionIdleTimeout" }
    require(maxSessions > 0) { "maxSessions must be more than zero, but is $maxSessions" }
    val terms = Terms(
        Terms.Kind.Sessions, sessionIdleTimeout, maxSessions, eventStore = eventStore, keepAlive = sseHeartbeatConfig?.let(::periodOf), principal = principal,
    )
    serve(path, terms, Gate(enableDnsRebindingProtection, allowedHosts, allowedOrigins), block)
}

/**
 * Serves MCP over streamable HTTP without sessions at a path of the application: each POST is answered
 * by itself, GET and DELETE get 405. The parameters are those of [Application.mcpStreamableHttp].
 *
 * @throws IllegalArgumentException if a parameter cannot be, naming it.
 */
public fun Application.mcpStatelessStreamableHttp(
    path: String = "/mcp",
    enableDnsRebindingProtection: Boolean = true,
    allowedHosts: List<String>? = null,
    allowedOrigins: List<String>? = null,
    principal: (ApplicationCall) -> String? = { null },
    block: RoutingContext.() -> Server,
) {
    routing { mcpStatelessStreamableHttp(path, enableDnsRebindingProtection, allowedHosts, allowedOrigins, principal, block) }
}

/**
 * Serves MCP over streamable HTTP without sessions at this route, or at a path below it, as
 * [Application.mcpStatelessStreamableHttp] does. This package's own.
 *
 * @throws IllegalArgumentException if a parameter cannot be, naming it.
 */
public fun Route.mcpStatelessStreamableHttp(
    path: String = "",
    enableDnsRebindingProtection: Boolean = true,
    allowedHosts: List<String>? = null,
    allowedOrigins: List<String>? = null,
    principal: (ApplicationCall) -> String? = { null },
    block: RoutingContext.() -> Server,
): Unit = serve(path, Terms(Terms.Kind.Stateless, principal = principal), Gate(enableDnsRebindingProtection, allowedHosts, allowedOrigins), block)

/**
 * Serves MCP over HTTP+SSE (2024-11-05) at the root of the application: a GET opens a session, whose
 * messages are POSTs to the same path. Deprecated by the protocol; use [Application.mcpStreamableHttp].
 *
 * [block] is called for each session; as there, a server that it makes is closed with its session.
 *
 * @param maxRequestBodySize the largest body that is taken, in bytes; larger ones get 413. Default:
 * 4 MiB. It cannot be more than the server's own limit `max_message_bytes.http_body`, which is 16 MiB.
 * @param block returns the server. It can look at the request by `call`; the engine writes the stream,
 * so that what it `send`s there itself is refused.
 * @throws IllegalArgumentException if a parameter cannot be, naming it.
 */
public fun Application.mcp(
    enableDnsRebindingProtection: Boolean = true,
    allowedHosts: List<String>? = null,
    allowedOrigins: List<String>? = null,
    maxRequestBodySize: Long = MAX_BODY,
    block: ServerSSESession.() -> Server,
) {
    routing { mcp(enableDnsRebindingProtection, allowedHosts, allowedOrigins, maxRequestBodySize, block) }
}

/**
 * Serves MCP over HTTP+SSE (2024-11-05) at a path below this route, as [Application.mcp] does.
 *
 * @throws IllegalArgumentException if a parameter cannot be, naming it.
 */
public fun Route.mcp(
    path: String,
    enableDnsRebindingProtection: Boolean = true,
    allowedHosts: List<String>? = null,
    allowedOrigins: List<String>? = null,
    maxRequestBodySize: Long = MAX_BODY,
    block: ServerSSESession.() -> Server,
) {
    require(maxRequestBodySize > 0) { "maxRequestBodySize must be more than zero, but is $maxRequestBodySize" }
    val terms = Terms(Terms.Kind.Events, mostBody = maxRequestBodySize)
    serve(path, terms, Gate(enableDnsRebindingProtection, allowedHosts, allowedOrigins)) { BeforeTheStream(call).block() }
}

/** Serves MCP over HTTP+SSE (2024-11-05) at this route, as [Application.mcp] does. It needs no plugin. */
public fun Route.mcp(
    enableDnsRebindingProtection: Boolean = true,
    allowedHosts: List<String>? = null,
    allowedOrigins: List<String>? = null,
    maxRequestBodySize: Long = MAX_BODY,
    block: ServerSSESession.() -> Server,
): Unit = mcp("", enableDnsRebindingProtection, allowedHosts, allowedOrigins, maxRequestBodySize, block)

/** The largest body that is taken where nothing else is said, in bytes. */
private const val MAX_BODY: Long = 4L * 1024 * 1024

private fun periodOf(configure: Heartbeat.() -> Unit): Duration {
    val chosen = Heartbeat().apply(configure)
    require(chosen.event == Heartbeat().event) { "sseHeartbeatConfig: the engine writes a comment in place of an event: leave `event` out" }
    require(chosen.period.isPositive()) { "sseHeartbeatConfig: `period` must be more than zero, but is ${chosen.period}" }
    return chosen.period
}

/** Which hosts and origins requests may have. */
private class Gate(private val on: Boolean, private val hosts: List<String>?, private val origins: List<String>?) {
    fun installOn(route: Route) {
        if (!on) return
        route.install(DnsRebindingProtection) {
            allowedHosts = hosts ?: LOCAL_HOSTS
            // A page of another site may come from this machine too, so here its origin counts.
            allowedOrigins = origins ?: LOCAL_ORIGINS.takeIf { hosts == null }
        }
    }
}

private fun Route.serve(path: String, terms: Terms, gate: Gate, block: RoutingContext.() -> Server) {
    val endpoint = Endpoint(terms, application)
    application.monitor.subscribe(ApplicationStopPreparing) { endpoint.close() }
    application.monitor.subscribe(ApplicationStopping) { endpoint.close() }
    route(path) {
        for (verb in terms.kind.methods) {
            // On the method's own route: this one may be the root of the application.
            method(verb) {
                gate.installOn(this)
                noticeLeaving()
                handle { endpoint.serve(call) { block() } }
            }
        }
    }
}

/** A call whose client leaves is cancelled, where the web server can tell. */
private fun Route.noticeLeaving() {
    try {
        plugin(HttpRequestLifecycle)
    } catch (@Suppress("SwallowedException") none: MissingApplicationPluginException) {
        install(HttpRequestLifecycle) { cancelCallOnClose = true }
    }
}

private val Terms.Kind.methods: List<HttpMethod>
    get() = if (this == Terms.Kind.Events) listOf(HttpMethod.Get, HttpMethod.Post) else listOf(HttpMethod.Get, HttpMethod.Post, HttpMethod.Delete)
