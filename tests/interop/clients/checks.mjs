// What both TypeScript clients check of an everything-server. The client is passed
// in: the two lines of the SDK differ in how it is made, hardly in how it is used.

import { parseArgs } from 'node:util';

/** `[--era legacy|auto] URL` or `… -- PROGRAM ARGS`. */
export function arguments_() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { era: { type: 'string', default: 'legacy' } },
  });
  const http = positionals.length === 1 && /^https?:/.test(positionals[0]);
  return {
    era: values.era,
    url: http ? new URL(positionals[0]) : undefined,
    program: http ? undefined : { command: positionals[0], args: positionals.slice(1) },
  };
}

/** Handlers for what a server may ask; they count how often they were asked. */
export const asked = { elicitation: 0, sampling: 0 };

export function answerElicitation() {
  asked.elicitation += 1;
  return { action: 'accept', content: { username: 'ada', email: 'ada@example.com' } };
}

export function answerSampling() {
  asked.sampling += 1;
  return { role: 'assistant', model: 'scripted', content: { type: 'text', text: 'scripted answer' } };
}

function expect(condition, said) {
  if (!condition) throw new Error(said);
}

const textOf = (result) => (result.content ?? []).map((part) => part.text ?? '').join('\n');
const has = (list, key, wanted) => expect(list.some((item) => item[key] === wanted), `${wanted} is not listed`);

/** `call(name, arguments, options)` hides how the two lines pass their options. */
export function checks(client, call, era) {
  return {
    'list tools': async () => has((await client.listTools()).tools, 'name', 'test_simple_text'),
    'list resources': async () => has((await client.listResources()).resources, 'uri', 'test://static-text'),
    'list templates': async () =>
      has((await client.listResourceTemplates()).resourceTemplates, 'uriTemplate', 'test://template/{id}/data'),
    'list prompts': async () => has((await client.listPrompts()).prompts, 'name', 'test_simple_prompt'),
    'call a tool': async () => expect(textOf(await call('test_simple_text', {})).includes('simple text'), 'other text'),
    progress: async () => {
      const seen = [];
      await call('test_tool_with_progress', {}, { onprogress: ({ progress }) => seen.push(progress) });
      // Three are sent. Both lines of the SDK lose one that is read together with the answer.
      expect(seen.length >= 2, `${seen.length} progress notifications`);
      expect(seen.every((value, i) => i === 0 || value >= seen[i - 1]), `progress went back: ${seen}`);
    },
    'tool error': async () => expect((await call('test_error_handling', {})).isError === true, 'isError is not set'),
    elicitation: async () => {
      const result = await call('test_elicitation', { message: 'Who are you?' });
      expect(asked.elicitation === 1 && !result.isError, `asked ${asked.elicitation} times: ${textOf(result)}`);
    },
    sampling: async () => {
      const result = await call('test_sampling', { prompt: 'Say something' });
      expect(asked.sampling === 1 && textOf(result).includes('scripted answer'), textOf(result));
    },
    'read a resource': async () => {
      const { contents } = await client.readResource({ uri: 'test://static-text' });
      expect(contents[0]?.text?.length > 0, 'no text');
    },
    'read a template': async () => {
      const { contents } = await client.readResource({ uri: 'test://template/123/data' });
      expect(contents[0]?.text?.includes('123'), 'the parameter is not in the text');
    },
    'get a prompt': async () => {
      const given = { name: 'test_prompt_with_arguments', arguments: { arg1: 'one', arg2: 'two' } };
      const said = JSON.stringify((await client.getPrompt(given)).messages);
      expect(said.includes('one') && said.includes('two'), said);
    },
    complete: async () => {
      const ref = { type: 'ref/prompt', name: 'test_prompt_with_arguments' };
      const { completion } = await client.complete({ ref, argument: { name: 'arg1', value: 'test' } });
      expect(Array.isArray(completion.values), 'no values');
    },
    'unknown resource': async () => {
      const error = await client.readResource({ uri: 'test://not-there' }).then(() => undefined, (e) => e);
      expect(error !== undefined, 'it was answered');
    },
    ...(era === 'legacy' ? { ping: async () => void (await client.ping()) } : {}),
  };
}

/** Runs them one by one, prints one JSON line, and sets the exit code. */
export async function run(name, transport, revision, table) {
  const passed = [];
  const failed = {};
  for (const [check, work] of Object.entries(table)) {
    try {
      await work();
      passed.push(check);
    } catch (error) {
      failed[check] = String(error.message ?? error).slice(0, 300);
    }
  }
  console.log(JSON.stringify({ client: name, transport, revision, passed, failed }));
  process.exitCode = Object.keys(failed).length > 0 ? 1 : 0;
}
