package dev.mcpbolt

import io.ktor.server.application.ApplicationCall
import kotlinx.serialization.json.JsonObject
import kotlin.time.Duration

// What was agreed on for one endpoint. Owns: how that reads for the engine. Must not know: routes, sessions.

/** What one endpoint was told. */
internal class Terms(
    val kind: Kind,
    val idle: Duration = Duration.INFINITE,
    val mostSessions: Int = Int.MAX_VALUE,
    val mostBody: Long? = null,
    val eventStore: EventStore? = null,
    private val keepAlive: Duration? = null,
    val principal: (ApplicationCall) -> String? = { null },
) {
    /** How clients are served. */
    enum class Kind {
        /** Streamable HTTP with sessions. */
        Sessions,

        /** Streamable HTTP without. */
        Stateless,

        /** HTTP+SSE. */
        Events,
    }

    /** The options of the engine's endpoint. Hosts and origins were looked at before. */
    val http: JsonObject = objectOf(
        "path" to PATH,
        "guard" to false,
        "sessions" to if (kind == Kind.Sessions) "stateful" else "none",
        "sse" to (kind == Kind.Events),
        "sse_path" to EVENTS,
        "message_path" to MESSAGES,
        "keep_alive" to keepAlive?.forEngine(),
    )

    companion object {
        /** Where the endpoint is for the engine, wherever it is for clients. */
        const val PATH: String = "/mcp"
        const val EVENTS: String = "/mcp/events"
        const val MESSAGES: String = "/mcp/messages"
    }
}
