// Tools of everything-server.mjs whose calls go on as tasks, for clients that declared the tasks
// extension (2026-07-28).

import { setTimeout as pause } from 'node:timers/promises';
import { ElicitResultSchema, UrlElicitationRequiredError } from 'mcpbolt/types.js';
import { z } from 'zod';
import { text } from './common.mjs';

const FORM = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

/** A question for a name. */
const question = (message) => ({ method: 'elicitation/create', params: { message, requestedSchema: FORM } });

/** The name in an answer. Nothing if there is no answer yet. */
function nameIn(extra, key) {
  const given = ElicitResultSchema.safeParse(extra.inputResponses?.[key]);
  return given.success ? String(given.data.content?.name ?? 'nobody') : undefined;
}

/**
 * Adds the tools.
 *
 * @param {import('mcpbolt/server/mcp.js').McpServer} mcp
 */
export function offerTasks(mcp) {
  mcp.registerTool(
    'slow_compute',
    {
      description: 'Computes for a while.',
      inputSchema: { seconds: z.number().default(0), label: z.string().default('') },
      task: 'optional',
    },
    async ({ seconds, label }, { signal }) => {
      await pause(seconds * 1000, undefined, { signal });
      return text(`Computed ${label} in ${seconds} s.`);
    },
  );

  mcp.registerTool('failing_job', { description: 'A task whose tool fails.', task: 'required' }, () => {
    throw new Error('The job failed.');
  });

  mcp.registerTool('protocol_error_job', { description: 'A task that ends with a JSON-RPC error.', task: 'required' }, () => {
    const page = { mode: 'url', message: 'Sign in first.', url: 'https://example.com/', elicitationId: 'sign-in' };
    throw new UrlElicitationRequiredError([/** @type {any} */ (page)]);
  });

  mcp.registerTool(
    'confirm_delete',
    {
      description: 'Asks before it deletes, and waits inside the function.',
      inputSchema: { filename: z.string() },
      task: 'required',
    },
    async ({ filename }, extra) => {
      const form = { type: 'object', properties: { confirm: { type: 'boolean' } }, required: ['confirm'] };
      const params = { message: `Delete ${filename}?`, requestedSchema: form };
      const answer = await extra.sendRequest(/** @type {any} */ ({ method: 'elicitation/create', params }), ElicitResultSchema);
      return text(answer.content?.confirm === true ? `Deleted ${filename}.` : 'Nothing was deleted.');
    },
  );

  mcp.registerTool(
    'multi_input',
    { description: 'Asks two things at once, and runs again with the answers.', task: 'required' },
    /** @type {any} */
    (
      (extra) => {
        const [name, color] = [nameIn(extra, 'name'), nameIn(extra, 'color')];
        if (name !== undefined && color !== undefined) return text(`${name} likes ${color}.`);
        const inputRequests = { name: question('What is your name?'), color: question('What is your favourite colour called?') };
        return { resultType: 'input_required', inputRequests };
      }
    ),
  );

  mcp.registerTool(
    'test_tool_with_task',
    { description: 'Asks first, and goes on as a task.' },
    /** @type {any} */
    (
      async (extra) => {
        const name = nameIn(extra, 'user_name');
        // Nothing is a task before the client has answered.
        if (name === undefined) return { resultType: 'input_required', inputRequests: { user_name: question('What is your name?') } };
        await mcp.beginTask(extra);
        return text(`Hello, ${name}, from a task.`);
      }
    ),
  );
}
