package dev.mcpbolt

import kotlinx.serialization.json.JsonNull
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

// Counters as types. Must not know: what counts.

/**
 * What was counted, at one moment; all counts begin with the server or the connection. Everything is in
 * [json], and what is not there is zero: a connection that is over counts nothing any more.
 */
public class Stats internal constructor(members: Members) : Record(members) {
    /** Open connections. */
    public val connections: Long get() = count("connections")

    /** Connections ever opened. */
    public val connectionsTotal: Long get() = count("connectionsTotal")

    /** Sessions that are agreed on and not over. The modern era has none on a server. */
    public val sessions: Long get() = count("sessions")

    /** Open event streams over HTTP, and open listen requests elsewhere. Of a client: open listen requests. */
    public val streams: Long get() = count("streams")

    /** Calls that are not answered yet. */
    public val inFlight: Long get() = count("inFlight")

    /** Bytes of messages that wait to be sent. */
    public val queuedBytes: Long get() = count("queuedBytes")

    /** Bytes of messages received. */
    public val bytesIn: Long get() = count("bytesIn")

    /** Bytes of messages sent. */
    public val bytesOut: Long get() = count("bytesOut")

    /** Messages dropped because a queue was full or their rate too high. */
    public val dropped: Long get() = count("dropped")

    /** Inputs that belonged to no request. */
    public val problems: Long get() = count("problems")

    /** Half of the calls took no longer; `null` before the first. */
    public val p50: Duration? get() = json.find("p50")?.double()?.seconds

    /** 99 of 100 calls took no longer; `null` before the first. */
    public val p99: Duration? get() = json.find("p99")?.double()?.seconds

    /** How many calls took no longer than what, from the shortest time to that without a bound. */
    public val latency: List<LatencyStep>
        get() = json.find("latency")?.list { step ->
            val (bound, calls) = step.array()
            LatencyStep(bound.takeUnless { it is JsonNull }?.double()?.seconds, calls.long())
        }.orEmpty()

    /** Calls by method; methods of the program's own count as `other`. */
    public val methods: Map<String, MethodStats>
        get() = json.find("methods")?.table { MethodStats(it.obj().need("calls").long(), it.obj().need("errors").long()) }.orEmpty()

    /** Failed calls by [McpException.kind]; kinds that never happened are absent. */
    public val errors: Map<String, Long> get() = json.find("errors")?.table { it.long() }.orEmpty()

    private fun count(name: String): Long = json.find(name)?.long() ?: 0

    internal companion object {
        /** From the engine's text; `null`: nothing was counted. */
        fun of(text: String?): Stats = Stats(Members(text?.let { parse(it).obj() } ?: EmptyJsonObject))
    }
}

/**
 * Calls of one method.
 *
 * @property calls those that ended.
 * @property errors those that ended with an error.
 */
public class MethodStats internal constructor(public val calls: Long, public val errors: Long)

/**
 * A step of a histogram.
 *
 * @property bound the longest time; `null`: all of them.
 * @property calls how many took no longer.
 */
public class LatencyStep internal constructor(public val bound: Duration?, public val calls: Long)
