package dev.mcpbolt

import io.opentelemetry.api.OpenTelemetry
import io.opentelemetry.api.common.Attributes
import io.opentelemetry.api.metrics.DoubleHistogram
import io.opentelemetry.api.trace.Span
import io.opentelemetry.api.trace.SpanKind
import io.opentelemetry.api.trace.StatusCode
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator
import io.opentelemetry.context.Context
import io.opentelemetry.context.propagation.TextMapGetter
import io.opentelemetry.extension.kotlin.asContextElement
import kotlinx.coroutines.withContext
import java.util.concurrent.ConcurrentHashMap

// Telemetry for OpenTelemetry. The only file that knows it: programs that do not have its packages on
// their class path run without this class.

/**
 * Spans and durations of servers and clients for OpenTelemetry, by its semantic conventions for MCP. It needs
 * the packages `opentelemetry-api` and `opentelemetry-extension-kotlin`, which are not dependencies of this one.
 *
 *     val options = ServerOptions(capabilities, telemetry = McpTelemetry(openTelemetry))
 *
 * A request that comes continues the trace of its sender, and one that is sent the current trace: context goes
 * through `_meta`, and baggage if the instance has a propagator for it. Handlers run with their span as the
 * current one. Arguments, results and messages of errors are never recorded.
 *
 * @param openTelemetry where spans and durations go: what the program has built, or
 * `GlobalOpenTelemetry.get()`. With `OpenTelemetry.noop()` nothing is recorded.
 */
public class McpTelemetry(private val openTelemetry: OpenTelemetry) : Telemetry {
    private val tracer = openTelemetry.getTracer(SCOPE)
    private val meter = openTelemetry.getMeter(SCOPE)
    private val histograms = ConcurrentHashMap<String, DoubleHistogram>()

    override fun begin(span: SpanDescription): TelemetrySpan {
        val parent = parentOf(span)
        val kind = if (span.kind == SpanDescription.Kind.Handled) SpanKind.SERVER else SpanKind.CLIENT
        val begun = tracer.spanBuilder(span.name).setParent(parent).setSpanKind(kind).setAllAttributes(attributesOf(span.attributes)).startSpan()
        return Begun(begun, parent.with(begun))
    }

    override fun record(duration: MeasuredDuration): Unit = record(duration, Context.current())

    /** The current context, with the sender's span and baggage if there are any. What is malformed names none. */
    private fun parentOf(span: SpanDescription): Context {
        val current = Context.current()
        val sender = Span.fromContext(TRACE.extract(Context.root(), span.context, Carried))
        if (!sender.spanContext.isValid) return current
        val baggage = span.context.filterKeys { it == BAGGAGE }
        return openTelemetry.propagators.textMapPropagator.extract(current, baggage, Carried).with(sender)
    }

    private fun record(duration: MeasuredDuration, context: Context) {
        val histogram = histograms.computeIfAbsent(duration.histogram.name) {
            val made = meter.histogramBuilder(it).setDescription(duration.histogram.description).setUnit(duration.histogram.unit)
            made.setExplicitBucketBoundariesAdvice(duration.histogram.bounds).build()
        }
        histogram.record(duration.seconds, attributesOf(duration.attributes), context)
    }

    private inner class Begun(private val span: Span, private val inside: Context) : TelemetrySpan {
        override val context: Map<String, String>
            get() {
                val carried = HashMap<String, String>()
                TRACE.inject(inside, carried) { to, name, value -> to!![name] = value }
                if (carried.isEmpty()) return carried
                openTelemetry.propagators.textMapPropagator.inject(inside, carried) { to, name, value -> if (name == BAGGAGE) to!![name] = value }
                return carried
            }

        override fun add(attributes: Map<String, String>) {
            span.setAllAttributes(attributesOf(attributes))
        }

        override suspend fun <R> run(body: suspend () -> R): R = withContext(inside.asContextElement()) { body() }

        override fun end(failure: Map<String, String>?, duration: MeasuredDuration) {
            // The message of an error may hold what no observer is to see.
            if (failure != null) span.setAllAttributes(attributesOf(failure)).setStatus(StatusCode.ERROR)
            span.end()
            record(duration, inside)
        }
    }

    private object Carried : TextMapGetter<Map<String, String>> {
        override fun keys(carrier: Map<String, String>): Iterable<String> = carrier.keys

        override fun get(carrier: Map<String, String>?, key: String): String? = carrier?.get(key)
    }

    private companion object {
        /** What records are said to come from. */
        const val SCOPE = "mcpbolt"
        const val BAGGAGE = "baggage"

        /** Whatever the program propagates elsewhere: the protocol has W3C trace context. */
        val TRACE: W3CTraceContextPropagator = W3CTraceContextPropagator.getInstance()

        fun attributesOf(all: Map<String, String>): Attributes = Attributes.builder().apply { all.forEach { (name, value) -> put(name, value) } }.build()
    }
}
