// A job that takes long: it says how far it is, and stops at once when it is cancelled.
import { pathToFileURL } from 'node:url';
import { McpServer } from 'mcpbolt/server/mcp.js';
import { StdioServerTransport } from 'mcpbolt/server/stdio.js';
import { z } from 'zod';

/** What is rented for a job and has to be given back, however the job ends. */
export const rented = new Set();

/** Stands in for the real work, which takes its time somewhere else. */
export const work = { count: async (shelf, _signal) => shelf.length };

export const server = new McpServer({ name: 'warehouse', version: '1.0.0' });

server.registerTool(
  'stocktaking',
  {
    description: 'Counts what is on the shelves, one after the other',
    inputSchema: { shelves: z.array(z.string()) },
    outputSchema: { counted: z.number(), missing: z.array(z.string()) },
  },
  async ({ shelves }, { signal, requestId, _meta, sendNotification }) => {
    const robot = `robot of ${requestId}`;
    rented.add(robot);
    try {
      const report = { counted: 0, missing: /** @type {string[]} */ ([]) };
      for (const [done, shelf] of shelves.entries()) {
        signal.throwIfAborted(); // hand the signal on to whatever takes one
        const found = await work.count(shelf, signal);
        report.counted += found;
        if (found === 0) report.missing.push(shelf);
        const progressToken = _meta?.progressToken;
        if (progressToken === undefined) continue;
        const params = { progressToken, progress: done + 1, total: shelves.length, message: `shelf ${shelf}` };
        await sendNotification({ method: 'notifications/progress', params });
      }
      return { content: [{ type: 'text', text: JSON.stringify(report) }], structuredContent: report };
    } finally {
      rented.delete(robot);
    }
  },
);

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await server.connect(new StdioServerTransport());
