/**
 * W3C trace context in `_meta`. Owns: reading and writing `traceparent`, `tracestate` and `baggage`.
 * Must not know: spans; who sends or handles a request.
 */
import type { Api, Context, SpanContext } from './api';

/** Version, trace, span and flags; later versions may have more parts. */
const TRACEPARENT = /^(?!ff)([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const SAMPLED = 1;

interface Params {
  _meta?: Record<string, unknown>;
}

/** The `_meta` of params; an empty object if there is none. */
function metaOf(params: unknown): Record<string, unknown> {
  const meta = (params as Params | null | undefined)?._meta;
  return typeof meta === 'object' && meta !== null ? meta : {};
}

/** Whether the sender gave a request trace context of its own. */
function hasOwn(params: unknown): boolean {
  return metaOf(params)['traceparent'] !== undefined;
}

/** The span of the sender that params name. What is malformed names none. */
function senderOf(api: Api, params: unknown): SpanContext | undefined {
  const { traceparent, tracestate } = metaOf(params);
  const found = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent) : null;
  if (found === null) return undefined;
  const [, version, traceId, spanId, flags, more] = found as unknown as string[];
  if (version === '00' && more !== undefined) return undefined;
  const sender = { traceId: traceId!, spanId: spanId!, traceFlags: parseInt(flags!, 16) & SAMPLED, isRemote: true };
  if (!api.trace.isSpanContextValid(sender)) return undefined;
  return typeof tracestate === 'string' ? { ...sender, traceState: api.createTraceState(tracestate) } : sender;
}

/** The context of params: the active one with the sender's span in it, and its baggage if the program takes that. */
export function contextOf(api: Api, params: unknown): Context {
  const active = api.context.active();
  const sender = senderOf(api, params);
  if (sender === undefined) return active;
  const { baggage } = metaOf(params);
  const carried = typeof baggage === 'string' ? api.propagation.extract(active, { baggage }) : active;
  return api.trace.setSpanContext(carried, sender);
}

/** Params that carry a context to the other side: the same ones if the sender gave its own, or there is nothing to carry. */
export function carrying(api: Api, context: Context, params: unknown): unknown {
  const span = api.trace.getSpanContext(context);
  if (span === undefined || !api.trace.isSpanContextValid(span) || hasOwn(params)) return params;
  if (params !== undefined && (typeof params !== 'object' || params === null)) return params;
  const flags = (span.traceFlags & 0xff).toString(16).padStart(2, '0');
  const tracestate = span.traceState?.serialize();
  const more: Record<string, unknown> = {};
  api.propagation.inject(context, more);
  const meta = {
    ...metaOf(params),
    traceparent: `00-${span.traceId}-${span.spanId}-${flags}`,
    ...(tracestate && { tracestate }),
    ...(more['baggage'] !== undefined && { baggage: more['baggage'] }),
  };
  return { ...params, _meta: meta };
}
