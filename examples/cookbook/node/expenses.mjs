// Everybody's own expenses, behind tokens that people make for their programs, as at GitHub.
//
//     node expenses.mjs token ann expenses:read expenses:write  # prints a token, once
//     node expenses.mjs                                         # serves
import { createHash, randomBytes } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { McpServer } from 'mcpbolt/server/mcp.js';
import { z } from 'zod';

const DAYS = 90; // a token that is lost and forgotten ends by itself
const NEEDED = 'expenses:read'; // by every request
const day = z.string().date();
const Expense = z.object({ day, cents: z.number().int().positive(), what: z.string() });

const digest = (token) => createHash('sha256').update(token).digest('hex');
const now = () => Math.floor(Date.now() / 1000);

/** Makes a token. Only its digest is kept: who reads the folder cannot sign in. */
export async function issue(folder, person, scopes, days = DAYS) {
  if (!/^[a-z][a-z0-9-]*$/.test(person)) throw new Error(`"${person}" cannot be the name of a file`);
  const token = `exp_${randomBytes(32).toString('base64url')}`;
  await mkdir(join(folder, 'tokens'), { recursive: true });
  const known = { person, scopes, ends: now() + days * 24 * 3600 };
  await writeFile(join(folder, 'tokens', digest(token)), JSON.stringify(known));
  return token;
}

/**
 * Looks at each request before its body is read, so that a token whose file is deleted ends at once.
 * @returns {NonNullable<import('mcpbolt/server/http.js').HttpHandlerOptions['verify']>}
 */
export function verifier(folder) {
  return async ({ headers }) => {
    const token = headers.get('authorization')?.replace(/^Bearer /i, '') ?? '';
    const kept = await readFile(join(folder, 'tokens', digest(token)), 'utf8').catch(() => 'null');
    const known = JSON.parse(kept);
    if (known === null || known.ends <= now()) return { status: 401, challenge: 'Bearer error="invalid_token"' };
    const { person, scopes, ends } = known;
    if (!scopes.includes(NEEDED)) return { status: 403, challenge: `Bearer error="insufficient_scope", scope="${NEEDED}"` };
    return { token, clientId: person, scopes, expiresAt: ends };
  };
}

async function read(file) {
  const lines = await readFile(file, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return lines.split('\n').filter(Boolean).map((line) => Expense.parse(JSON.parse(line)));
}

/** Data for programs, and the same as text for clients that read only that. */
const answer = (data) => ({
  content: [{ type: /** @type {const} */ ('text'), text: JSON.stringify(data) }],
  structuredContent: data,
});

export function expenses(folder) {
  const server = new McpServer({ name: 'expenses', version: '1.0.0' });
  /**
   * The file of whoever asks. The name comes from the token, never from the model.
   * @param {{ authInfo?: { clientId: string } }} extra
   */
  const own = ({ authInfo }) => {
    if (!authInfo) throw new Error('Sign in first.');
    return join(folder, `${authInfo.clientId}.jsonl`);
  };

  server.registerTool(
    'my_expenses',
    { description: 'The expenses of the person who asks', inputSchema: { since: day } },
    async ({ since }, extra) => answer({ expenses: (await read(own(extra))).filter((each) => each.day >= since) }),
  );

  server.registerTool(
    'spend',
    { description: 'Notes an expense of the person who asks', inputSchema: Expense.shape, scopes: [NEEDED, 'expenses:write'] },
    async (expense, extra) => {
      await appendFile(own(extra), `${JSON.stringify(expense)}\n`);
      return answer({ noted: expense });
    },
  );

  server.registerTool(
    'totals',
    {
      description: 'What everybody has spent, in cents. For the accountants.',
      inputSchema: { since: day },
      scopes: [NEEDED, 'expenses:all'],
    },
    async ({ since }) => {
      const totals = {};
      for (const name of (await readdir(folder)).filter((each) => each.endsWith('.jsonl')).sort()) {
        const spent = (await read(join(folder, name))).filter((each) => each.day >= since);
        totals[basename(name, '.jsonl')] = spent.reduce((sum, { cents }) => sum + cents, 0);
      }
      return answer({ totals });
    },
  );
  return server;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folder = process.env.EXPENSES_FOLDER ?? 'expenses';
  const [verb, person, ...scopes] = process.argv.slice(2);
  if (verb === 'token') console.log(await issue(folder, person, scopes));
  else console.error(`Serving ${(await expenses(folder).listen({ port: 8000, verify: verifier(folder) })).url}`);
}
