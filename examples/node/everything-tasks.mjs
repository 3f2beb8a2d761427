// Tools whose calls go on as tasks, for clients that declared the tasks extension (2026-07-28). They are
// the same in everything-server.mjs, which is written against 1.x, and in everything-extensions.mjs, which
// is written against 2.x: what differs is what a tool is given.

import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { text } from './common.mjs';

const form = (properties) => ({ type: 'object', properties, required: Object.keys(properties) });

/** A question for a name. */
const question = (message) => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: form({ name: { type: 'string' } }) },
});

/** The name in an answer. Nothing if there is no answer yet. */
function nameIn(answers, key) {
  const given = answers?.[key];
  return typeof given?.action === 'string' ? String(given.content?.name ?? 'nobody') : undefined;
}

/**
 * What a tool is given.
 *
 * @typedef {object} Call
 * @property {AbortSignal} signal
 * @property {Record<string, any>} [answers] to the questions that it returned
 * @property {(params: any) => Promise<{ action: string, content?: any }>} elicit
 * @property {() => Promise<string>} begin makes a task of the call
 */

/**
 * Adds the tools.
 *
 * @param {{ registerTool: (name: string, config: any, run: any) => unknown }} mcp
 * @param {(context: any) => Call} callOf from the last argument of a tool
 * @param {new (pages: any[]) => Error} UrlElicitationRequiredError a JSON-RPC error
 */
export function offerTasks(mcp, callOf, UrlElicitationRequiredError) {
  mcp.registerTool(
    'slow_compute',
    {
      description: 'Computes for a while.',
      inputSchema: z.object({ seconds: z.number().default(0), label: z.string().default('') }),
      task: 'optional',
    },
    async ({ seconds, label }, context) => {
      await pause(seconds * 1000, undefined, { signal: callOf(context).signal });
      return text(`Computed ${label} in ${seconds} s.`);
    },
  );

  mcp.registerTool('failing_job', { description: 'A task whose tool fails.', task: 'required' }, () => {
    throw new Error('The job failed.');
  });

  mcp.registerTool('protocol_error_job', { description: 'A task that ends with a JSON-RPC error.', task: 'required' }, () => {
    const page = { mode: 'url', message: 'Sign in first.', url: 'https://example.com/', elicitationId: 'sign-in' };
    throw new UrlElicitationRequiredError([page]);
  });

  mcp.registerTool(
    'confirm_delete',
    {
      description: 'Asks before it deletes, and waits inside the function.',
      inputSchema: z.object({ filename: z.string() }),
      task: 'required',
    },
    async ({ filename }, context) => {
      const requestedSchema = form({ confirm: { type: 'boolean' } });
      const answer = await callOf(context).elicit({ message: `Delete ${filename}?`, requestedSchema });
      return text(answer.content?.confirm === true ? `Deleted ${filename}.` : 'Nothing was deleted.');
    },
  );

  mcp.registerTool(
    'multi_input',
    { description: 'Asks two things at once, and runs again with the answers.', task: 'required' },
    (context) => {
      const { answers } = callOf(context);
      const [name, color] = [nameIn(answers, 'name'), nameIn(answers, 'color')];
      if (name !== undefined && color !== undefined) return text(`${name} likes ${color}.`);
      const inputRequests = { name: question('What is your name?'), color: question('What is your favourite colour called?') };
      return { resultType: 'input_required', inputRequests };
    },
  );

  mcp.registerTool('test_tool_with_task', { description: 'Asks first, and goes on as a task.' }, async (context) => {
    const { answers, begin } = callOf(context);
    const name = nameIn(answers, 'user_name');
    // Nothing is a task before the client has answered.
    if (name === undefined) return { resultType: 'input_required', inputRequests: { user_name: question('What is your name?') } };
    await begin();
    return text(`Hello, ${name}, from a task.`);
  });
}
