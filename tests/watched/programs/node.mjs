// A server that is watched, on Node: `node.mjs PORT UPSTREAM PACKAGES`; the last is a folder with OpenTelemetry in it.
// Owns: a tool that asks the server of that URL in its turn, and the exporters. Must not know: who asks.
import { createRequire } from 'node:module';
import { Client } from 'mcpbolt/client/index.js';
import { StreamableHTTPClientTransport } from 'mcpbolt/client/streamableHttp.js';
import { McpServer } from 'mcpbolt/server/mcp.js';
import { z } from 'zod';

const [port, upstream, packages] = process.argv.slice(2);
const load = createRequire(`${packages}/`);
const { metrics } = load('@opentelemetry/api');
const { OTLPMetricExporter } = load('@opentelemetry/exporter-metrics-otlp-http');
const { OTLPTraceExporter } = load('@opentelemetry/exporter-trace-otlp-http');
const { envDetector, detectResources } = load('@opentelemetry/resources');
const { MeterProvider, PeriodicExportingMetricReader } = load('@opentelemetry/sdk-metrics');
const { BatchSpanProcessor } = load('@opentelemetry/sdk-trace-base');
const { NodeTracerProvider } = load('@opentelemetry/sdk-trace-node');

const resource = detectResources({ detectors: [envDetector] });
new NodeTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] }).register();
const often = Number(process.env.OTEL_METRIC_EXPORT_INTERVAL);
const exporter = new OTLPMetricExporter();
const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: often, exportTimeoutMillis: often });
metrics.setGlobalMeterProvider(new MeterProvider({ resource, readers: [reader] }));

const server = new McpServer({ name: 'watched', version: '1.0.0' });
const described = { description: 'Asks the next server', inputSchema: { modern: z.boolean(), fails: z.boolean() } };
server.registerTool('relay', described, async (given) => {
  // In the era of its own caller.
  const client = new Client({ name: 'relay', version: '1.0.0' }, { protocol: given.modern ? '2026-07-28' : '2025-11-25' });
  await client.connect(new StreamableHTTPClientTransport(new URL(upstream)));
  try {
    return await client.callTool({ name: 'relay', arguments: given });
  } finally {
    await client.close();
  }
});

await server.listen({ port: Number(port), metrics: '/metrics' });
