package dev.mcpbolt

import kotlinx.serialization.json.JsonObject
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.CopyOnWriteArrayList

// Who a client is, and what its program has registered with it. Must not know: connections.

internal typealias AskHandler = suspend (JsonObject?) -> Record

/** What a session needs of its client: who it is, what it answers, and what it wants to be told. */
internal class Handlers(val clientInfo: Implementation, val options: ClientOptions) {
    val requestHandlers = ConcurrentHashMap<String, AskHandler>()
    val notificationHandlers = ConcurrentHashMap<String, suspend (Notification) -> Unit>()
    val closed = CopyOnWriteArrayList<() -> Unit>()

    @Volatile var toolReview: ToolReview = ToolReview.AllowAll

    @Volatile var onError: (kind: String, message: String) -> Unit = { kind, message -> if (kind == "internal") System.err.println(message) }

    fun ended(): Unit = closed.forEach { it() }
}
