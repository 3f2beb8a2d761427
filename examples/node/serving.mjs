// How the servers of the examples are started: `--http HOST:PORT`, otherwise stdio.

import { parseArgs } from 'node:util';
import { StdioServerTransport } from 'mcpbolt/server/stdio.js';

/**
 * The command line of a server: `--http HOST:PORT`, options of its own, and the rest.
 *
 * @param {import('node:util').ParseArgsConfig['options']} more
 * @returns {{ http?: string, positionals: string[], [option: string]: any }}
 */
export function serverArguments(more = {}) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { http: { type: 'string' }, ...more },
  });
  return { ...values, positionals };
}

/**
 * Serves until the client leaves (stdio), Ctrl-C or SIGTERM.
 *
 * @param {import('mcpbolt/server/mcp.js').McpServer} mcp
 * @param {string} [http] HOST:PORT
 */
export async function serve(mcp, http) {
  if (http === undefined) {
    await mcp.connect(new StdioServerTransport());
    return;
  }
  const [, host, port] = /^(.*):(\d+)$/.exec(http) ?? [];
  if (host === undefined) throw new Error(`--http takes HOST:PORT, not ${http}`);
  // One server object serves every client, of either era at /mcp, and of HTTP+SSE at /sse.
  const listener = await mcp.listen({ host: host.replace(/^\[|\]$/g, ''), port: Number(port), sse: true });
  // stdout belongs to the protocol.
  console.error(`Serving HTTP on ${listener.url}`);
}
