package dev.mcpbolt

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.contentOrNull

// Errors as exceptions. Owns: the class and the code of each kind of error. Must not know: who throws
// them, and in which form they cross to the engine.

/**
 * What fails: an error that a peer answered with ([McpPeerException] and the classes below it), or a
 * failure on this side ([McpLocalException] and those below it).
 *
 * A handler that throws one answers with its [code], message and [data].
 *
 * @property code the JSON-RPC error code.
 * @property data additional information about the error.
 * @property kind the kind of error, with the same name in every language: `invalid_params`,
 * `timeout`, `closed`…
 */
public sealed class McpException(
    public val code: Int,
    message: String,
    public val data: JsonElement?,
    public val kind: String,
    cause: Throwable?,
) : Exception(message, cause) {
    /** Whether the failure occurred on this side; if not, the peer sent the error. */
    public val isLocal: Boolean get() = this is McpLocalException

    /** A member of the data, which a peer may write as it likes. */
    internal fun member(name: String): JsonElement? = (data as? JsonObject)?.get(name)

    public companion object {
        /** Creates an error to answer with, of the class that its code has: [McpInvalidParamsException] for -32602. */
        public operator fun invoke(
            code: Int,
            message: String = "MCP error $code",
            data: JsonElement? = null,
            cause: Throwable? = null,
        ): McpPeerException = ANSWERS[code]?.invoke(code, message, data, cause) ?: McpPeerException(code, message, data, cause)
    }
}

/** Thrown by a tool's handler for the model: the result is this message with `isError`, whatever [ErrorDetail] says. */
public open class ToolException(message: String) : Exception(message)

/**
 * An error of the protocol, which a peer sent or a handler answers with. Common codes have classes of
 * their own; one with any other code is of this class, and its kind is `peer`. Programs may extend it.
 */
public open class McpPeerException internal constructor(code: Int, message: String, data: JsonElement?, kind: String, cause: Throwable?) :
    McpException(code, message, data, kind, cause) {
    /** Creates an error to answer with. */
    @JvmOverloads
    public constructor(code: Int, message: String = "MCP error $code", data: JsonElement? = null, cause: Throwable? = null) :
        this(code, message, data, KINDS[code] ?: "peer", cause)
}

/** What was sent is no JSON (-32700). */
public class McpParseException internal constructor(code: Int, message: String, data: JsonElement?, cause: Throwable? = null) :
    McpPeerException(code, message, data, "parse", cause)

/** What was sent is no request, or none for now (-32600). */
public class McpInvalidRequestException internal constructor(code: Int, message: String, data: JsonElement?, cause: Throwable? = null) :
    McpPeerException(code, message, data, "invalid_request", cause)

/** The peer does not have the method (-32601). */
public class McpMethodNotFoundException internal constructor(code: Int, message: String, data: JsonElement?, cause: Throwable? = null) :
    McpPeerException(code, message, data, "method_not_found", cause)

/** The parameters do not fit the method: a member is missing or wrong, or names what is not there (-32602). */
public class McpInvalidParamsException internal constructor(code: Int, message: String, data: JsonElement?, cause: Throwable? = null) :
    McpPeerException(code, message, data, "invalid_params", cause)

/** The peer failed (-32603). */
public class McpInternalException internal constructor(code: Int, message: String, data: JsonElement?, cause: Throwable? = null) :
    McpPeerException(code, message, data, "internal", cause)

/** The resource does not exist (-32002; -32602 from 2026-07-28 on). */
public class ResourceNotFoundException internal constructor(code: Int, message: String, data: JsonElement?, cause: Throwable? = null) :
    McpPeerException(code, message, data, "resource_not_found", cause) {
    /** The URI that was asked for; `null` if the peer does not say it. */
    public val uri: String? get() = member("uri")?.words()
}

/** The user has to visit URLs first; they are in [data] (-32042). */
public class UrlElicitationRequiredException internal constructor(code: Int, message: String, data: JsonElement?, cause: Throwable? = null) :
    McpPeerException(code, message, data, "url_elicitation_required", cause) {
    /** The URLs to visit. */
    public val elicitations: List<ElicitRequestURLParams>
        get() = (data as? JsonObject)?.let { UrlElicitationRequiredData.of(it).elicitations }.orEmpty()
}

/** The headers of an HTTP request contradict its body (-32020, from 2026-07-28 on). */
public class HeaderMismatchException internal constructor(code: Int, message: String, data: JsonElement?, cause: Throwable? = null) :
    McpPeerException(code, message, data, "header_mismatch", cause)

/** The client did not declare what the request needs (-32021, from 2026-07-28 on). */
public class MissingClientCapabilityException internal constructor(code: Int, message: String, data: JsonElement?, cause: Throwable? = null) :
    McpPeerException(code, message, data, "missing_client_capability", cause) {
    /** What it has to declare; `null` if the peer does not say it. */
    public val requiredCapabilities: ClientCapabilities?
        get() = (member("requiredCapabilities") as? JsonObject)?.let(ClientCapabilities::of)
}

/** The peer does not speak the protocol revision (-32022; -32602 until 2025-11-25). */
public class UnsupportedProtocolVersionException internal constructor(code: Int, message: String, data: JsonElement?, cause: Throwable? = null) :
    McpPeerException(code, message, data, "unsupported_protocol_version", cause) {
    /** The revisions that the peer speaks. Empty if it does not say them. */
    public val supported: List<String> get() = (member("supported") as? JsonArray)?.mapNotNull { it.words() }.orEmpty()

    /** The revision that it was asked for; `null` if it does not say it. */
    public val requested: String? get() = member("requested")?.words()
}

