// A report that takes long: ordered now, written while nobody is connected, collected later.
//
//     node late-report.mjs serve
//     node late-report.mjs order 2025       # prints a receipt, and leaves
//     node late-report.mjs collect RECEIPT  # hours later, or after a restart
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { McpServer } from 'mcpbolt/server/mcp.js';
import { Client, StreamableHTTPClientTransport } from 'mcpbolt/v2/client';
import { Task, TasksClient } from 'mcpbolt/v2/client/ext/tasks';
import { z } from 'zod';

const WEEK = 7 * 24 * 3600; // seconds

/** Customer and cents of each order of a month: a file with one JSON object a line. */
export const work = {
  read: async (month) => (await readFile(month, 'utf8')).split('\n').filter(Boolean).map((line) => JSON.parse(line)),
};

/** The server of a folder of orders. What it has finished is in the file `store`, for a week. */
export function reports(folder, store = 'reports.redb') {
  const server = new McpServer(
    { name: 'reports', version: '1.0.0' },
    { stores: `file:${store}`, engine: { 'tasks.ttl': WEEK } },
  );
  server.registerTool(
    'yearly_report',
    {
      description: 'Sums up the orders of a year by customer. Takes a while.',
      inputSchema: { year: z.number().int().min(1000).max(9999) },
      outputSchema: { year: z.number(), orders: z.number(), cents: z.record(z.string(), z.number()) },
      task: 'optional', // clients without tasks can call it too, and wait
    },
    async ({ year }, { signal }) => {
      const months = (await readdir(folder)).filter((name) => name.startsWith(`${year}-`) && name.endsWith('.jsonl'));
      if (months.length === 0) throw new Error(`There are no orders of ${year}.`);
      const report = { year, orders: 0, cents: /** @type {Record<string, number>} */ ({}) };
      for (const month of months.sort()) {
        signal.throwIfAborted(); // of a task that is cancelled
        for (const { customer, cents } of await work.read(join(folder, month))) {
          report.orders += 1;
          report.cents[customer] = (report.cents[customer] ?? 0) + cents;
        }
      }
      return { content: [{ type: 'text', text: JSON.stringify(report) }], structuredContent: report };
    },
  );
  return server;
}

/** Does something with the tasks of a server, and leaves. */
async function visit(url, errand) {
  const client = new Client({ name: 'desk', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  const tasks = new TasksClient(client); // before connect
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  try {
    return await errand(tasks);
  } finally {
    await client.close();
  }
}

/** Starts a report. Whoever has the receipt can collect it: keep it secret. */
export const order = (url, year) =>
  visit(url, async (tasks) => {
    const started = await tasks.startTool({ name: 'yearly_report', arguments: { year } });
    if (!(started instanceof Task)) throw new Error('This server does not write reports while nobody waits.');
    return started.id;
  });

/** The report, or why there is none yet. */
export const collect = (url, receipt) =>
  visit(url, async (tasks) => {
    try {
      const { status, createdAt } = await tasks.task(receipt).get();
      if (status === 'working') return `It is being written since ${createdAt}. Come back later.`;
      const { content } = await tasks.task(receipt).wait();
      return content[0].text;
    } catch (error) {
      // Unknown or too old, cancelled, or the server ended while it was writing.
      return `Please order it again: ${error instanceof Error ? error.message : error}`;
    }
  });

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { REPORTS_URL = 'http://127.0.0.1:8000/mcp', REPORTS_ORDERS = 'orders', PORT = '8000' } = process.env;
  const [verb, what] = process.argv.slice(2);
  if (verb === 'order') console.log(await order(REPORTS_URL, Number(what)));
  else if (verb === 'collect') console.log(await collect(REPORTS_URL, what));
  else console.error(`Serving ${(await reports(REPORTS_ORDERS).listen({ port: Number(PORT) })).url}`);
}
