package dev.mcpbolt

import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.withContext

// Clients and servers that live as long as a block. Must not know: what closing them does.

/**
 * Runs [block] with this client and closes it, however the block ends: also when its coroutine is
 * cancelled, so that a connection ends with the scope that it belongs to.
 *
 *     coroutineScope {
 *         mcpClient(about, transport = StreamableHttpClientTransport(url)).use { client ->
 *             client.callTool("forecast", mapOf("city" to "Rome"))
 *         }
 *     }
 */
public suspend inline fun <R> Client.use(block: (Client) -> R): R =
    try {
        block(this)
    } finally {
        withContext(NonCancellable) { close() }
    }

/** Runs [block] with this server and closes it, however the block ends; a closed server stays closed. */
public suspend inline fun <R> Server.use(block: (Server) -> R): R =
    try {
        block(this)
    } finally {
        withContext(NonCancellable) { close() }
    }
