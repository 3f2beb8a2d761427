package dev.mcpbolt

import kotlinx.serialization.json.JsonObject

// What the engine knows of connections and calls, as types. Must not know: who asks it.

/** The eras of the protocol. */
public enum class Era {
    /** 2024-11-05 to 2025-11-25: a connection begins with `initialize`. */
    Legacy,

    /** From 2026-07-28 on: each request says who sends it. */
    Modern,
}

/** How a client and a server are connected. Kinds of later versions are kept. */
public data class TransportKind(override val value: String) : Word {
    override fun toString(): String = value

    public companion object {
        /** The standard streams of a process. */
        public val Stdio: TransportKind = TransportKind("stdio")

        /** Streamable HTTP. */
        public val Http: TransportKind = TransportKind("http")

        /** HTTP+SSE (2024-11-05). */
        public val Sse: TransportKind = TransportKind("sse")

        /** Within this process. */
        public val Memory: TransportKind = TransportKind("memory")

        /** A transport of the program's. */
        public val Custom: TransportKind = TransportKind("custom")
    }
}

/** What both sides know of a connection. What has no name here is in [json]. */
public abstract class PeerInfo internal constructor(final override val json: JsonObject) : HasJson {
    /** Which members there are, without what is in them: headers and session ids are secrets. */
    final override fun toString(): String = "${javaClass.simpleName}${json.keys}"

    /** The revision that both sides speak; `null` until it is agreed on. */
    public val protocolVersion: String? get() = json.find("revision")?.text()

    /** The era of that revision. */
    public val era: Era? get() = when (json.tag("era")) {
        "legacy" -> Era.Legacy
        "modern" -> Era.Modern
        else -> null
    }

    /** How the two are connected; `null` once the connection is over. */
    public val transport: TransportKind? get() = json.find("transport")?.let { TransportKind(it.text()) }
}

/** What a client's engine knows of its connection; empty once that is over. What has no name here is in [json]. */
public class ConnectionInfo internal constructor(json: JsonObject) : PeerInfo(json) {
    /** The id of the session over HTTP, which is a secret; `null` where there is none. */
    public val sessionId: String? get() = json.find("sessionId")?.text()

    /** The process id of a server that the engine started. */
    public val process: Long? get() = json.find("process")?.long()

    /** How many requests of this client wait for their answers. */
    public val inFlight: Int get() = json.find("inFlight")?.int() ?: 0

    /** The server's name and version. */
    public val serverInfo: Implementation? get() = json.find("serverInfo")?.let { Implementation.of(it.obj()) }

    /** What the server can do. */
    public val capabilities: ServerCapabilities? get() = json.find("capabilities")?.let { ServerCapabilities.of(it.obj()) }

    /** What the server says of its use. */
    public val instructions: String? get() = json.find("instructions")?.text()

    /** The server's answer to `initialize` or `server/discover`, as it came. */
    public val handshake: JsonObject? get() = json.find("handshake") as? JsonObject

    internal companion object {
        /** From the engine's text; `null`: it knows nothing. */
        fun of(text: String?): ConnectionInfo = ConnectionInfo(text?.let { parse(it).obj() } ?: EmptyJsonObject)
    }
}

/**
 * What a server's engine knows of a call, or of a connection outside of calls; empty once that is over.
 * What has no name here is in [json].
 */
public class CallInfo internal constructor(json: JsonObject) : PeerInfo(json) {
    /** The id of the request; `null` outside of calls. */
    public val requestId: RequestId? get() = json.find("id")?.primitive()

    /** The client's address and port, if the engine has the socket. */
    public val peer: String? get() = json.find("peer")?.text()

    /** The id of who sent the call, if credentials were checked; [ClientConnection.principal] has more. */
    public val principal: String? get() = json.find("principal")?.text()

    /** The headers of the request over HTTP, in their order; empty on other transports. */
    public val headers: List<Pair<String, String>>
        get() = json.find("headers")?.list { row -> row.array().let { it[0].text() to it[1].text() } }.orEmpty()

    /** The URL that the request over HTTP was sent to, with its query. */
    public val target: String? get() = json.find("target")?.text()

    /** What the client calls itself. It is not verified. */
    public val clientInfo: Implementation? get() = json.find("clientInfo")?.let { Implementation.of(it.obj()) }

    /** What the client can do. */
    public val clientCapabilities: ClientCapabilities? get() = json.find("clientCapabilities")?.let { ClientCapabilities.of(it.obj()) }

    /** The request's `_meta`. */
    public val meta: JsonObject get() = json.find("meta") as? JsonObject ?: EmptyJsonObject

    /** The client's answers to the [Questions] of an earlier round, by their keys. */
    public val inputResponses: JsonObject get() = json.find("inputResponses") as? JsonObject ?: EmptyJsonObject

    /** The state of the [Questions] of an earlier round. */
    public val requestState: String? get() = json.find("requestState")?.text()

    /** The id of the task that the call is, if it is one. */
    public val taskId: String? get() = json.find("task")?.text()

    /** Whether the client gave up on the call. */
    public val isCancelled: Boolean get() = json.find("cancelled")?.flag() ?: false

    /** The first HTTP header with this name, in any case; `null` on other transports. */
    public fun header(name: String): String? = headers.firstOrNull { it.first.equals(name, true) }?.second

    internal companion object {
        /** From the engine's text; `null`: it knows nothing. */
        fun of(text: String?): CallInfo = CallInfo(text?.let { parse(it).obj() } ?: EmptyJsonObject)
    }
}
