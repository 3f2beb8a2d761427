package dev.mcpbolt

import kotlinx.serialization.json.JsonObject
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.CopyOnWriteArrayList

// Who a client is, and what its program has registered with it. Must not know: connections.

/** A request of the server, and a way back to it. */
internal class Asked(val params: JsonObject?, val extra: RequestHandlerExtra)

internal typealias AskHandler = suspend (Asked) -> Record

/** What a session needs of its client: who it is, what it answers, and what it wants to be told. */
internal class Handlers(val clientInfo: Implementation, val options: ClientOptions) {
    val requestHandlers = ConcurrentHashMap<String, AskHandler>()
    val notificationHandlers = ConcurrentHashMap<String, NotificationHandler>()
    val closed = CopyOnWriteArrayList<() -> Unit>()

    @Volatile var toolReview: ToolReview = ToolReview.AllowAll

    @Volatile var onError: (kind: String, message: String) -> Unit = { kind, message -> if (kind == "internal") System.err.println(message) }

    fun ended(): Unit = closed.forEach { it() }
}
