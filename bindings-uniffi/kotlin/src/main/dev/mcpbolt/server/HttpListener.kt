package dev.mcpbolt

// One listener of a server. Must not know: the server.

/** A running HTTP server. */
public class HttpListener internal constructor(private val stop: suspend () -> Unit, internal val number: ULong, public val address: String, public val port: Int) {
    /** The URL of the endpoint. */
    public val url: String get() = "http://${if (':' in address) "[$address]" else address}:$port/mcp"

    /** Closes the listener; running calls may finish first. */
    public suspend fun close(): Unit = stop()
}
