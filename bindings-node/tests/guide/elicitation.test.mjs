// Chapter elicitation.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connected, listened, PROTOCOLS } from './support.mjs';

// [guide]
import { McpServer } from 'mcpbolt/server/mcp.js';
import { z } from 'zod';

const server = new McpServer({ name: 'hotel', version: '1.0.0' });

server.registerTool('book', { description: 'Books a room', inputSchema: { city: z.string() } }, async ({ city }) => {
  const { action, content } = await server.server.elicitInput({
    message: `A room in ${city}:`,
    requestedSchema: {
      type: 'object',
      properties: {
        guests: { type: 'integer', title: 'Guests', minimum: 1, maximum: 8, default: 2 },
        breakfast: { type: 'boolean', title: 'Breakfast', default: true },
      },
      required: ['guests'],
    },
  });
  const said = action === 'accept' ? `Booked for ${content?.guests} guests.` : 'Nothing was booked.';
  return { content: [{ type: 'text', text: said }] };
});
// [end]

// [guide]
import { Client } from 'mcpbolt/client/index.js';
import { ElicitRequestSchema } from 'mcpbolt/types.js';

/** @param {string} protocol */
function newClient(protocol) {
  const client = new Client(
    { name: 'desktop', version: '1.0.0' },
    { protocol, capabilities: { elicitation: { form: {}, url: {} } } },
  );
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    console.log(params.message);
    if (!('requestedSchema' in params)) {
      console.log(`Open ${params.url} ?`); // the whole URL, then ask
      return { action: 'decline' };
    }
    for (const [name, field] of Object.entries(params.requestedSchema.properties)) {
      console.log(`  ${name}: ${field.type}`); // draw the field, read the value
    }
    return { action: 'accept', content: { guests: 3, breakfast: false } };
  });
  return client;
}
// [end]

for (const protocol of PROTOCOLS) {
  test(`a person is asked while a call runs, ${protocol}`, async () => {
    const client = await connected(server, newClient(protocol));
    const { result, lines } = await listened(() => client.callTool({ name: 'book', arguments: { city: 'Oslo' } }));
    assert.deepEqual(result.content, [{ type: 'text', text: 'Booked for 3 guests.' }]);
    assert.deepEqual(lines, ['A room in Oslo:', '  guests: integer', '  breakfast: boolean']);
  });
}
