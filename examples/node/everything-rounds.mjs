// Tools of everything-server.mjs that take several rounds in the explicit style of
// 2026-07-28: the function returns its questions and runs again, from the top, with the
// answers.
//
// Nothing waits on the server between two rounds; what the function must remember goes into
// `requestState`, which the engine seals.

import { CreateMessageResultSchema, ElicitResultSchema, ListRootsResultSchema } from 'mcpbolt/types.js';
import { text, textOf } from './common.mjs';

/** A question with a form of one required field. */
const form = (message, field, type = 'string') => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: { type: 'object', properties: { [field]: { type } }, required: [field] } },
});

/** A question to the client's model. */
const sampling = (prompt, maxTokens) => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens },
});

const ROOTS = { method: 'roots/list' };

/** The end of a round that needs another one. */
const ask = (inputRequests, requestState) => ({
  resultType: 'input_required',
  inputRequests,
  ...(requestState !== undefined && { requestState }),
});

/** An answer, if it is there and of that kind. */
function answer(extra, key, schema) {
  const given = schema.safeParse(extra.inputResponses?.[key]);
  return given.success ? given.data : undefined;
}

/** A text field of an answered form. Nothing if there is no usable answer yet, so that the
 *  question is asked again. */
function field(extra, key, name) {
  const given = answer(extra, key, ElicitResultSchema);
  if (given === undefined) return undefined;
  if (given.action !== 'accept') return 'nobody';
  const value = given.content?.[name];
  return typeof value === 'string' ? value : undefined;
}

/**
 * For a prompt: they ask like tools.
 *
 * @returns {{ context: string | undefined, asking: any }}
 */
export function askForContext(extra) {
  const context = field(extra, 'user_context', 'context');
  const asking =
    context === undefined ? ask({ user_context: form('What context should the prompt use?', 'context') }) : undefined;
  return { context, asking };
}

function threeAtOnce(extra) {
  const name = field(extra, 'user_name', 'name');
  const greeting = answer(extra, 'greeting', CreateMessageResultSchema);
  const given = answer(extra, 'client_roots', ListRootsResultSchema);
  if (name !== undefined && greeting && given) {
    return text(`${textOf(greeting.content)} (${name}, ${given.roots.length} roots)`);
  }
  const questions = {
    user_name: form('What is your name?', 'name'),
    greeting: sampling('Write a short greeting.', 50),
    client_roots: ROOTS,
  };
  return ask(questions, 'three');
}

function withState(extra) {
  // A state that the engine did not seal does not reach this function.
  if (extra.requestState === 'asked' && answer(extra, 'confirm', ElicitResultSchema)) return text('Confirmed; state-ok');
  return ask({ confirm: form('Go on?', 'ok', 'boolean') }, 'asked');
}

function twice(extra) {
  // The state says which round this is, and what the first one brought.
  const known = /^name:(.*)$/s.exec(extra.requestState ?? '')?.[1];
  const name = known ?? field(extra, 'step1', 'name');
  if (name === undefined) return ask({ step1: form('What is your name?', 'name') }, 'first');
  const color = known === undefined ? undefined : field(extra, 'step2', 'color');
  if (color === undefined) return ask({ step2: form('What is your favourite colour?', 'color') }, `name:${name}`);
  return text(`${name} likes ${color}.`);
}

function whatItCan(extra) {
  if (Object.keys(extra.inputResponses ?? {}).length > 0) return text('The client answered.');
  const can = extra.clientCapabilities ?? {};
  const questions = {
    ...(can.sampling && { joke: sampling('Tell a joke.', 100) }),
    ...(can.elicitation && { user_name: form('What is your name?', 'name') }),
    ...(can.roots && { client_roots: ROOTS }),
  };
  return Object.keys(questions).length > 0 ? ask(questions) : text('The client can answer nothing.');
}

/** Adds the tools. @param {import('mcpbolt/server/mcp.js').McpServer} mcp */
export function offerRounds(mcp) {
  const tool = (name, description, run) =>
    mcp.registerTool(`test_input_required_result_${name}`, { description }, run);

  tool('elicitation', 'Asks for a name.', (extra) => {
    const name = field(extra, 'user_name', 'name');
    return name === undefined ? ask({ user_name: form('What is your name?', 'name') }) : text(`Hello, ${name}!`);
  });

  tool('sampling', 'Asks the model.', (extra) => {
    const said = answer(extra, 'capital_question', CreateMessageResultSchema);
    if (said === undefined) return ask({ capital_question: sampling('What is the capital of France?', 100) });
    return text(`The model says: ${textOf(said.content)}`);
  });

  tool('list_roots', 'Asks for the roots.', (extra) => {
    const given = answer(extra, 'client_roots', ListRootsResultSchema);
    return given === undefined ? ask({ client_roots: ROOTS }) : text(`The client has ${given.roots.length} roots.`);
  });

  tool('request_state', 'Asks and keeps state', withState);
  tool('tampered_state', 'Asks with state that is checked', withState);
  tool('multiple_inputs', 'Asks three things at once.', threeAtOnce);
  tool('multi_round', 'Asks twice.', twice);
  tool('capabilities', 'Asks what the client can answer.', whatItCan);
}
