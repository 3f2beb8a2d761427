package dev.mcpbolt

// One listener of a server. Must not know: the server.

/**
 * A running HTTP server.
 *
 * @property address the address that it listens on.
 * @property port the port that it listens on.
 */
public class HttpListener internal constructor(
    private val stop: suspend () -> Unit,
    internal val number: ULong,
    public val address: String,
    public val port: Int,
    private val scheme: String,
    private val path: String,
) {
    /** The URL of the endpoint: `https` if it has a certificate, with the path that was chosen. */
    public val url: String get() = "$scheme://${if (':' in address) "[$address]" else address}:$port$path"

    /** Closes the listener; running calls may finish first. */
    public suspend fun close(): Unit = stop()
}
