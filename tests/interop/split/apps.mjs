// A server on the npm package @modelcontextprotocol/ext-apps: tools with pages. The tool `visit`
// also runs the package's host and page against each other, without a browser.
//
//   node apps.mjs PORT        Streamable HTTP at every path

import { createServer } from 'node:http';
import { Client } from '@modelcontextprotocol/client';
import { App } from '@modelcontextprotocol/ext-apps';
import { AppBridge } from '@modelcontextprotocol/ext-apps/app-bridge';
import { getUiCapability, registerAppResource, registerAppTool, RESOURCE_MIME_TYPE } from '@modelcontextprotocol/ext-apps/server';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

const PAGE = 'ui://clock/app.html';
const text = (words) => ({ content: [{ type: 'text', text: words }] });

function clock() {
  const server = new McpServer({ name: 'on-ext-apps', version: '1.0.0' });
  const meta = { ui: { resourceUri: PAGE } };
  registerAppTool(server, 'time', { description: 'The time', inputSchema: z.object({ zone: z.string() }), _meta: meta }, ({ zone }) => text(`12:00 ${zone}`));
  registerAppTool(server, 'refresh', { description: 'Again', _meta: { ui: { resourceUri: PAGE, visibility: ['app'] } } }, () => text('12:01'));
  registerAppTool(server, 'visit', { description: 'A page and its host', _meta: meta }, async () => text(JSON.stringify(await visit())));
  const csp = { connectDomains: ['https://time.example.com'] };
  registerAppResource(server, 'clock', PAGE, { description: 'A clock' }, () => ({
    contents: [{ uri: PAGE, mimeType: RESOURCE_MIME_TYPE, text: '<!doctype html><p id=time>', _meta: { ui: { csp, prefersBorder: true } } }],
  }));
  return server;
}

/** What a page in a host sees: the host is a client of a clock of its own. */
async function visit() {
  const said = [];
  const [near, far] = InMemoryTransport.createLinkedPair();
  await clock().connect(far);
  const client = new Client({ name: 'host', version: '1.0.0' });
  await client.connect(near);
  const bridge = new AppBridge(client, { name: 'host', version: '1.0.0' }, { serverTools: {}, serverResources: {} });
  const app = new App({ name: 'page', version: '1.0.0' }, {}, { autoResize: false });
  app.ontoolinput = ({ arguments: given }) => said.push(['input', given]);
  app.ontoolresult = ({ content }) => said.push(['result', content]);
  const ready = new Promise((resolve) => (bridge.oninitialized = resolve));
  const [inside, outside] = InMemoryTransport.createLinkedPair();
  await bridge.connect(outside);
  await app.connect(inside);
  await ready;
  await bridge.sendToolInput({ arguments: { zone: 'UTC' } });
  await bridge.sendToolResult(text('12:00 UTC'));
  said.push(['host', app.getHostVersion(), app.getHostCapabilities()]);
  said.push(['called', await app.callServerTool({ name: 'refresh', arguments: {} })]);
  said.push(['declared', getUiCapability({ extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [RESOURCE_MIME_TYPE] } } })]);
  await client.close();
  return said;
}

createServer(toNodeHandler(createMcpHandler(clock))).listen(Number(process.argv[2]), '127.0.0.1', () => console.log('listening'));
