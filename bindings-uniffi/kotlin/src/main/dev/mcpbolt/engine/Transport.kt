package dev.mcpbolt

import dev.mcpbolt.engine.EngineClient
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import java.util.concurrent.CopyOnWriteArrayList
import kotlin.time.Duration

// Transports: those whose bytes the engine carries, and those of programs. Owns: what describes them.
// Must not know: how messages are passed on.

/** A JSON-RPC message as text; it is passed on unchanged. */
public class JSONRPCMessage(public val text: String) {
    public constructor(json: JsonElement) : this(json.toString())

    /** The message as JSON. */
    public val json: JsonElement by lazy(LazyThreadSafetyMode.PUBLICATION) { parse(text) }

    override fun toString(): String = text
}

/** What a transport may need to know about a message. */
public class TransportSendOptions(public val relatedRequestId: JsonPrimitive? = null)

/** Carries messages between two peers. Programs may implement it; see [AbstractTransport]. */
public interface Transport {
    /** Starts the transport; messages may arrive from now on. */
    public suspend fun start()

    /** Sends a message; returns when there is room for the next. */
    public suspend fun send(message: JSONRPCMessage, options: TransportSendOptions? = null)

    /** Closes the transport and calls the functions that [onClose] registered. */
    public suspend fun close()

    public fun onClose(block: () -> Unit)

    public fun onError(block: (Throwable) -> Unit)

    public fun onMessage(block: suspend (JSONRPCMessage) -> Unit)
}

/** A base class for transports of programs: it stores the callbacks. */
public abstract class AbstractTransport : Transport {
    private val closed = CopyOnWriteArrayList<() -> Unit>()
    private val failed = CopyOnWriteArrayList<(Throwable) -> Unit>()
    private val came = CopyOnWriteArrayList<suspend (JSONRPCMessage) -> Unit>()

    final override fun onClose(block: () -> Unit) {
        closed.add(block)
    }

    final override fun onError(block: (Throwable) -> Unit) {
        failed.add(block)
    }

    final override fun onMessage(block: suspend (JSONRPCMessage) -> Unit) {
        came.add(block)
    }

    /** Call it with each message that arrives. It waits while too many messages are unsent. */
    protected suspend fun received(message: JSONRPCMessage): Unit = came.forEach { it(message) }

    /** Call it with each error that does not close the transport. */
    protected fun faulty(error: Throwable): Unit = failed.forEach { it(error) }

    /** Call it when the transport is closed. */
    protected fun ended(): Unit = closed.forEach { it() }
}

/** A transport whose bytes the engine carries, and the object only describes it; or [carried] does, if there is one. */
public sealed class OwnTransport(internal val carried: Transport? = null) : Transport {
    private val carrier: Transport
        get() = carried ?: throw failure("usage", "the engine carries these messages: give this transport to connect or createSession")

    final override suspend fun start(): Unit = carrier.start()

    final override suspend fun send(message: JSONRPCMessage, options: TransportSendOptions?): Unit = carrier.send(message, options)

    final override suspend fun close(): Unit = carrier.close()

    final override fun onClose(block: () -> Unit): Unit = carrier.onClose(block)

    final override fun onError(block: (Throwable) -> Unit): Unit = carrier.onError(block)

    final override fun onMessage(block: suspend (JSONRPCMessage) -> Unit): Unit = carrier.onMessage(block)

    /** Has a client's engine open the connection that this describes. */
    internal open fun open(engine: EngineClient): ULong = throw failure("usage", "a client cannot connect by ${javaClass.simpleName}")
}

/** What carries the messages: the transport itself, or one within it. */
internal val Transport.innermost: Transport get() = (this as? OwnTransport)?.carried ?: this

/** A server on this process's standard streams. Nothing else may write to standard output. */
public class StdioServerTransport internal constructor(carried: Transport?) : OwnTransport(carried) {
    public constructor() : this(null)
}

/**
 * What a client shows a server that wants to know who asks: a [BearerToken] that the program has, or
 * [OAuth], which gets one.
 */
public sealed class ClientAuth {
    /** How long a request may have to wait for a person, if it may. */
    internal open val patience: Duration? get() = null

    /** Has a client's engine open the connection to a target, with these credentials. */
    internal abstract fun open(engine: EngineClient, target: JsonObject): ULong
}

/**
 * A token that the program has, sent with every request as it is. It is not shown in messages.
 *
 * @param token the token alone, without `Bearer`.
 */
