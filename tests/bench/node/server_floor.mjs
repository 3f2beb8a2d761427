// The floor: the least JavaScript that gives the right answers. A loop over stdin, or bare
// `node:http`; no package, no registry, no sessions, no checks.
import { createServer } from 'node:http';
import { SETTINGS } from './settings.mjs';

const OPENED = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'floor', version: '1' } };
const DISCOVERED = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {} };

/** The reply, or nothing to a notification. */
function answer(text) {
  const { id, method, params } = JSON.parse(text);
  if (id === undefined) return undefined;
  let result = method === 'initialize' ? OPENED : DISCOVERED;
  if (method === 'tools/call') result = { content: [{ type: 'text', text: params.arguments.text }] };
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}

if (SETTINGS.http) {
  const server = createServer((request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      const reply = answer(Buffer.concat(parts).toString());
      response.writeHead(reply === undefined ? 202 : 200, { 'content-type': 'application/json' }).end(reply);
    });
  });
  server.listen(SETTINGS.port, SETTINGS.host);
} else {
  let held = '';
  process.stdin.setEncoding('utf8').on('data', (part) => {
    const lines = (held + part).split('\n');
    held = lines.pop();
    const replies = lines.map(answer).filter((reply) => reply !== undefined);
    if (replies.length > 0) process.stdout.write(`${replies.join('\n')}\n`);
  });
}
