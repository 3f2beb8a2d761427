// Prints what one session of a shared server costs in bytes of the heap and of the process,
// and whether anything is left when all are closed.
import http from 'node:http';
import { StreamableHTTPServerTransport } from 'mcpbolt/server/streamableHttp.js';
import { McpServer } from 'mcpbolt/server/mcp.js';

const SESSIONS = 1000;
const server = new McpServer({ name: 's', version: '1' });
for (let tool = 0; tool < 50; tool++) server.registerTool(`tool-${tool}`, {}, () => ({ content: [] }));
const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

const transports = [];
const web = http.createServer(async (req, res) => {
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => String(transports.length) });
  await server.connect(transport);
  transports.push(transport);
  await transport.handleRequest(req, res);
});
await new Promise((resolve) => web.listen(0, '127.0.0.1', resolve));
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

function open() {
  return new Promise((resolve, reject) => {
    const request = http.request({ port: web.address().port, method: 'POST', path: '/mcp', headers, agent }, (answer) => {
      answer.resume();
      answer.on('end', resolve);
    });
    request.on('error', reject);
    request.end(body);
  });
}

async function size() {
  for (let round = 0; round < 4; round++) {
    gc();
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  }
  return process.memoryUsage();
}

for (let at = 0; at < 300; at++) await open();
const before = await size();
for (let at = 0; at < SESSIONS; at++) await open();
const after = await size();
for (const transport of transports) await transport.close();
const each = (name) => Math.round((after[name] - before[name]) / SESSIONS);
console.log(JSON.stringify({ heap: each('heapUsed'), rss: each('rss'), left: server.isConnected() }));
agent.destroy();
web.close();
