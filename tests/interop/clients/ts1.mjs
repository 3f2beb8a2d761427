// The official TypeScript SDK, 1.x line, as a client of an everything-server.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { answerElicitation, answerSampling, arguments_, checks, run } from './checks.mjs';

const { url, program } = arguments_();
const client = new Client(
  { name: 'interop-ts1', version: '1.0.0' },
  { capabilities: { elicitation: {}, sampling: {} } },
);
client.setRequestHandler(ElicitRequestSchema, answerElicitation);
client.setRequestHandler(CreateMessageRequestSchema, answerSampling);

const transport = url ? new StreamableHTTPClientTransport(url) : new StdioClientTransport(program);
await client.connect(transport);
const call = (name, args, options) => client.callTool({ name, arguments: args }, undefined, options);
const revision = transport.protocolVersion ?? 'legacy';
await run('typescript-1.32.2', url ? 'http' : 'stdio', revision, checks(client, call, 'legacy'));
if (url) await transport.terminateSession();
await client.close();
