// The official TypeScript SDK, 2.x line, as a client of an everything-server, in either era.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { answerElicitation, answerSampling, arguments_, checks, run } from './checks.mjs';

const { url, program, era } = arguments_();
const client = new Client(
  { name: 'interop-ts2', version: '1.0.0' },
  { capabilities: { elicitation: {}, sampling: {} }, versionNegotiation: { mode: era } },
);
client.setRequestHandler('elicitation/create', answerElicitation);
client.setRequestHandler('sampling/createMessage', answerSampling);

const transport = url ? new StreamableHTTPClientTransport(url) : new StdioClientTransport(program);
await client.connect(transport);
const call = (name, args, options) => client.callTool({ name, arguments: args }, options);
const revision = client.getNegotiatedProtocolVersion();
const spoken = revision >= '2026' ? 'modern' : 'legacy';
await run('typescript-2.4.0', url ? 'http' : 'stdio', revision, checks(client, call, spoken));
await client.close();