public class BearerToken(private val token: String) : ClientAuth() {
    internal override fun open(engine: EngineClient, target: JsonObject): ULong {
        val headers = target["headers"]?.array().orEmpty() + toJson(listOf("Authorization", "Bearer $token"))
        return engine.open(JsonObject(target + objectOf("headers" to headers)).toString())
    }
}

/** A client transport that the engine opens from a description. */
public sealed class TargetTransport(
    target: JsonObject,
    internal val auth: ClientAuth? = null,
    carried: Transport? = null,
    internal val carrier: HttpCarrier? = null,
) : OwnTransport(carried) {
    internal val target: JsonObject = if (carrier == null) target else JsonObject(target + objectOf("carrier" to true))

    internal override fun open(engine: EngineClient): ULong = auth?.open(engine, target) ?: engine.open(target.toString())
}

/** A server that runs as a child process. */
public class StdioClientTransport private constructor(target: JsonObject, carried: Transport?) : TargetTransport(target, carried = carried) {
    /**
     * A server that the engine starts, and ends with the connection.
     *
     * @param env environment variables, added to the harmless ones that are inherited.
     * @param options further options of the engine: `inherit`, `stderr`, `restart`, `close_grace`,
     * `kill_grace`, `max_message_bytes`.
     */
    public constructor(
        command: String,
        args: List<String> = emptyList(),
        env: Map<String, String> = emptyMap(),
        cwd: String? = null,
        options: JsonObject = EmptyJsonObject,
    ) : this(JsonObject(options + objectOf("command" to command, "args" to args, "env" to env, "cwd" to cwd)), null)

    /** A server that the engine starts, and ends with the connection; with [options] as types. */
    public constructor(
        command: String,
        args: List<String> = emptyList(),
        env: Map<String, String> = emptyMap(),
        cwd: String? = null,
        options: StdioOptions,
    ) : this(command, args, env, cwd, options.json)

    internal constructor(carried: Transport) : this(EmptyJsonObject, carried)

    /** What a line means that a server writes to its standard error. */
    public enum class StderrSeverity {
        /** The connection is over; the line is told to [onError]. */
        FATAL,

        /** The line is told to [onError]. */
        WARNING,

        /** The line is passed over. */
        INFO,

        /** The line is passed over. */
        DEBUG,

        /** The line is passed over. */
        IGNORE,
    }
}

/**
 * A server at a URL, over streamable HTTP.
 *
 * @param options further options of the engine: `ca`, `client_certificate`, `proxy`,
 * `connect_timeout`, `reconnect`… They hold for authorization servers too.
 * @param auth what the server is shown if it wants to know who asks, such as `OAuth("Example")`;
 * nothing by default.
 * @param carrier the program's HTTP client, which carries the requests; the engine's own by default.
 * What the options say of certificates, proxies and connecting is then the carrier's.
 */
public class StreamableHttpClientTransport(
    url: String,
    headers: Map<String, String> = emptyMap(),
    options: JsonObject = EmptyJsonObject,
    auth: ClientAuth? = null,
    carrier: HttpCarrier? = null,
) : TargetTransport(atUrl(url, headers, options), auth, carrier = carrier) {
    /** A server at a URL, over streamable HTTP; with [options] as types. */
    public constructor(url: String, headers: Map<String, String> = emptyMap(), options: HttpOptions, auth: ClientAuth? = null, carrier: HttpCarrier? = null) :
        this(url, headers, options.json, auth, carrier)
}

/**
 * A server at a URL, over HTTP+SSE (2024-11-05). Deprecated by the protocol; use
 * [StreamableHttpClientTransport], whose parameters are the same.
 */
public class SseClientTransport(
    url: String,
    headers: Map<String, String> = emptyMap(),
    options: JsonObject = EmptyJsonObject,
    auth: ClientAuth? = null,
    carrier: HttpCarrier? = null,
) : TargetTransport(JsonObject(atUrl(url, headers, options) + objectOf("transport" to "sse")), auth, carrier = carrier) {
    /** A server at a URL, over HTTP+SSE; with [options] as types. */
    public constructor(url: String, headers: Map<String, String> = emptyMap(), options: HttpOptions, auth: ClientAuth? = null, carrier: HttpCarrier? = null) :
        this(url, headers, options.json, auth, carrier)
}

private fun atUrl(url: String, headers: Map<String, String>, options: JsonObject): JsonObject =
    JsonObject(options + objectOf("url" to url, "headers" to headers.map { listOf(it.key, it.value) }))
