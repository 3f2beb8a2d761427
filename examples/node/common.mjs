// What the examples share: the command line, and answers without a person.
//
// Every server takes `--http HOST:PORT` and otherwise serves stdio; every client takes a URL,
// or `-- COMMAND ARGS`, last.

import { parseArgs } from 'node:util';
import { SSEClientTransport } from 'mcpbolt/client/sse.js';
import { StdioClientTransport } from 'mcpbolt/client/stdio.js';
import { StreamableHTTPClientTransport } from 'mcpbolt/client/streamableHttp.js';
import { StdioServerTransport } from 'mcpbolt/server/stdio.js';

/** The command line of a server: `--http HOST:PORT`, options of its own, and the rest. */
export function serverArguments(more = {}) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { http: { type: 'string' }, ...more },
  });
  return { ...values, positionals };
}

/** Serves until the client leaves (stdio), Ctrl-C or SIGTERM. */
export async function serve(mcp, http) {
  if (http === undefined) {
    await mcp.connect(new StdioServerTransport());
    return;
  }
  const [, host, port] = /^(.*):(\d+)$/.exec(http) ?? [];
  if (host === undefined) throw new Error(`--http takes HOST:PORT, not ${http}`);
  // One server object serves every client, of either era, and those of HTTP+SSE at /sse.
  const listener = await mcp.server.listen({ host: host.replace(/^\[|\]$/g, ''), port: Number(port), path: '/mcp', legacySse: true });
  // stdout belongs to the protocol.
  console.error(`Serving HTTP on http://${host}:${listener.port}/mcp`);
}

/** The command line of a client, which ends with the server. */
export function clientArguments(more = {}) {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: more });
  if (positionals.length === 0) throw new Error('no server: give a URL, or -- COMMAND ARGS');
  return { ...values, server: positionals };
}

/** The transport to the server those words name. */
export function target([first, ...rest]) {
  if (rest.length > 0 || !URL.canParse(first)) return new StdioClientTransport({ command: first, args: rest });
  const url = new URL(first);
  return url.pathname.endsWith('/sse') ? new SSEClientTransport(url) : new StreamableHTTPClientTransport(url);
}

/** The words of some content, one block per line. */
export function textOf(content) {
  return [content].flat().filter((block) => block.type === 'text').map((block) => block.text).join('\n');
}

/** An answer of one text. */
export const text = (words) => ({ content: [{ type: 'text', text: words }] });

/** Something that fits each field of a form; its default where it has one. */
export function fillIn({ properties = {} }) {
  return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, field.default ?? fitting(field)]));
}

const TEXTS = {
  email: 'ada@example.com',
  uri: 'https://example.com/',
  date: '2026-07-28',
  'date-time': '2026-07-28T12:00:00Z',
};

function fitting(field) {
  switch (field.type) {
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return field.minimum ?? 1;
    case 'array':
      return [choice(field.items)];
    default:
      return choice(field) ?? TEXTS[field.format] ?? 'Ada';
  }
}

/** The first of the values there are to choose from. */
function choice(field) {
  return field.enum?.[0] ?? (field.oneOf ?? field.anyOf)?.[0]?.const;
}
