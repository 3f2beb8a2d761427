// What tests of the 2.x face share: waiting with a bound, a web server, a small server.
import { createServer } from 'node:http';
import { McpServer } from 'mcpbolt/v2/server';
import { z } from 'zod';

const SECONDS = 5;
export const about = { name: 'caller', version: '1.0.0' };

/** Resolves with a value, or fails after a while. */
export function soon(promise, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no ${what} within ${SECONDS} s`)), SECONDS * 1000);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Something that a callback resolves. */
export function event() {
  let happened;
  const promise = new Promise((resolve) => (happened = resolve));
  return { promise, happened };
}

export async function web(handler, body) {
  const server = createServer(handler);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await body(new URL(`http://127.0.0.1:${server.address().port}/mcp`));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

export const text = (value) => ({ content: [{ type: 'text', text: String(value) }] });

export function small(name = 'small') {
  const server = new McpServer({ name, version: '1.0.0' });
  server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, (args) => text(args.text));
  return server;
}
