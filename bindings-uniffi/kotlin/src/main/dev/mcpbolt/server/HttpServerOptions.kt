package dev.mcpbolt

import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlin.time.Duration

// What may be chosen for a server over HTTP on the engine's own threads, as types. What is left out is the
// engine's default. Must not know: the server.

/** How answers over HTTP are written. */
public enum class ResponseMode {
    /** As JSON, and as an event stream where there is more to say than the answer. The default. */
    Auto,

    /** As JSON: progress and questions of a call do not reach its client. */
    Json,

    /** As an event stream. */
    Sse,
}

/**
 * A certificate of a server.
 *
 * @property certificate the path of the file with the chain, as PEM.
 * @property key the path of the file with the private key, as PEM.
 */
public class TlsFiles(public val certificate: String, public val key: String)

/**
 * Options of a server over HTTP.
 *
 * @property path where the endpoint is. Default: `/mcp`.
 * @property sse whether clients of 2024 are served too, at `/sse`. Default: yes.
 * @property sessions whether legacy clients have sessions. Default: yes.
 * @property response how answers are written.
 * @property streamAfter when an answer that is not there yet becomes a stream; [Duration.INFINITE]: not
 * before there is something to say. Default: 100 milliseconds.
 * @property allowedHosts the hosts that requests may be for: `tools.example.com`, `*.example.com`, and with
 * another port than the standard ones `127.0.0.1:8000` or `127.0.0.1:*`. Default: the names of this machine
 * on a loopback address, else any.
 * @property allowedOrigins the origins that pages may be of, such as `https://example.com`. Default: those
 * of this machine on a loopback address, else none.
 * @property cors whether pages of allowed origins may read answers. Default: no.
 * @property tls the certificate; HTTP without TLS if it is `null`.
 * @property trustedProxies addresses and networks, such as `10.0.0.0/8`, whose `Forwarded` and
 * `X-Forwarded-For` are believed. Default: none.
 * @property keepAlive how often a stream without events says that it is there. Default: every 15 seconds.
 * @property health the path of a page that says whether the server is well (200, or 503 while it ends);
 * none by default.
 * @property ready the path of a page that says whether it takes new clients; none by default.
 * @property metrics the path of the counters as Prometheus' text, for who may use the server; none by
 * default.
 * @property shutdownDelay how long all is served while `health` and `ready` say 503 already. Default: zero.
 * @property drain how long calls may go on once the listener was closed. Default: 10 seconds.
 * @property halfOpen how long a session may live on `initialize` alone. Default: 30 seconds.
 * @property idle how long a connection may stay open without a request. Default: 5 minutes.
 */
@Suppress("LongParameterList")
public class HttpServerOptions(
    public val path: String? = null,
    public val sse: Boolean = true,
    public val sessions: Boolean = true,
    public val response: ResponseMode = ResponseMode.Auto,
    public val streamAfter: Duration? = null,
    public val allowedHosts: List<String> = emptyList(),
    public val allowedOrigins: List<String> = emptyList(),
    public val cors: Boolean = false,
    public val tls: TlsFiles? = null,
    public val trustedProxies: List<String> = emptyList(),
    public val keepAlive: Duration? = null,
    public val health: String? = null,
    public val ready: String? = null,
    public val metrics: String? = null,
    public val shutdownDelay: Duration? = null,
    public val drain: Duration? = null,
    public val halfOpen: Duration? = null,
    public val idle: Duration? = null,
) {
    internal val json: JsonObject
        get() = objectOf(
            "path" to path,
            "sse" to sse,
            "sessions" to if (sessions) "stateful" else "none",
            "response" to response.name.lowercase(),
            "stream_after_ms" to streamAfter?.let { if (it.isFinite()) JsonPrimitive(it.inWholeMilliseconds) else JsonNull },
            "allowed_hosts" to allowedHosts,
            "allowed_origins" to allowedOrigins,
            "cors" to cors,
            "tls" to tls?.let { objectOf("certificate" to it.certificate, "key" to it.key) },
            "trusted_proxies" to trustedProxies,
            "keep_alive" to keepAlive?.forEngine(),
            "health" to health,
            "ready" to ready,
            "metrics" to metrics,
            "shutdown_delay" to shutdownDelay?.forEngine(),
            "drain" to drain?.forEngine(),
            "half_open" to halfOpen?.forEngine(),
            "idle" to idle?.forEngine(),
        )
}
