// Notes of many tenants on one HTTP endpoint: a token says whose they are.
import { createHash } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { McpServer } from 'mcpbolt/server/mcp.js';
import { z } from 'zod';

const digest = (token) => createHash('sha256').update(token).digest('hex');

// Whose token it is, and what it may do. Only digests are kept: who reads this table cannot sign in.
const TOKENS = new Map([
  [digest('token-of-ann'), { clientId: 'ann', scopes: ['notes:read', 'notes:write'] }],
  [digest('token-of-bob'), { clientId: 'bob', scopes: ['notes:read'] }],
]);

/**
 * Looks at each request before its body is read.
 * @type {NonNullable<import('mcpbolt/server/http.js').HttpHandlerOptions['verify']>}
 */
export function verify({ headers }) {
  const token = headers.get('authorization')?.replace(/^Bearer /i, '') ?? '';
  const known = TOKENS.get(digest(token));
  return known ? { token, ...known } : { status: 401, challenge: 'Bearer' };
}

const writers = new Set([...TOKENS.values()].filter(({ scopes }) => scopes.includes('notes:write')).map((t) => t.clientId));

/** Asked before each call and for each entry of a list: who may not write does not see the tool. */
function authorize({ principal }, { thing, name }) {
  return thing === 'tool' && name === 'write' && !writers.has(principal ?? '') ? 'hide' : 'allow';
}

export const server = new McpServer(
  { name: 'notes', version: '1.0.0' },
  {
    authorize,
    // Of each tenant: twenty requests a second, forty at once.
    engine: { rate_limit: [{ methods: ['*'], per: 'principal', rate: 20, burst: 40 }] },
  },
);

/** @type {Map<string, Map<string, string>>} */
const notes = new Map();

/**
 * Of whoever asks. Never an argument of a tool: a model can be talked into passing another one.
 * @param {{ authInfo?: { clientId: string } }} extra
 */
function notesOf({ authInfo }) {
  if (!authInfo) throw new Error('Sign in first.');
  const own = notes.get(authInfo.clientId) ?? new Map();
  notes.set(authInfo.clientId, own);
  return own;
}

const said = (text) => ({ content: [{ type: /** @type {const} */ ('text'), text }] });

server.registerTool(
  'write',
  { description: 'Writes a note', inputSchema: { name: z.string(), text: z.string() } },
  ({ name, text }, extra) => said(`Written. There are ${notesOf(extra).set(name, text).size} notes.`),
);

server.registerTool('read', { description: 'Reads a note', inputSchema: { name: z.string() } }, ({ name }, extra) => {
  const text = notesOf(extra).get(name);
  if (text === undefined) throw new Error(`There is no note ${name}.`);
  return said(text);
});

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const listener = await server.listen({ port: 8000, verify });
  console.error(`Serving ${listener.url}`);
}
