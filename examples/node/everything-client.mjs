// A client that uses whatever a server offers: what the conformance suites drive.
//
// Shows: connecting in either era, lists, calls, reading, prompts, answering the server's
// questions. Which of it is done, and with what, the suites say by environment variables
// (MCP_CONFORMANCE_SCENARIO, _CONTEXT, _PROTOCOL_VERSION); without them it looks at
// everything and prints what it found.
//
//     node examples/node/everything-client.mjs http://127.0.0.1:3000/mcp
//     node examples/node/everything-client.mjs -- node examples/node/weather-server.mjs

import { Client } from 'mcpbolt/client/index.js';
import { CreateMessageRequestSchema, ElicitRequestSchema, ListRootsRequestSchema } from 'mcpbolt/types.js';
import { fillIn, textOf } from './common.mjs';
import { signIn } from './everything-sign-in.mjs';
import { useSkills } from './everything-skills.mjs';
import { clientArguments, target } from './reaching.mjs';

/** A client that agrees to everything, has a model that repeats, and one root. */
function makeClient(protocol) {
  const client = new Client(
    { name: 'mcpbolt-everything-client', version: '1.0.0' },
    { protocol, capabilities: { elicitation: {}, sampling: {}, roots: { listChanged: true } } },
  );
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({
    action: 'accept',
    ...('requestedSchema' in params && { content: fillIn(params.requestedSchema) }),
  }));
  client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
    const heard = textOf(params.messages.at(-1)?.content ?? []);
    return { role: 'assistant', model: 'scripted', stopReason: 'endTurn', content: { type: 'text', text: `You said: ${heard}` } };
  });
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///example', name: 'example' }] }));
  return client;
}

/** Everything in a list, page by page. */
async function* pages(ask, member) {
  let cursor;
  do {
    const page = await ask({ cursor });
    yield* page[member];
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

const VALUES = { integer: 1, number: 1, boolean: true, array: [], object: {} };

/** A value for each argument that a tool declares. */
function someArguments({ properties = {} }) {
  return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, VALUES[each.type] ?? 'test']));
}

/** Looks at everything and prints it. @param {Client} client */
async function tour(client) {
  const { name } = client.getServerVersion() ?? { name: 'a server without a name' };
  console.log(`connected to ${name}`);
  if (client.getInstructions()) console.log(`  ${client.getInstructions()}`);
  const can = client.getServerCapabilities() ?? {};
  if (can.tools) {
    for await (const tool of pages((page) => client.listTools(page), 'tools')) {
      console.log(`tool      ${tool.title ?? tool.name}: ${tool.description ?? '-'}`);
    }
  }
  if (can.resources) {
    for await (const { uri } of pages((page) => client.listResources(page), 'resources')) {
      console.log(`resource  ${uri} (${(await client.readResource({ uri })).contents.length} parts)`);
    }
    for await (const template of pages((page) => client.listResourceTemplates(page), 'resourceTemplates')) {
      console.log(`template  ${template.uriTemplate}`);
    }
  }
  if (can.prompts) {
    for await (const prompt of pages((page) => client.listPrompts(page), 'prompts')) {
      console.log(`prompt    ${prompt.name}: ${prompt.description ?? '-'}`);
    }
  }
}

/** @param {Client} client @param {import('mcpbolt/types.js').Tool[]} tools */
async function callAll(client, tools) {
  for (const { name, inputSchema } of tools) await client.callTool({ name, arguments: someArguments(inputSchema) });
}

/** Does what a scenario of the suites wants to see. @param {Client} client */
async function play(client, scenario, context) {
  const tools = [];
  for await (const tool of pages((page) => client.listTools(page), 'tools')) tools.push(tool);
  switch (scenario) {
    case 'tools_call':
      return client.callTool({ name: 'add_numbers', arguments: { a: 5, b: 3 } });
    case 'elicitation-sep1034-client-defaults':
      return client.callTool({ name: 'test_client_elicitation_defaults', arguments: {} });
    case 'sse-retry':
      return client.callTool({ name: 'test_reconnection', arguments: {} });
    case 'sep-2322-client-request-state':
    case 'http-invalid-tool-headers':
      return callAll(client, tools);
    case 'http-standard-headers':
      await callAll(client, tools);
      for await (const { uri } of pages((page) => client.listResources(page), 'resources')) await client.readResource({ uri });
      for await (const { name } of pages((page) => client.listPrompts(page), 'prompts')) await client.getPrompt({ name });
      return;
    case 'http-custom-headers':
      for (const call of context.toolCalls ?? []) await client.callTool({ name: call.name, arguments: call.arguments });
      return;
    case 'json-schema-2020-12-preservation': {
      const { inputSchema } = tools.find(({ name }) => name === 'json_schema_2020_12_tool');
      return client.callTool({ name: 'json_schema_echo', arguments: { schema: inputSchema } });
    }
    default:
    // Connecting and listing is all that the others look at.
  }
}

/** @param {Client} client @param {string[]} server */
async function look(client, server) {
  await client.connect(target(server));
  await (scenario === undefined ? tour(client) : play(client, scenario, context));
  await client.close();
}

const scenario = process.env.MCP_CONFORMANCE_SCENARIO;
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
// The mocks of the suites speak one era: a suite that does not say which, the legacy one.
const modern = scenario === undefined || (process.env.MCP_CONFORMANCE_PROTOCOL_VERSION ?? '') >= '2026';

try {
  const { server } = clientArguments();
  const mode = modern ? 'auto' : 'legacy';
  if (scenario?.startsWith('auth/')) await signIn(server[0], scenario, context, mode);
  else if (scenario?.startsWith('sep-2640-')) await useSkills(scenario, server[0]);
  else await look(makeClient(mode), server);
} catch (error) {
  console.error(`failed: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
