// A host: several servers from an `mcpServers` file, their tools in one list, a scripted
// model that uses them, and a person who is asked before anything changes.
//
// Shows: the merged registry of tools, review of tool calls, answering a server's questions
// on the terminal.
//
//     node examples/node/host.mjs examples/node/host.json

import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { Host } from 'mcpbolt/host.js';
import { askUnlessReadOnly, RejectedError } from 'mcpbolt/review.js';
import { CreateMessageRequestSchema, ElicitRequestSchema } from 'mcpbolt/types.js';
import { fillIn, textOf } from './common.mjs';

/** The person at the terminal: one question at a time. */
class Terminal {
  #lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  /** @type {Promise<unknown>} */
  #turn = Promise.resolve();

  constructor(yes) {
    this.yes = yes;
  }

  /** Whether the person agrees. The end of the input is a no. */
  agrees(question) {
    // What a server says must not steer the terminal.
    const shown = `${question.replace(/[^\P{C} ]/gu, ' ').slice(0, 400)} [y/N] `;
    return (this.#turn = this.#turn.then(() => this.#ask(shown)));
  }

  async #ask(shown) {
    process.stdout.write(this.yes ? `${shown}y\n` : shown);
    if (this.yes) return true;
    const { value = '' } = await this.#lines.next();
    return /^\s*y(es)?\s*$/i.test(value);
  }
}

/** A model without a model: a fixed plan that uses whichever of its tools are there. */
class ScriptedModel {
  #heard = [];
  #plan;

  /** @param {number[]} place */
  constructor([latitude, longitude]) {
    const weather = () => this.#heard[0]?.split('\n')[0] ?? 'unknown';
    this.#plan = [
      ['get_forecast', () => ({ latitude, longitude })],
      ['write_note', () => ({ name: 'weather.txt', text: weather() })],
      ['summarize_note', () => ({ name: 'weather.txt' })],
    ];
  }

  /** The next call, after hearing what the last one brought; or the last words. */
  turn(tools, heard) {
    if (heard !== undefined) this.#heard.push(heard);
    while (this.#plan.length > 0) {
      const [tool, args] = this.#plan.shift();
      if (tools.some(({ name }) => name === tool)) return { tool, args: args() };
    }
    const words = this.#heard.at(-1);
    return { said: words === undefined ? 'None of my tools is there.' : `After ${this.#heard.length} calls I know: ${words}` };
  }
}

/**
 * What is answered when a server asks: what the person says.
 *
 * @param {import('mcpbolt/client/index.js').Client} client
 * @param {Terminal} terminal
 */
function answer(client, terminal) {
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    if (!(await terminal.agrees(params.message))) return { action: 'decline' };
    return { action: 'accept', ...('requestedSchema' in params && { content: fillIn(params.requestedSchema) }) };
  });
  client.setRequestHandler(CreateMessageRequestSchema, async ({ params }) => {
    const text = textOf(params.messages.at(-1)?.content ?? []);
    if (!(await terminal.agrees(`Let a server ask the model about '${text}'?`))) throw new RejectedError('the person said no');
    return { role: 'assistant', model: 'scripted', content: { type: 'text', text: `In short: ${text}` } };
  });
}

/** Calls a tool, if the person allows it. The model learns that the person said no. @param {Host} host */
async function call(host, tool, args) {
  try {
    return textOf((await host.callTool(tool, args)).content);
  } catch (error) {
    if (error instanceof RejectedError) return 'the person said no';
    throw error;
  }
}

/**
 * The loop of every host: the model says what it wants, the host does it and reports.
 *
 * @param {Host} host
 * @param {ScriptedModel} model
 */
async function talk(host, model) {
  let heard;
  for (;;) {
    const { tool, args, said } = model.turn(host.tools(), heard);
    if (tool === undefined) return console.log(`\nmodel: ${said}`);
    console.log(`\nmodel: call ${tool} ${JSON.stringify(args)}`);
    heard = await call(host, tool, args);
    console.log(`${tool}: ${heard}`);
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    // latitude and longitude
    place: { type: 'string', default: '38.58,-121.49' },
    // yes to every question
    yes: { type: 'boolean', default: false },
  },
});
const terminal = new Terminal(values.yes);
const host = new Host(
  { name: 'mcpbolt-host', version: '1.0.0' },
  {
    protocol: 'auto',
    capabilities: { elicitation: {}, sampling: {} },
    // The servers of the file are the person's own: their read-only hints count.
    trusted: true,
    reviewToolCall: askUnlessReadOnly(async ({ tool, arguments: args }) => {
      const agreed = await terminal.agrees(`Allow ${tool} ${JSON.stringify(args ?? {})}?`);
      return agreed ? 'allow' : { deny: 'the person said no' };
    }),
    prepare: (client) => answer(client, terminal),
  },
);
for (const [server, error] of await host.addConfig(positionals[0])) {
  console.error(`${server} is left out: ${error.message}`);
}
for (const { server, name, tool } of host.tools()) {
  console.log(`${server.padEnd(10)} ${name.padEnd(18)} ${tool.description ?? ''}`);
}
await talk(host, new ScriptedModel(values.place.split(',').map(Number)));
await host.close();
// Nobody is asked any more.
process.stdin.destroy();
