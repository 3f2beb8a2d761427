// An HTTP server that a test plays itself, request by request.
import { createServer } from 'node:http';
import { after } from 'node:test';

/** What a server of 2025-11-25 says to `initialize`. */
export const WELCOME = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
  serverInfo: { name: 'raw', version: '1' },
};

/** The head of a stream of events. */
export function stream(res, headers = {}) {
  res.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
  res.flushHeaders();
  return res;
}

/** One event. */
export function event(res, message, id) {
  res.write(`${id === undefined ? '' : `id: ${id}\n`}data: ${message === undefined ? '' : JSON.stringify(message)}\n\n`);
}

/** A JSON answer. */
export function json(res, result, id, headers = {}) {
  res.writeHead(200, { 'content-type': 'application/json', ...headers });
  res.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

/**
 * Listens. `play(message, req, res)` answers each POST; without it, or when it returns
 * nothing, `initialize` and notifications are answered. `get(req, res)` takes streams.
 */
export async function rawServer({ play, get, sessionId } = {}) {
  const requests = [];
  const server = createServer(async (req, res) => {
    let text = '';
    for await (const chunk of req) text += chunk;
    const message = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : undefined;
    requests.push({ method: req.method, headers: req.headers, message });
    if (req.method === 'GET') return get === undefined ? void res.writeHead(405).end() : get(req, res);
    if (req.method === 'DELETE') return void res.writeHead(200).end();
    if ((await play?.(message, req, res)) || res.headersSent || res.destroyed) return;
    if (message.method === 'initialize') {
      return json(res, WELCOME, message.id, sessionId === undefined ? {} : { 'mcp-session-id': sessionId });
    }
    if (message.id === undefined) return void res.writeHead(202).end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  after(stop);
  return { url: new URL(`http://127.0.0.1:${server.address().port}/mcp`), requests, server, stop };
}
