package dev.mcpbolt

import kotlinx.serialization.json.JsonObject
import kotlin.time.Duration
import kotlin.time.Duration.Companion.microseconds

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
 * @property verb what it wants to do.
 * @property thing what it wants to do that with.
 * @property name the name, or the URI of a resource.
 */
public class Action internal constructor(public val verb: Verb, public val thing: Thing, public val name: String) {
    /** What a client wants to do. */
    public data class Verb(override val value: String) : Word {
        override fun toString(): String = value

        public companion object {
            /** To call a tool, or a method of an extension. */
            public val Call: Verb = Verb("call")

            /** To read a resource. */
            public val Read: Verb = Verb("read")

            /** To get a prompt. */
            public val Get: Verb = Verb("get")

            /** To have an argument of a prompt or template completed. */
            public val Complete: Verb = Verb("complete")

            /** To be told of changes of a resource. */
            public val Subscribe: Verb = Verb("subscribe")

            /** To see it in a list. */
            public val List: Verb = Verb("list")
        }
    }

    /** What something is done with. */
    public data class Thing(override val value: String) : Word {
        override fun toString(): String = value

        public companion object {
            /** A tool. */
            public val Tool: Thing = Thing("tool")

            /** A resource. */
            public val Resource: Thing = Thing("resource")

            /** A resource template. */
            public val Template: Thing = Thing("template")

            /** A prompt. */
            public val Prompt: Thing = Thing("prompt")

            /** A method of an extension. */
            public val Method: Thing = Thing("method")
        }
    }
}

/** The client that wants to do something. */
public class Asker internal constructor(private val json: JsonObject) {
    /** Identifies the connection or session within this process. */
    public val sessionId: String get() = json.need("connection").primitive().content

    /** How the client is connected. */
    public val transport: TransportKind get() = TransportKind(json.need("transport").text())

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
     * Calls a function with one record after the other. Those it is too slow for are lost.
     *
     * @property lost told how many were lost before the next record. Default: [Server.onError] is.
     */
    public class Each(public val lost: (suspend (records: Long) -> Unit)? = null, public val take: suspend (record: AuditRecord) -> Unit) : Audit
}

/** Who called what, when, and how it ended; never with which arguments. All of it is in [json]. */
public class AuditRecord internal constructor(members: Members) : Record(members) {
    /** When the request arrived, in microseconds since 1970. */
    public val time: Long get() = json.need("time").long()

    /** The number of its connection or session in this process. */
    public val session: Long get() = json.need("session").long()

    /** Who sent it, if credentials were checked. */
    public val principal: String? get() = json.find("principal")?.text()

    /** Name and version that the client gives itself. */
    public val client: String? get() = json.find("client")?.text()

    /** The method. */
    public val method: Method get() = Method.of(json.need("method").text())

    /** The tool or prompt, or the URI of the resource. */
    public val name: String? get() = json.find("name")?.text()

    /** `sha256:` and the digest of the arguments in canonical form, in hexadecimal. */
    public val arguments: String? get() = json.find("arguments")?.text()

    /** How it ended. */
    public val outcome: Outcome get() = Outcome(json.need("outcome").text())

    /** From arrival to answer. */
    public val duration: Duration get() = json.need("duration").long().microseconds

    /** Size of the result or error, in bytes. */
    public val bytes: Long get() = json.need("bytes").long()

    /** How a request ended. Outcomes of later versions are kept. */
    public data class Outcome(override val value: String) : Word {
        override fun toString(): String = value

        public companion object {
            /** With a result. */
            public val Result: Outcome = Outcome("result")

            /** With a result that tells the model of a failure. */
            public val ToolError: Outcome = Outcome("tool_error")

            /** With questions to the client; its retry is a request of its own. */
            public val InputRequired: Outcome = Outcome("input_required")

            /** With an error. */
            public val Error: Outcome = Outcome("error")

            /** With nothing: it was cancelled, or its connection ended. */
            public val Cancelled: Outcome = Outcome("cancelled")
        }
    }
}

/** What clients are told about exceptions that are neither an [McpException] nor a [ToolException]. */
public enum class ErrorDetail {
    /** "internal error" and an id, under which [Server.onError] gets the details. */
    Masked,

    /** The message of the exception. */
    Message,
}
