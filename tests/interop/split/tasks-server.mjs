// A server on mcpbolt whose tools become tasks, for tasks.mjs. It is the same one whether the client is
// on the official packages or on ours: the official ones have no such server.
//
//   node tasks-server.mjs        standard streams

import { AsyncLocalStorage } from 'node:async_hooks';
import { ElicitResultSchema } from 'mcpbolt/types.js';
import { McpServer } from 'mcpbolt/v2/server';
import { beginTask } from 'mcpbolt/v2/server/ext/tasks';
import { StdioServerTransport } from 'mcpbolt/v2/server/stdio';
import { z } from 'zod';

const FORM = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const RELATED = 'io.modelcontextprotocol/related-task';
const anything = z.looseObject({});
const text = (words) => ({ content: [{ type: 'text', text: words }] });
const mcp = new McpServer({ name: 'tasks', version: '1.0.0' }, { engine: { 'tasks.poll_interval': 0.02 } });
const outside = AsyncLocalStorage.snapshot();

mcp.registerTool('add', { inputSchema: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) => text(String(a + b)));
mcp.registerTool('report', { task: 'optional', inputSchema: z.object({ year: z.number() }) }, ({ year }) => text(`report of ${year}`));
mcp.registerTool('fail', { task: 'required' }, () => {
  throw new Error('the job failed');
});
mcp.registerTool('endless', { task: 'required' }, (ctx) => new Promise((_, reject) => {
  ctx.mcpReq.signal.addEventListener('abort', () => reject(new Error('given up')));
}));

// Asks once the client has called `go`, so that it knows of the task by then. A client of 2026-07-28 finds the
// question in the task. Of a task of 2025-11-25 it would get it with `tasks/result`, which the package sends only
// once the task is over; so the server asks by itself there.
let go;
const gone = new Promise((resolve) => (go = resolve));
mcp.registerTool('go', {}, () => {
  go();
  return text('asking');
});
mcp.registerTool('ask', { task: 'required' }, async (ctx) => {
  await gone;
  const question = { message: 'Who?', requestedSchema: FORM };
  if (ctx.mcpReq.envelope !== undefined) return text(`hello ${(await ctx.mcpReq.elicitInput(question)).content?.name}`);
  const params = { ...question, _meta: { [RELATED]: { taskId: await beginTask(ctx) } } };
  const answer = await outside(() => mcp.server.request({ method: 'elicitation/create', params }, ElicitResultSchema));
  return text(`hello ${answer.content?.name}`);
});

// The other way round, in 2025-11-25: the client makes a task of a question.
mcp.registerTool('delegate', {}, async ({ mcpReq }) => {
  const told = [];
  const over = new Promise((resolve) => {
    mcp.server.setNotificationHandler('notifications/tasks/status', ({ params }) => {
      told.push(params.status);
      if (params.status === 'completed') resolve();
    });
  });
  const ask = (method, params) => mcpReq.send({ method, params }, anything);
  const { task, ...answer } = await ask('elicitation/create', { message: 'Who?', requestedSchema: FORM, task: { ttl: 60_000 } });
  if (task === undefined) return text(JSON.stringify({ answer }));
  const { taskId } = task;
  const result = await ask('tasks/result', { taskId });
  await over;
  const [got, { tasks }] = [await ask('tasks/get', { taskId }), await ask('tasks/list', {})];
  const unknown = await ask('tasks/get', { taskId: 'none' }).catch(({ message }) => message);
  return text(JSON.stringify({ began: task.status, result: result.content, told, got: got.status, listed: tasks.length, unknown }));
});

await mcp.connect(new StdioServerTransport());
