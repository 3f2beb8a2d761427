// A host that shows pages of a server beside the tool calls: those of a person in place of a model,
// and those that a page asks for.
//
// Shows: what a model may be told of, pages in a sandboxed frame under their policy, calls of pages that
// are refused. Written against the 2.x API.
//
//     node examples/node/apps-host.mjs http://127.0.0.1:3000/mcp
//     node examples/node/apps-host.mjs -- node examples/node/clock-server.mjs

import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { Client } from 'mcpbolt/v2/client';
import { AppError, AppsClient, showsApps } from 'mcpbolt/v2/client/apps';
import { extend } from 'mcpbolt/v2/client/extension';
import { clientArguments, target } from './reaching.mjs';

const client = new Client({ name: 'apps-host', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
extend(client, showsApps());
await client.connect(target(clientArguments().server));
const apps = new AppsClient(client);

/** Pages by the path under which their frames load them. */
const shown = new Map();

/** A server for this machine alone; resolves to it and its origin. */
function listening(answer) {
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.writeHead(500).end(String(error.message)));
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${Object(server.address()).port}`));
  });
}

// Pages have an origin of their own, on which there is nothing else.
const pages = await listening(async (request, response) => {
  const page = shown.get(request.url);
  if (page === undefined) return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': page.policy });
  return response.end(page.html);
});

/** What the person calls, as a model would: with its page, if the tool has one. */
async function call({ name, args: given }) {
  const tool = (await apps.modelTools()).find((one) => one.name === name);
  if (tool === undefined) return { refused: `no tool ${name} for a model` };
  const result = await client.callTool({ name, arguments: given });
  const page = await apps.page(tool);
  if (page === undefined) return { result };
  for (const ignored of page.ignored) console.error(`${page.uri}: ${ignored} is no origin`);
  const path = `/${shown.size + 1}`;
  shown.set(path, page);
  return { result, page: pages + path, border: page.border };
}

/** What a page asks for. */
async function callOfPage({ name, args: given }) {
  try {
    return { result: await apps.call(name, given) };
  } catch (error) {
    if (error instanceof AppError) return { refused: error.message };
    throw error;
  }
}

const ROUTES = { '/call': call, '/page-call': callOfPage, '/tools': () => apps.modelTools() };
const HOST = readFileSync(new URL('apps-host.html', import.meta.url));

async function answer(request, response) {
  if (request.method === 'GET') {
    const policy = `default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; frame-src ${pages}`;
    return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy }).end(HOST);
  }
  const route = ROUTES[request.url];
  // Other sites in the same browser may send requests here too.
  if (route === undefined || request.headers.origin !== `http://${request.headers.host}`) return response.writeHead(403).end();
  let text = '';
  for await (const part of request) text += part;
  return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(await route(JSON.parse(text))));
}

console.log(await listening(answer));
process.stdin.on('end', () => process.exit()).resume();
