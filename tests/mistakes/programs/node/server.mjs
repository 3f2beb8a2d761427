// The server that works. What goes wrong, its clients do.
import { McpServer } from 'mcpbolt/server/mcp.js';
import { StdioServerTransport } from 'mcpbolt/server/stdio.js';

const number = { type: 'number' };
const two = { type: 'object', properties: { a: number, b: number }, required: ['a', 'b'] };
const none = { type: 'object' };
const said = (value) => ({ content: [{ type: 'text', text: String(value) }] });
const server = new McpServer({ name: 'shop', version: '1.0.0' });

server.registerTool('add', { inputSchema: two }, ({ a, b }) => said(a + b));
server.registerTool('divide', { inputSchema: two }, ({ a, b }) => {
  if (b === 0) throw new RangeError('division by zero');
  return said(a / b);
});
server.registerTool('basket', { inputSchema: none }, () => ({ content: [], structuredContent: { total: 10n } }));
server.registerTool('wait', { inputSchema: none }, () => new Promise(() => {}));
server.registerTool('summarize', { inputSchema: none }, async () => {
  const messages = [{ role: 'user', content: { type: 'text', text: 'a long story' } }];
  const answer = await server.server.createMessage({ messages, maxTokens: 10 });
  return said(answer.content.text);
});
async function price() {
  return 3;
}
server.registerTool('forgotten', { inputSchema: none }, () => ({ content: [{ type: 'text', text: price() }] }));
server.registerResource('milk', 'note://milk', {}, (uri) => ({ contents: [{ uri: uri.href, text: 'buy milk' }] }));
const name = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
server.registerPrompt('greet', { argsSchema: name }, (given) => ({
  messages: [{ role: 'user', content: { type: 'text', text: `Greet ${given.name}` } }],
}));

await server.connect(new StdioServerTransport());
