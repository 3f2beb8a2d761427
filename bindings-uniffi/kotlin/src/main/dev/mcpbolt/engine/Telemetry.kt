package dev.mcpbolt

// What a program watches servers and clients with. Must not know: any library of telemetry.

/**
 * Receives a span of each request and the durations of requests and sessions, by OpenTelemetry's semantic
 * conventions for MCP, for [ServerOptions.telemetry] and [ClientOptions.telemetry]. Names and attributes are
 * made already. [McpTelemetry] passes all of it to OpenTelemetry; implement this for something else.
 *
 * What it throws fails no request: it is told to `onError`, as kind `internal`.
 */
public interface Telemetry {
    /** Begins the span of a request that is about to be sent, or to be handled. Must not wait. */
    public fun begin(span: SpanDescription): TelemetrySpan

    /** Records how long a session lasted, when it has ended. Must not wait. */
    public fun record(duration: MeasuredDuration)
}

/** The span of one request. */
public interface TelemetrySpan {
    /**
     * What carries the span to the peer, as members of `_meta`: `traceparent`, and if there are any
     * `tracestate` and `baggage`. Empty: nothing does.
     */
    public val context: Map<String, String>

    /**
     * Adds what became known since the span began: of a request that is sent, its id, which each round of
     * questions changes. By default it is left out.
     */
    public fun add(attributes: Map<String, String>): Unit = Unit

    /** Runs [body], exactly once, with the span as the current one: spans that are made inside are its children. */
    public suspend fun <R> run(body: suspend () -> R): R

    /**
     * Ends the span and records its duration; called once.
     *
     * @param failure the attributes that say how the request failed; `null` if it did not.
     */
    public fun end(failure: Map<String, String>?, duration: MeasuredDuration)
}

/** A request as its span describes it. */
public class SpanDescription internal constructor(
    /** The method and the tool or prompt that is meant: `tools/call add`. */
    public val name: String,
    /** Whether this side handles the request or sends it. */
    public val kind: Kind,
    /** `mcp.method.name` and the like, by their names. */
    public val attributes: Map<String, String>,
    /**
     * The trace context that came with the request in `_meta`, or that the program gave it:
     * `traceparent`, `tracestate`, `baggage`. A peer may have written anything.
     */
    public val context: Map<String, String>,
) {
    /** The side of a request. */
    public enum class Kind {
        /** This side handles the request. */
        Handled,

        /** This side sends the request. */
        Sent,
    }
}

/** How long something took, for a histogram. */
public class MeasuredDuration internal constructor(
    /** The histogram. */
    public val histogram: DurationHistogram,
    /** The time in seconds. */
    public val seconds: Double,
    /** The attributes, by their names; of each there are few values. */
    public val attributes: Map<String, String>,
)

/** A histogram of durations. There are four of them. */
public class DurationHistogram internal constructor(
    /** Its name: `mcp.server.operation.duration`. */
    public val name: String,
    /** What it measures, in a sentence. */
    public val description: String,
    /** The unit: `s`. */
    public val unit: String,
    /** The upper bounds of its buckets, in [unit]. */
    public val bounds: List<Double>,
)
