// A tool that asks the person before it does what cannot be undone.
import { pathToFileURL } from 'node:url';
import { McpServer } from 'mcpbolt/server/mcp.js';
import { StdioServerTransport } from 'mcpbolt/server/stdio.js';
import { z } from 'zod';

/** Free seats by the hour. */
export const free = new Map([['12:00', 2], ['19:00', 6]]);

/**
 * The form that the client draws. Each property becomes one input.
 * @type {import('mcpbolt/types.js').ElicitRequestFormParams['requestedSchema']}
 */
const DETAILS = {
  type: 'object',
  properties: {
    guests: { type: 'integer', title: 'Guests', minimum: 1, maximum: 8, default: 2 },
    seat: { type: 'string', title: 'Where', enum: ['inside', 'garden'], default: 'inside' },
    name: { type: 'string', title: 'Name', minLength: 1, maxLength: 60 },
  },
  required: ['guests', 'name'],
};
/** @type {typeof DETAILS} */
const CONFIRM = { type: 'object', properties: { sure: { type: 'boolean', title: 'Yes, book it', default: false } } };

export const server = new McpServer({ name: 'restaurant', version: '1.0.0' });

server.registerTool(
  'book_table',
  {
    description: 'Books a table. The guest is asked for the details and has to confirm them.',
    inputSchema: { day: z.string().date(), time: z.string() },
    annotations: { destructiveHint: false, openWorldHint: false },
  },
  async ({ day, time }) => ({ content: [{ type: 'text', text: await book(day, time) }] }),
);

async function book(day, time) {
  const seats = free.get(time);
  if (seats === undefined) return `There are tables at ${[...free.keys()].join(' and ')}.`;
  const asked = await server.server.elicitInput({ message: `A table on ${day} at ${time}:`, requestedSchema: DETAILS });
  if (asked.action !== 'accept') return 'Nothing was booked.';
  const { guests, seat = 'inside', name } = asked.content ?? {};
  if (Number(guests) > seats) return `At ${time} there are only ${seats} seats. Nothing was booked.`;
  const message = `${guests} guests, ${seat}, ${day} at ${time}?`;
  const sure = await server.server.elicitInput({ message, requestedSchema: CONFIRM });
  if (sure.action !== 'accept' || sure.content?.sure !== true) return 'Nothing was booked.';
  free.set(time, seats - Number(guests));
  return `Booked for ${name}.`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await server.connect(new StdioServerTransport());
