package dev.mcpbolt

import kotlinx.serialization.json.JsonObject

// Guard rails as functions of the program: access, audit, what errors say. Owns: what the functions
// receive and return. Must not know: who calls them.

/** The decision about an [Action]. */
public sealed interface Verdict {
    public object Allow : Verdict

    /** Answers as if the item did not exist: unknown, and in no list. */
    public object Hide : Verdict

    /** The item is listed but refused; the client gets the reason. */
    public class Deny(public val reason: String) : Verdict
}

/**
 * Something a client wants to do, or an entry of a list it wants to see.
 *
 * @property verb `call`, `read`, `get`, `complete`, `subscribe` or `list`.
 * @property thing `tool`, `resource`, `template`, `prompt` or, of an extension, `method`.
 * @property name the name, or the URI of a resource.
 */
public class Action internal constructor(public val verb: String, public val thing: String, public val name: String)

/** The client that wants to do something. */
public class Asker internal constructor(private val json: JsonObject) {
    /** Identifies the connection or session within this process. */
    public val sessionId: String get() = json.need("connection").primitive().content

    /** How the client is connected: `stdio`, `memory`, `http`… */
    public val transport: String get() = json.need("transport").text()

    /** The client's address and port, if the engine has the socket. */
    public val peer: String? get() = json.find("peer")?.text()

    /** The authenticated user, if credentials were checked. */
    public val principal: String? get() = json.find("principal")?.text()

    /** What the client calls itself. It is not verified. */
    public val clientVersion: Implementation? get() = json.find("clientInfo")?.let { Implementation.of(it.obj()) }

    /** The protocol revision that the client speaks. */
    public val revision: String get() = json.need("revision").text()

    /** The first HTTP header with this name, in any case; `null` on other transports. */
    public fun header(name: String): String? =
        json.find("headers")?.array()?.map { it.array() }?.firstOrNull { it[0].text().equals(name, true) }?.get(1)?.text()
}

/** The destination of audit records. */
public sealed interface Audit {
    /** Appends records to a file, as JSON lines. */
    public class File(public val path: String) : Audit

    /**
     * Calls a function with one record after the other. Records it is too slow for are lost; it is
     * told how many: `{"lost": n}`.
     */
    public class Each(public val take: suspend (record: JsonObject) -> Unit) : Audit
}

/** What clients are told about exceptions that are neither an [McpException] nor a [ToolException]. */
public enum class ErrorDetail {
    /** "internal error" and an id, under which [Server.onError] gets the details. */
    Masked,

    /** The message of the exception. */
    Message,
}
