/**
 * Durations of operations and sessions. Owns: the histograms.
 * Must not know: spans; what an operation is.
 */
import { quietly, SCOPE, telemetry, type Api, type Attributes, type Context, type Histogram, type Meter } from './api';

/** Which side measures. */
export type Side = 'client' | 'server';

/** The bounds of the buckets, in seconds, that the semantic conventions ask for. */
const BOUNDARIES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

const DESCRIPTIONS = {
  'mcp.client.operation.duration': 'The time from sending an MCP request until its response is received.',
  'mcp.server.operation.duration': 'The time from receiving an MCP request until its response is sent.',
  'mcp.client.session.duration': 'The duration of an MCP session as observed by the client.',
  'mcp.server.session.duration': 'The duration of an MCP session as observed by the server.',
};

let provider: { getMeter(name: string): Meter } | undefined;
const histograms = new Map<string, Histogram>();

/** The histogram of a name, created once for each provider. */
function histogram(api: Api, name: keyof typeof DESCRIPTIONS): Histogram {
  const current = api.metrics.getMeterProvider();
  if (current !== provider) {
    provider = current;
    histograms.clear();
  }
  let found = histograms.get(name);
  if (found === undefined) {
    const advice = { explicitBucketBoundaries: BOUNDARIES };
    found = current.getMeter(SCOPE).createHistogram(name, { description: DESCRIPTIONS[name], unit: 's', advice });
    histograms.set(name, found);
  }
  return found;
}

/** The seconds since a time of `performance.now()`. */
function secondsSince(began: number): number {
  return (performance.now() - began) / 1000;
}

/** Records an operation that began at a time of `performance.now()`. */
export function operationEnded(api: Api, side: Side, began: number, attributes: Attributes, context: Context): void {
  histogram(api, `mcp.${side}.operation.duration`).record(secondsSince(began), attributes, context);
}

/**
 * Records a session that began at a time of `performance.now()`, if telemetry is on. `error` is the
 * class of the error that ended it.
 */
export function sessionEnded(side: Side, began: number, revision: string | undefined, error?: string): void {
  const api = telemetry();
  if (api === undefined) return;
  const attributes = { ...(revision && { 'mcp.protocol.version': revision }), ...(error && { 'error.type': error }) };
  quietly(api, () => histogram(api, `mcp.${side}.session.duration`).record(secondsSince(began), attributes, api.context.active()));
}
