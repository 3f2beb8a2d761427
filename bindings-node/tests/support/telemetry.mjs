// OpenTelemetry as a program sets it up, recording in memory: spans as they end, points on demand.
import { metrics, trace } from '@opentelemetry/api';
import { AggregationTemporality, InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

const finished = new InMemorySpanExporter();
const exported = new InMemoryMetricExporter(AggregationTemporality.DELTA);
// Never by itself.
const reader = new PeriodicExportingMetricReader({ exporter: exported, exportIntervalMillis: 2 ** 31 - 1 });

/** A part of the program's that fails while `isBroken`. */
export const faulty = {
  isBroken: false,
  fail() {
    if (this.isBroken) throw new Error('a processor is broken');
  },
  onStart() {
    this.fail();
  },
  onEnd() {
    this.fail();
  },
  forceFlush: async () => undefined,
  shutdown: async () => undefined,
};

/** Registers both providers, once per process. */
export function turnOn() {
  new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(finished), faulty] }).register();
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
}

/** Forgets what was recorded so far. */
export async function forget() {
  await reader.forceFlush();
  exported.reset();
  finished.reset();
}

/** Runs code in a span of the program's. */
export const within = (name, body) =>
  trace.getTracer('program').startActiveSpan(name, async (span) => {
    try {
      return await body(span);
    } finally {
      span.end();
    }
  });

/** The spans of a kind and name that have ended. */
export const spans = (kind, name) => finished.getFinishedSpans().filter((span) => span.kind === kind && span.name === name);

/** The only one of them. */
export function span(kind, name) {
  const [found, ...more] = spans(kind, name);
  if (found === undefined || more.length > 0) {
    const all = finished.getFinishedSpans().map((one) => `${one.kind} ${one.name}`);
    throw new Error(`${more.length + (found ? 1 : 0)} spans ${kind} ${name} among ${JSON.stringify(all)}`);
  }
  return found;
}

/** The points of a histogram since `forget`, and the histogram. */
export async function points(name) {
  await reader.forceFlush();
  const all = exported.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
  return all.filter(({ descriptor }) => descriptor.name === name).flatMap(({ descriptor, dataPoints }) =>
    dataPoints.map(({ attributes, value }) => ({ descriptor, attributes, count: value.count, sum: value.sum, boundaries: value.buckets.boundaries })),
  );
}
