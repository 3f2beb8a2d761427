// An agent: a model asks for tools until it has its answer.
//
//     node agent-loop.mjs server.mjs "How warm is it in Oslo?"
//
// `scripted` stands in for a model, so that the loop can be read and tested without one. A
// function that asks a real model has the same signature.
import { pathToFileURL } from 'node:url';
import { Client } from 'mcpbolt/client/index.js';
import { StdioClientTransport } from 'mcpbolt/client/stdio.js';

const MAX_TURNS = 8;

/** A model that calls the first tool once and repeats what it said. */
export async function scripted(messages, tools) {
  const last = messages.at(-1);
  if (last.role === 'tool') return { text: `It says: ${last.content}`, wishes: [] };
  const wanted = tools[0].inputSchema.required ?? [];
  const given = Object.fromEntries(wanted.map((name) => [name, last.content]));
  return { text: '', wishes: [{ tool: tools[0].name, arguments: given }] };
}

/** Lets tools run that say they change nothing. Ask a person about the others. */
export const onlyReading = async (tool) => tool.annotations?.readOnlyHint === true;

/** The loop: ask the model, call what it wants, show it what came back. */
export async function run(client, model, question, approve = onlyReading) {
  const { tools } = await client.listTools();
  const messages = [{ role: 'user', content: question }];
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    const { text, wishes } = await model(messages, tools);
    if (wishes.length === 0) return text;
    messages.push({ role: 'assistant', content: text, wishes });
    const answers = await Promise.all(wishes.map((wish) => call(client, tools, wish, approve)));
    messages.push(...answers.map((content) => ({ role: 'tool', content })));
  }
  return 'I stopped after too many steps.';
}

/** One wish. Whatever goes wrong is told to the model, which may think again. */
async function call(client, tools, wish, approve) {
  const tool = tools.find(({ name }) => name === wish.tool);
  if (!tool) return `There is no tool ${wish.tool}.`;
  if (!(await approve(tool, wish.arguments))) return 'The user does not want this tool to be called.';
  const { content, isError } = await client.callTool({ name: tool.name, arguments: wish.arguments });
  const words = content.filter(({ type }) => type === 'text').map(({ text }) => text).join('\n');
  return isError ? `It failed: ${words}` : words;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [program, question] = process.argv.slice(2);
  const client = new Client({ name: 'agent', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command: 'node', args: [program] }));
  console.log(await run(client, scripted, question));
  await client.close();
}
