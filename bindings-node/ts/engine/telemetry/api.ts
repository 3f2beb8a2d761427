/**
 * Whether the program has turned OpenTelemetry on. Owns: finding its providers and `@opentelemetry/api`,
 * and the shapes of what is used of that package. Must not know: what is recorded.
 *
 * The package is an optional peer. It is loaded only once the program has loaded it and registered a
 * provider; until then a call costs one lookup of a global.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Immutable values that travel with async code; opaque here. */
export interface Context {
  getValue(key: symbol): unknown;
}

/** What identifies a span to other processes. */
export interface SpanContext {
  traceId: string;
  spanId: string;
  traceFlags: number;
  isRemote?: boolean;
  traceState?: { serialize(): string };
}

/** Values of attributes as they are used here. */
export type Attributes = Record<string, string>;

/** A span that is being recorded, or a stand-in for it. */
export interface Span {
  spanContext(): SpanContext;
  setAttribute(name: string, value: string): unknown;
  setAttributes(attributes: Attributes): unknown;
  setStatus(status: { code: number; message?: string | undefined }): unknown;
  end(): void;
}

/** How a span begins. */
export interface SpanOptions {
  kind: number;
  attributes: Attributes;
  links: { context: SpanContext }[];
}

/** Counts durations in buckets. */
export interface Histogram {
  record(value: number, attributes: Attributes, context: Context): void;
}

/** Creates instruments. */
export interface Meter {
  createHistogram(name: string, options: { description: string; unit: string; advice: { explicitBucketBoundaries: number[] } }): Histogram;
}

/** The members of `@opentelemetry/api` that are used. */
export interface Api {
  readonly SpanKind: { readonly SERVER: number; readonly CLIENT: number };
  readonly SpanStatusCode: { readonly ERROR: number };
  readonly context: { active(): Context; with<T>(context: Context, body: () => T): T };
  readonly diag: { error(message: string, error: unknown): void };
  readonly trace: {
    getTracerProvider(): unknown;
    getTracer(name: string): { startSpan(name: string, options: SpanOptions, context: Context): Span };
    setSpan(context: Context, span: Span): Context;
    setSpanContext(context: Context, spanContext: SpanContext): Context;
    getSpanContext(context: Context): SpanContext | undefined;
    isSpanContextValid(spanContext: SpanContext): boolean;
  };
  readonly metrics: { getMeterProvider(): { getMeter(name: string): Meter } };
  readonly propagation: {
    inject(context: Context, carrier: Record<string, unknown>): void;
    extract(context: Context, carrier: Record<string, unknown>): Context;
  };
  createTraceState(text: string): { serialize(): string };
}

/** Where every copy of `@opentelemetry/api` 1.x keeps what the program registered. */
const REGISTRY = Symbol.for('opentelemetry.js.api.1');

/** The name under which spans and metrics are recorded. */
export const SCOPE = 'mcpbolt';

interface Registry {
  trace?: unknown;
  metrics?: unknown;
}

let loaded: Api | null | undefined;

/** The API, if the program has registered a provider of traces or metrics and the package can be loaded. */
export function telemetry(): Api | undefined {
  const registry = (globalThis as { [REGISTRY]?: Registry })[REGISTRY];
  if (registry === undefined || (registry.trace === undefined && registry.metrics === undefined)) return undefined;
  if (loaded === undefined) loaded = load(registry);
  return loaded ?? undefined;
}

/** Loads the package from beside this one, or from the program: the copy that sees what is registered. */
function load({ trace, metrics }: Registry): Api | null {
  for (const from of [__filename, join(process.cwd(), 'index.js')]) {
    try {
      const api = createRequire(from)('@opentelemetry/api') as Api;
      // A copy that is newer than the one that registered a provider ignores it.
      if (api.trace.getTracerProvider() === trace || api.metrics.getMeterProvider() === metrics) return api;
    } catch {
      // A program whose copy is out of reach goes on without spans; they are no reason to fail a call.
    }
  }
  return null;
}

/** Runs code that calls the program's providers. What they throw is reported as OpenTelemetry does, and fails no call. */
export function quietly<T>(api: Api, body: () => T): T | undefined {
  try {
    return body();
  } catch (error) {
    api.diag.error('mcpbolt: a provider of the program failed', error);
    return undefined;
  }
}
