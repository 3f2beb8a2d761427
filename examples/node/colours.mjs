// An extension of one's own: a server that mixes colours, and a client that knows it can.
//
// Shows: a method with its row, settings, a hook on the tool calls of others. Without `--` it serves
// stdio; with it, it visits a server that has the extension, in whatever language.
//
//     node examples/node/colours.mjs -- node examples/node/colours.mjs

import { Client } from 'mcpbolt/v2/client';
import { extend as extendClient, serverExtension } from 'mcpbolt/v2/client/extension';
import { StdioClientTransport } from 'mcpbolt/v2/client/stdio';
import { McpServer } from 'mcpbolt/v2/server';
import { extend, extensionMethod } from 'mcpbolt/v2/server/extension';
import { serveStdio } from 'mcpbolt/v2/server/stdio';
import { z } from 'zod';

const ID = 'com.example/colours';
const MIX = 'com.example/mix';
const MIXED = { 'blue red': 'purple', 'red yellow': 'orange', 'blue yellow': 'green' };

const mixing = {
  id: ID,
  settings: { depth: 8 },
  methods: {
    [MIX]: extensionMethod({
      params: z.object({ name: z.string(), colours: z.array(z.string()) }),
      namedBy: 'name',
      answer: ({ colours }) => ({ mixed: MIXED[colours.sort().join(' ')] ?? 'brown' }),
    }),
  },
  hooks: {
    'tools/call': async (request, ctx, next) => ({ ...(await next()), _meta: { [ID]: 'signed' } }),
  },
};

function paints() {
  const server = new McpServer({ name: 'paints', version: '1.0.0' });
  extend(server, mixing);
  const inputSchema = z.object({ colour: z.string() });
  server.registerTool('paint', { description: 'Paints the sky', inputSchema }, ({ colour }) => ({
    content: [{ type: 'text', text: `a ${colour} sky` }],
  }));
  return server;
}

/** @param {string[]} words */
async function visit([command, ...args]) {
  const client = new Client({ name: 'mixer', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  extendClient(client, { id: ID, methods: { [MIX]: { namedBy: 'name' } } });
  await client.connect(new StdioClientTransport({ command, args }));
  const request = { method: MIX, params: { name: 'sky', colours: ['red', 'blue'] } };
  const { mixed } = await client.request(request, z.object({ mixed: z.string() }));
  const painted = await client.callTool({ name: 'paint', arguments: { colour: mixed } });
  console.log(`depth ${serverExtension(client, ID)?.depth}: ${Object(painted.content[0]).text}, ${painted._meta?.[ID]}`);
  await client.close();
}

if (process.argv[2] === '--') await visit(process.argv.slice(3));
else serveStdio(paints);