/** The server answers no more requests of this client for a while (429). */
public class RateLimitedException internal constructor(code: Int, message: String, data: JsonElement?, cause: Throwable? = null) :
    McpPeerException(code, message, data, "rate_limited", cause)

/** A person, or a rule of the client's, refused (-1). */
public open class McpRejectedException internal constructor(code: Int, message: String, data: JsonElement?, cause: Throwable? = null) :
    McpPeerException(code, message, data, "rejected", cause)

/** A failure on this side, which no peer sent. */
public sealed class McpLocalException(code: Int, message: String, data: JsonElement?, kind: String) :
    McpException(code, message, data, kind, null)

/** No answer arrived in time. */
public class McpTimeoutException internal constructor(code: Int, message: String, data: JsonElement?) :
    McpLocalException(code, message, data, "timeout")

/** The connection is closed. */
public class McpClosedException internal constructor(code: Int, message: String, data: JsonElement?) :
    McpLocalException(code, message, data, "closed")

/** The request was cancelled. */
public class McpCancelledException internal constructor(code: Int, message: String, data: JsonElement?) :
    McpLocalException(code, message, data, "cancelled")

/** A limit of this side was reached; nothing was sent. */
public class McpOverloadedException internal constructor(code: Int, message: String, data: JsonElement?) :
    McpLocalException(code, message, data, "overloaded") {
    /** The limit, by its name in docs/reference/limits.md; `null` if it is not known. */
    public val reason: String? get() = member("reason")?.words()
}

/** The server cannot be reached. */
public class McpTransportException internal constructor(code: Int, message: String, data: JsonElement?) :
    McpLocalException(code, message, data, "transport")

/** The peer violated the protocol. Also thrown when a result's members are read and do not match their type. */
public open class McpProtocolException internal constructor(code: Int, message: String, data: JsonElement?) :
    McpLocalException(code, message, data, "protocol")

/** A received value does not match its type. Thrown when the value is read. */
internal class ShapeException(message: String) : McpProtocolException(INTERNAL, message, null)

/** The server requires authentication. */
public class UnauthorizedException internal constructor(code: Int, message: String, data: JsonElement?) :
    McpLocalException(code, message, data, "unauthorized")

/** The credentials do not permit the request. */
public class ForbiddenException internal constructor(code: Int, message: String, data: JsonElement?) :
    McpLocalException(code, message, data, "forbidden")

/** A store failed. */
public class McpStoreException internal constructor(code: Int, message: String, data: JsonElement?) :
    McpLocalException(code, message, data, "store")

/** The program used the API wrongly; the message says what to do instead. */
public class McpUsageException internal constructor(code: Int, message: String, data: JsonElement?) :
    McpLocalException(code, message, data, "usage")

private fun JsonElement.words(): String? = (this as? JsonPrimitive)?.contentOrNull

internal const val INVALID_PARAMS = -32602
internal const val INTERNAL = -32603
internal const val METHOD_NOT_FOUND = -32601
internal const val REJECTED = -1

/** Kinds that a code alone tells. */
private val KINDS = mapOf(
    -32700 to "parse",
    -32600 to "invalid_request",
    METHOD_NOT_FOUND to "method_not_found",
    INVALID_PARAMS to "invalid_params",
    INTERNAL to "internal",
    -32020 to "header_mismatch",
    -32021 to "missing_client_capability",
    -32022 to "unsupported_protocol_version",
    -32042 to "url_elicitation_required",
    REJECTED to "rejected",
)
private val PEERS: Map<String, (Int, String, JsonElement?, Throwable?) -> McpPeerException> = mapOf(
    "parse" to ::McpParseException,
    "invalid_request" to ::McpInvalidRequestException,
    "method_not_found" to ::McpMethodNotFoundException,
    "invalid_params" to ::McpInvalidParamsException,
    "internal" to ::McpInternalException,
    "resource_not_found" to ::ResourceNotFoundException,
    "url_elicitation_required" to ::UrlElicitationRequiredException,
    "header_mismatch" to ::HeaderMismatchException,
    "missing_client_capability" to ::MissingClientCapabilityException,
    "unsupported_protocol_version" to ::UnsupportedProtocolVersionException,
    "rate_limited" to ::RateLimitedException,
    "rejected" to ::McpRejectedException,
)
private val ANSWERS = KINDS.mapValues { PEERS.getValue(it.value) }
private val LOCAL: Map<String, (Int, String, JsonElement?) -> McpLocalException> = mapOf(
    "timeout" to ::McpTimeoutException,
    "closed" to ::McpClosedException,
    "cancelled" to ::McpCancelledException,
    "overloaded" to ::McpOverloadedException,
    "transport" to ::McpTransportException,
    "protocol" to ::McpProtocolException,
    "unauthorized" to ::UnauthorizedException,
    "forbidden" to ::ForbiddenException,
    "store" to ::McpStoreException,
    "usage" to ::McpUsageException,
)

internal fun failure(kind: String, message: String, code: Int = INTERNAL, data: JsonElement? = null): McpException =
    LOCAL[kind]?.invoke(code, message, data)
        ?: PEERS[kind]?.invoke(code, message, data, null)
        ?: McpPeerException(code, message, data, kind, null)

internal fun rejected(message: String): McpException = failure("rejected", message, REJECTED)
