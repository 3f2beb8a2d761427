// A server in a worker thread; the main thread is its transport.
import { parentPort } from 'node:worker_threads';
import { Server } from 'mcpbolt/server/index.js';
import { CallToolRequestSchema } from 'mcpbolt/types.js';

const server = new Server({ name: 'worker', version: '1' }, { capabilities: { tools: {} } });
const answer = ({ params: { name } }) => ({ content: [{ type: 'text', text: name }] });
server.setRequestHandler(CallToolRequestSchema, (request) =>
  request.params.name === 'hang' ? new Promise(() => undefined) : answer(request),
);
const transport = {
  start: async () => parentPort.on('message', (message) => transport.onmessage(message)),
  send: async (message) => parentPort.postMessage(message),
  close: async () => parentPort.close(),
};
await server.connect(transport);
parentPort.postMessage('ready');
