// How the clients of the examples are told their server: a URL, or `-- COMMAND ARGS`, last.

import { parseArgs } from 'node:util';
import { SSEClientTransport } from 'mcpbolt/client/sse.js';
import { StdioClientTransport } from 'mcpbolt/client/stdio.js';
import { StreamableHTTPClientTransport } from 'mcpbolt/client/streamableHttp.js';

/**
 * The command line of a client, which ends with the server.
 *
 * @param {import('node:util').ParseArgsConfig['options']} more options of its own
 * @returns {{ server: string[], [option: string]: any }}
 */
export function clientArguments(more = {}) {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: more });
  if (positionals.length === 0) throw new Error('no server: give a URL, or -- COMMAND ARGS');
  return { ...values, server: positionals };
}

/**
 * The transport to the server those words name.
 *
 * @param {string[]} words
 */
export function target([first, ...rest]) {
  if (rest.length > 0 || !URL.canParse(first)) return new StdioClientTransport({ command: first, args: rest });
  const url = new URL(first);
  return url.pathname.endsWith('/sse') ? new SSEClientTransport(url) : new StreamableHTTPClientTransport(url);
}
