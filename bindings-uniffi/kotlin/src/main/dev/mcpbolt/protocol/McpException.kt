package dev.mcpbolt

import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject

// Errors as exceptions. Owns: the class and the code of each kind of error. Must not know: who throws
// them, and in which form they cross to the engine.

/**
 * An error of the protocol, or a failure on this side.
 *
 * A handler that throws one answers with its [code], message and [data].
 *
 * @property code the JSON-RPC error code.
 * @property data additional information about the error.
 * @property kind the kind of error, with the same name in every language: `invalid_params`,
 * `timeout`, `closed`…
 */
public open class McpException internal constructor(
    public val code: Int,
    message: String,
    public val data: JsonElement?,
    public val kind: String,
    cause: Throwable? = null,
) : Exception(message, cause) {
    /** Creates an error to answer with. */
    @JvmOverloads
    public constructor(code: Int, message: String = "MCP error $code", data: JsonElement? = null, cause: Throwable? = null) :
        this(code, message, data, KINDS[code] ?: "peer", cause)

    /** Whether the failure occurred on this side; if not, the peer sent the error. */
    public val isLocal: Boolean get() = kind in LOCAL
}

/** Thrown by a tool's handler for the model: the result is this message with `isError`, whatever [ErrorDetail] says. */
public open class ToolException(message: String) : Exception(message)

/** The resource does not exist. */
public class ResourceNotFoundException internal constructor(code: Int, message: String, data: JsonElement?) :
    McpException(code, message, data, "resource_not_found")

/** The user has to visit URLs first; they are in [data]. */
public class UrlElicitationRequiredException internal constructor(code: Int, message: String, data: JsonElement?) :
    McpException(code, message, data, "url_elicitation_required") {
    /** The URLs to visit. */
    public val elicitations: List<ElicitRequestURLParams>
        get() = (data as? JsonObject)?.let { UrlElicitationRequiredData.of(it).elicitations }.orEmpty()
}

/** No answer arrived in time. */
public class McpTimeoutException internal constructor(code: Int, message: String, data: JsonElement?) :
    McpException(code, message, data, "timeout")

/** The connection is closed. */
public class McpClosedException internal constructor(code: Int, message: String, data: JsonElement?) :
    McpException(code, message, data, "closed")

/** The request was cancelled. */
public class McpCancelledException internal constructor(code: Int, message: String, data: JsonElement?) :
    McpException(code, message, data, "cancelled")

/** A limit of this side was reached; nothing was sent. */
public class McpOverloadedException internal constructor(code: Int, message: String, data: JsonElement?) :
    McpException(code, message, data, "overloaded")

/** The server cannot be reached. */
public class McpTransportException internal constructor(code: Int, message: String, data: JsonElement?) :
    McpException(code, message, data, "transport")

/** The peer violated the protocol. Also thrown when a result's members are read and do not match their type. */
public open class McpProtocolException internal constructor(code: Int, message: String, data: JsonElement?) :
    McpException(code, message, data, "protocol")

/** A received value does not match its type. Thrown when the value is read. */
internal class ShapeException(message: String) : McpProtocolException(INTERNAL, message, null)

/** The server requires authentication. */
public class UnauthorizedException internal constructor(code: Int, message: String, data: JsonElement?) :
    McpException(code, message, data, "unauthorized")

/** The credentials do not permit the request. */
public class ForbiddenException internal constructor(code: Int, message: String, data: JsonElement?) :
    McpException(code, message, data, "forbidden")

/** A store failed. */
public class McpStoreException internal constructor(code: Int, message: String, data: JsonElement?) :
    McpException(code, message, data, "store")

/** The program used the API wrongly; the message says what to do instead. */
public class McpUsageException internal constructor(code: Int, message: String, data: JsonElement?) :
    McpException(code, message, data, "usage")

internal const val INVALID_PARAMS = -32602
internal const val INTERNAL = -32603
internal const val METHOD_NOT_FOUND = -32601
internal const val REJECTED = -1

private val KINDS = mapOf(
    -32700 to "parse",
    -32600 to "invalid_request",
    METHOD_NOT_FOUND to "method_not_found",
    INVALID_PARAMS to "invalid_params",
    INTERNAL to "internal",
    -32042 to "url_elicitation_required",
    REJECTED to "rejected",
)
private val CLASSES: Map<String, (Int, String, JsonElement?) -> McpException> = mapOf(
    "resource_not_found" to ::ResourceNotFoundException,
    "url_elicitation_required" to ::UrlElicitationRequiredException,
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
private val LOCAL = CLASSES.keys - setOf("resource_not_found", "url_elicitation_required")

internal fun failure(kind: String, message: String, code: Int = INTERNAL, data: JsonElement? = null): McpException =
    CLASSES[kind]?.invoke(code, message, data) ?: McpException(code, message, data, kind)

internal fun rejected(message: String): McpException = failure("rejected", message, REJECTED)
