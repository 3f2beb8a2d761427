package dev.mcpbolt

import io.ktor.client.HttpClient
import io.ktor.client.request.HttpRequestBuilder
import kotlinx.serialization.json.JsonObject
import kotlin.math.roundToInt
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

// Clients whose requests a Ktor HttpClient carries, by the names of the official package. Owns: what the
// parameters mean for the engine. Must not know: how a request is sent.

/**
 * How a stream that was lost is opened again; [Reconnect] has more.
 *
 * @property initialReconnectionDelay the first wait, unless the server names one. Default: 1 second.
 * @property maxReconnectionDelay the longest wait. Default: 30 seconds.
 * @property reconnectionDelayMultiplier each wait, in those of the one before. Default: 1.5.
 * @property maxRetries fruitless attempts in a row after which it is given up. Default: 2.
 */
public class ReconnectionOptions(
    public val initialReconnectionDelay: Duration = 1.seconds,
    public val maxReconnectionDelay: Duration = 30.seconds,
    public val reconnectionDelayMultiplier: Double = 1.5,
    public val maxRetries: Int = 2,
) {
    internal val json: JsonObject
        get() = HttpOptions(
            reconnect = Reconnect(
                initialReconnectionDelay, maxReconnectionDelay, maxRetries, growthPercent = (reconnectionDelayMultiplier * PERCENT).roundToInt(),
            ),
        ).json

    private companion object {
        const val PERCENT = 100
    }
}

/**
 * A server at a URL, over streamable HTTP, with requests that a Ktor [client] carries: its engine, plugins
 * and certificates hold. Whoever made the client closes it. It needs no plugin.
 *
 * Its time limits for whole requests are not used for these: streams are open for long, and the engine has
 * limits of its own. An answer that a redirect brought from another origin is refused.
 *
 * @param maxInlineSseEventSize the longest message that is taken, in bytes. Default: 16 MiB.
 * @param requestBuilder called for each request, with what the engine sends already in it; such as for
 * headers of the program's own.
 */
public fun StreamableHttpClientTransport(
    client: HttpClient,
    url: String,
    reconnectionOptions: ReconnectionOptions = ReconnectionOptions(),
    maxInlineSseEventSize: Int = MAX_MESSAGE,
    requestBuilder: HttpRequestBuilder.() -> Unit = {},
): StreamableHttpClientTransport {
    require(maxInlineSseEventSize > 0) { "maxInlineSseEventSize must be more than zero, but is $maxInlineSseEventSize" }
    val options = JsonObject(reconnectionOptions.json + objectOf("max_message_bytes" to maxInlineSseEventSize))
    return StreamableHttpClientTransport(url, options = options, carrier = KtorCarrier(client, requestBuilder))
}

/** A transport to a server at a URL, over streamable HTTP, with requests that this client carries; see [StreamableHttpClientTransport]. */
public fun HttpClient.mcpStreamableHttpTransport(
    url: String,
    reconnectionOptions: ReconnectionOptions = ReconnectionOptions(),
    requestBuilder: HttpRequestBuilder.() -> Unit = {},
): StreamableHttpClientTransport = StreamableHttpClientTransport(this, url, reconnectionOptions, requestBuilder = requestBuilder)

/**
 * A client that is connected to a server at a URL, over streamable HTTP, with requests that this client
 * carries; see [StreamableHttpClientTransport].
 *
 * @throws McpTransportException if the server cannot be reached.
 */
public suspend fun HttpClient.mcpStreamableHttp(
    url: String,
    reconnectionOptions: ReconnectionOptions = ReconnectionOptions(),
    requestBuilder: HttpRequestBuilder.() -> Unit = {},
): Client = connected(mcpStreamableHttpTransport(url, reconnectionOptions, requestBuilder))

/**
 * A server at a URL, over HTTP+SSE (2024-11-05), with requests that a Ktor [client] carries, as
 * [StreamableHttpClientTransport] says. Deprecated by the protocol.
 *
 * @param urlString the URL.
 * @param reconnectionTime the first wait before a lost connection is opened again. Default: 1 second.
 * @throws IllegalArgumentException without a URL: there is no default for it.
 */
public fun SseClientTransport(
    client: HttpClient,
    urlString: String?,
    reconnectionTime: Duration? = null,
    requestBuilder: HttpRequestBuilder.() -> Unit = {},
): SseClientTransport {
    val url = requireNotNull(urlString) { "urlString: say which URL the server is at" }
    val options = HttpOptions(reconnect = reconnectionTime?.let { Reconnect(it) })
    return SseClientTransport(url, options = options, carrier = KtorCarrier(client, requestBuilder))
}

/** A transport to a server at a URL, over HTTP+SSE (2024-11-05), with requests that this client carries; see [SseClientTransport]. */
public fun HttpClient.mcpSseTransport(
    urlString: String? = null,
    reconnectionTime: Duration? = null,
    requestBuilder: HttpRequestBuilder.() -> Unit = {},
): SseClientTransport = SseClientTransport(this, urlString, reconnectionTime, requestBuilder)

/**
 * A client that is connected to a server at a URL, over HTTP+SSE (2024-11-05), with requests that this
 * client carries; see [SseClientTransport].
 *
 * @throws McpTransportException if the server cannot be reached.
 */
public suspend fun HttpClient.mcpSse(
    urlString: String? = null,
    reconnectionTime: Duration? = null,
    requestBuilder: HttpRequestBuilder.() -> Unit = {},
): Client = connected(mcpSseTransport(urlString, reconnectionTime, requestBuilder))

private const val MAX_MESSAGE = 16 * 1024 * 1024

private suspend fun connected(transport: Transport): Client =
    Client(Implementation("mcpbolt-ktor", KtorCarrier::class.java.`package`?.implementationVersion ?: "0")).also { it.connect(transport) }
