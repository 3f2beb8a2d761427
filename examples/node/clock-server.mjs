// A clock with a page: the model asks for the time, a person sees it and turns the page's button.
//
// Shows: a page as a resource, a tool that it belongs to, a tool for the page alone and one that pages may
// not call. The page speaks to its host by hand; `@modelcontextprotocol/ext-apps` has a library for it.
//
//     node examples/node/apps-host.mjs -- node examples/node/clock-server.mjs

import { McpServer } from 'mcpbolt/v2/server';
import { serveStdio } from 'mcpbolt/v2/server/stdio';
import { z } from 'zod';

const PAGE = 'ui://clock/app.html';
const HTML = `<!doctype html>
<p id="time">…</p><button>Again</button>
<script>
  let last = 0;
  const waiting = new Map();
  const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const ask = (method, params) => new Promise((resolve, reject) => {
    waiting.set(++last, { resolve, reject });
    send({ id: last, method, params });
  });
  const show = ({ content }) => (document.getElementById('time').textContent = content[0].text);
  addEventListener('message', ({ source, data }) => {
    if (source !== parent) return;
    if (data.method === 'ui/notifications/tool-result') show(data.params);
    const { resolve, reject } = waiting.get(data.id) ?? {};
    data.error ? reject?.(new Error(data.error.message)) : resolve?.(data.result);
  });
  document.querySelector('button').onclick = async () => show(await ask('tools/call', { name: 'again', arguments: {} }));
  ask('ui/initialize', { protocolVersion: '2026-01-26', appInfo: { name: 'clock', version: '1.0.0' }, appCapabilities: {} })
    .then(() => send({ method: 'ui/notifications/initialized' }));
</script>`;

const now = () => ({ content: [{ type: /** @type {const} */ ('text'), text: new Date().toTimeString().slice(0, 8) }] });
const ui = (visibility) => ({ _meta: { ui: { resourceUri: PAGE, visibility } } });

serveStdio(() => {
  const server = new McpServer({ name: 'clock', version: '1.0.0' }, { capabilities: { extensions: { 'io.modelcontextprotocol/ui': {} } } });
  server.registerTool('time', { description: 'The time', inputSchema: z.object({}), ...ui(['model', 'app']) }, now);
  server.registerTool('again', { description: 'The time, for the page', inputSchema: z.object({}), ...ui(['app']) }, now);
  server.registerTool('stop', { description: 'Stops the clock', inputSchema: z.object({}), ...ui(['model']) }, now);
  server.registerResource('clock', PAGE, { mimeType: 'text/html;profile=mcp-app' }, () => ({
    contents: [{ uri: PAGE, mimeType: 'text/html;profile=mcp-app', text: HTML }],
  }));
  return server;
});
