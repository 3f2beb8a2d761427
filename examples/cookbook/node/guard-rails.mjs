// A help desk with guard rails: who may do what, how often, how long, how many at once, and a record.
import { createHash } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { McpServer } from 'mcpbolt/server/mcp.js';
import { z } from 'zod';

const CARD = /\b\d(?:[ -]?\d){12,18}\b/g;
const digest = (token) => createHash('sha256').update(token).digest('hex');

// Digests of tokens, and what people may do. Yours are in a database.
const PEOPLE = new Map(['ann', 'bob'].map((person) => [digest(`token-of-${person}`), person]));
const GROUPS = new Map([['ann', ['lead', 'privacy']], ['bob', ['desk']]]);

const RAILS = {
  // Of each person two calls in a second, ten at once; of each tool twenty, whoever calls it.
  rate_limit: [
    { methods: ['tools/call'], per: 'principal', rate: 2, burst: 10 },
    { methods: ['tools/call'], per: 'tool', rate: 20, burst: 40 },
  ],
  timeout: 30, // seconds; the signal is aborted
  max_concurrency: 50, // of all calls
};

/**
 * Looks at each request before its body is read.
 * @type {NonNullable<import('mcpbolt/server/http.js').HttpHandlerOptions['verify']>}
 */
export function verify({ headers }) {
  const token = headers.get('authorization')?.replace(/^Bearer /i, '') ?? '';
  const clientId = PEOPLE.get(digest(token));
  return clientId === undefined ? { status: 401, challenge: 'Bearer' } : { token, clientId, scopes: [] };
}

/**
 * Asked before each call and for each entry of a list. If it throws, nothing is let through.
 * @type {NonNullable<import('mcpbolt/server/index.js').ServerOptions['authorize']>}
 */
function authorize({ principal }, { name }) {
  const groups = GROUPS.get(principal ?? '') ?? [];
  if (name === 'refund' && !groups.includes('lead')) return 'hide'; // a model does not talk about what it has never seen
  if (name === 'customer_file' && !groups.includes('privacy')) {
    return { deny: 'Take the course on privacy first; your lead can register you.' };
  }
  return 'allow';
}

/** The same without numbers of cards, wherever they stand. */
function blot(value) {
  if (typeof value === 'string') return value.replace(CARD, '[card]');
  if (Array.isArray(value)) return value.map(blot);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, blot(each)]));
}

/** Stands in for the old system, which takes its time and bears two searches. */
export const old = {
  search: async (customer, _signal) => [{ id: 'A-17', note: `${customer} paid with 4111 1111 1111 1111` }],
};

const said = (text) => ({ content: [{ type: /** @type {const} */ ('text'), text }] });

/**
 * The server. `audit` gets who, what, when and how it ended; of the arguments a digest.
 * @param {import('mcpbolt/server/index.js').ServerOptions['audit']} audit
 * @param {object} rails what is other than in `RAILS`
 */
export function desk(audit = 'audit.jsonl', rails = {}) {
  const server = new McpServer(
    { name: 'help desk', version: '1.0.0' },
    {
      authorize,
      audit,
      sanitizeResult: (_method, _name, result) => blot(result),
      errorDetail: 'masked', // what goes wrong inside is in the log, under the id that the client sees
      engine: { ...RAILS, ...rails },
    },
  );

  let searches = 0;
  server.registerTool(
    'find_orders',
    { description: 'The orders of a customer', inputSchema: { customer: z.string() } },
    async ({ customer }, { signal }) => {
      // Come back, instead of waiting in a line of unknown length.
      if (searches >= 2) return { ...said('Too many searches are running. Try again in ten seconds.'), isError: true };
      searches += 1;
      try {
        return said(JSON.stringify(await old.search(customer, signal)));
      } finally {
        searches -= 1;
      }
    },
  );

  server.registerTool(
    'customer_file',
    { description: 'Address and birthday of a customer', inputSchema: { customer: z.string() } },
    ({ customer }) => said(`${customer}, 12 Garden Road, 1 May`),
  );

  server.registerTool(
    'refund',
    { description: 'Pays money back', inputSchema: { order: z.string(), cents: z.number().int() } },
    ({ order, cents }) => said(`${cents} cents of ${order} go back.`),
  );
  return server;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  console.error(`Serving ${(await desk().listen({ port: 8000, verify })).url}`);
}
