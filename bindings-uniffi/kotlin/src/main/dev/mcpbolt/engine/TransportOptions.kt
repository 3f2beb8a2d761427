package dev.mcpbolt

import kotlinx.serialization.json.JsonObject
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds

// What may be chosen for the transports whose bytes the engine carries, as types. What is left out is the
// engine's default. Must not know: the transports.

/** Which environment variables a server that is started inherits. */
public enum class Inherit {
    /** Those that do no harm, such as `PATH` and `HOME`. The default. */
    AllowList,

    /** All of them, with the secrets in them. */
    All,

    /** None. */
    Nothing,
}

/** Where the standard error of a server goes that is started. */
public sealed class Stderr {
    internal abstract val json: Any

    /** Where that of this process goes. The default. */
    public object Inherit : Stderr() {
        override val json: Any get() = "inherit"
    }

    /** Nowhere. */
    public object Discard : Stderr() {
        override val json: Any get() = "null"
    }

    /** To [Client.onError], as lines of kind `stderr`; the last of them are in the error of a server that failed. */
    public object Capture : Stderr() {
        override val json: Any get() = "capture"
    }

    /** Into a file, at its end. */
    public class File(public val path: String) : Stderr() {
        override val json: Any get() = objectOf("file" to path)
    }
}

/**
 * How often a server that ended is started again.
 *
 * @property max how many times in a row.
 * @property backoff how long to wait before each.
 */
public class Restart(public val max: Int = 3, public val backoff: Duration = 500.milliseconds)

/**
 * Options of a server that the engine starts.
 *
 * @property restart by default it is not started again.
 * @property closeGrace how long it may take to end once its input is closed; default 2 s.
 * @property killGrace how long it may take to end once it was asked to; default 2 s. Then it is killed.
 * @property maxMessageBytes the longest message that is taken; default 64 MiB.
 */
public class StdioOptions(
    public val inherit: Inherit = Inherit.AllowList,
    public val stderr: Stderr = Stderr.Inherit,
    public val restart: Restart? = null,
    public val closeGrace: Duration? = null,
    public val killGrace: Duration? = null,
    public val maxMessageBytes: Long? = null,
) {
    internal val json: JsonObject
        get() = objectOf(
            "inherit" to INHERITED.getValue(inherit),
            "stderr" to stderr.json,
            "restart" to restart?.let { objectOf("max" to it.max, "backoff" to it.backoff.forEngine()) },
            "close_grace" to closeGrace?.forEngine(),
            "kill_grace" to killGrace?.forEngine(),
            "max_message_bytes" to maxMessageBytes,
        )

    private companion object {
        val INHERITED = mapOf(Inherit.AllowList to "allow_list", Inherit.All to "all", Inherit.Nothing to "nothing")
    }
}

/** The way to a server that is reached over HTTP. */
public sealed class Proxy {
    internal abstract val text: String

    /** As the environment says (`HTTPS_PROXY`, `NO_PROXY`…). */
    public object System : Proxy() {
        override val text: String get() = "system"
    }

    /** None. */
    public object Off : Proxy() {
        override val text: String get() = "off"
    }

    /** This one: `http://proxy.example.com:3128`. */
    public class At(public val url: String) : Proxy() {
        override val text: String get() = url
    }
}

/**
 * How a connection over HTTP that was lost is opened again.
 *
 * @property initial the first wait, unless the server names one; default 1 s.
 * @property max the longest wait, unless the server names a longer one; default 30 s.
 * @property attempts fruitless attempts in a row after which a request fails; default 5.
 * @property streamAttempts the same for the stream of messages that belong to no request; default: no end.
 * @property growthPercent each wait in percent of the one before; by default it doubles, with a little at random.
 */
public class Reconnect(
    public val initial: Duration? = null,
    public val max: Duration? = null,
    public val attempts: Int? = null,
    public val streamAttempts: Int? = null,
    public val growthPercent: Int? = null,
)

/**
 * What a client shows servers that want a certificate.
 *
 * @property certificate the chain, as PEM.
 * @param key the private key, as PEM. It is in no message.
 */
public class ClientCertificate(public val certificate: String, internal val key: String)

/**
 * Options of a server that is reached over HTTP. They hold for its authorization server, too.
 *
 * @property ca certificates that are trusted beside those of the system, as PEM.
 * @property systemRoots whether those of the system are.
 * @property connectTimeout how long a connection may take to open.
 * @property closeTimeout how long the end of a session may take.
 * @property maxMessageBytes the longest message that is taken; default 64 MiB.
 * @property endSession whether the session is deleted at the end.
 */
public class HttpOptions(
    public val ca: String? = null,
    public val systemRoots: Boolean = true,
    public val clientCertificate: ClientCertificate? = null,
    public val proxy: Proxy? = null,
    public val reconnect: Reconnect? = null,
    public val connectTimeout: Duration? = null,
    public val closeTimeout: Duration? = null,
    public val maxMessageBytes: Long? = null,
    public val endSession: Boolean = true,
) {
    internal val json: JsonObject
        get() = objectOf(
            "ca" to ca,
            "system_roots" to systemRoots,
            "client_certificate" to clientCertificate?.let { objectOf("certificate" to it.certificate, "key" to it.key) },
            "proxy" to proxy?.text,
            "reconnect" to reconnect?.let {
                objectOf(
                    "initial" to it.initial?.forEngine(),
                    "max" to it.max?.forEngine(),
                    "attempts" to it.attempts,
                    "stream_attempts" to it.streamAttempts,
                    "growth_percent" to it.growthPercent,
                )
            },
            "connect_timeout" to connectTimeout?.forEngine(),
            "close_timeout" to closeTimeout?.forEngine(),
            "max_message_bytes" to maxMessageBytes,
            "end_session" to endSession,
        )
}
