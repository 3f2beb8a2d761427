// Exchange rates of an API that is slow and sometimes down: asked seldom, again when it fails, never twice at once.
import { setTimeout as pass } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { McpServer } from 'mcpbolt/server/mcp.js';
import { StdioServerTransport } from 'mcpbolt/server/stdio.js';
import { z } from 'zod';

/** Milliseconds: how long a rate is good, how long it is better than nothing; between tries; of one try. */
export const times = { fresh: 600_000, stale: 24 * 3600_000, pauses: [300, 1000, 3000], patience: 10_000 };
const AGAIN = new Set([429, 500, 502, 503, 504]);
const Table = z.object({ date: z.string(), rates: z.record(z.string(), z.number()) });
const currency = z.string().regex(/^[A-Z]{3}$/).describe('Code of a currency, such as EUR');

/** The API did not answer, however often it was asked. */
class Unreachable extends Error {}

/** One try; nothing if it is worth another one. */
async function once(url) {
  const answer = await fetch(url, { signal: AbortSignal.timeout(times.patience) }).catch(() => undefined);
  if (answer === undefined || AGAIN.has(answer.status)) return undefined;
  if (answer.status === 404) throw new Error('There is no such currency.');
  if (!answer.ok) throw new Error(`The API refused this with ${answer.status}.`);
  return Table.parse(await answer.json());
}

/** Asks until there is an answer. Only because a GET changes nothing it may be asked again. */
async function persist(url) {
  for (const pause of [...times.pauses, undefined]) {
    const table = await once(url);
    if (table !== undefined) return table;
    // Not all at the same moment, when the API comes back.
    if (pause !== undefined) await pass(pause * (0.5 + Math.random()));
  }
  throw new Unreachable();
}

/** A function from a currency to its table, and whether that is a stale one. */
function ratesOf(api) {
  /** @type {Map<string, { at: number, table: z.infer<typeof Table> }>} */
  const known = new Map();
  /** @type {Map<string, ReturnType<typeof persist>>} */
  const asking = new Map();

  /** What others ask at this moment is not asked again. It goes on when one of them leaves. */
  function shared(base) {
    const open = asking.get(base);
    if (open !== undefined) return open;
    const asked = persist(`${api}/latest?base=${base}`)
      .then((table) => (known.set(base, { at: Date.now(), table }), table))
      .finally(() => asking.delete(base));
    asking.set(base, asked);
    return asked;
  }

  return async (base) => {
    const { at, table } = known.get(base) ?? { at: -Infinity, table: undefined };
    const age = Date.now() - at;
    if (table !== undefined && age < times.fresh) return { table, stale: false };
    try {
      return { table: await shared(base), stale: false };
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      if (table !== undefined && age < times.stale) return { table, stale: true };
      throw new Error('The exchange rates cannot be had now. Try again in some minutes.');
    }
  };
}

export function exchange(api = process.env.RATES_URL ?? 'https://api.frankfurter.dev/v1') {
  const server = new McpServer({ name: 'exchange', version: '1.0.0' });
  const rates = ratesOf(api);
  server.registerTool(
    'convert',
    {
      description: 'Converts an amount from one currency to another, by the rates of the European Central Bank',
      inputSchema: { amount: z.number(), source: currency, target: currency },
      outputSchema: {
        amount: z.number(),
        date: z.string(),
        stale: z.boolean().describe('The API is down; this is what it said before.'),
      },
      annotations: { readOnlyHint: true },
    },
    async ({ amount, source, target }) => {
      const { table, stale } = await rates(source);
      const rate = table.rates[target];
      if (rate === undefined) throw new Error(`There is no rate from ${source} to ${target}.`);
      const found = { amount: Math.round(amount * rate * 100) / 100, date: table.date, stale };
      return { content: [{ type: 'text', text: JSON.stringify(found) }], structuredContent: found };
    },
  );
  return server;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await exchange().connect(new StdioServerTransport());
